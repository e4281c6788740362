// SPDX-License-Identifier: Apache-2.0
// Density, index and nonlinearity of gases. Frequencies are angular, in rad/s.
#pragma once

#include <span>

#include <lumarch/substances.hpp>

#include "media/range.hpp"

namespace lumarch {

// Number density of the real gas in 1/m^3; pressure in Pa, temperature in K. From published equations of state
// (gas_state_data.cpp). Throws Error(Fault::problem) outside of the equation's range (at least to 500 bar near room
// temperature; the message says it) and where the gas condenses.
[[nodiscard]] double gas_density(Gas gas, double pressure, double temperature);

// The fits of the index:
//   standard     A. Boerzsoenyi et al., Appl. Opt. 47, 4856 (2008): noble gases, air, nitrogen
//                E. R. Peck and S. Huang, J. Opt. Soc. Am. 67, 1550 (1977): hydrogen, and deuterium, whose index is the
//                  same within 1 % (W. J. C. Orr, Trans. Faraday Soc. 32, 1556 (1936))
//                J. Zhang et al., Appl. Opt. 47, 3143 (2008), as corrected in 50, 6484 (2011): oxygen
//                Q. He et al., Atmos. Chem. Phys. 21, 14927 (2021): methane, sulfur hexafluoride, nitrous oxide
//   ermolov      A. Ermolov et al., Phys. Rev. A 92, 033821 (2015): helium and argon, into the vacuum ultraviolet
//   peck_fisher  E. R. Peck and D. J. Fisher, J. Opt. Soc. Am. 54, 1362 (1964): argon
[[nodiscard]] bool has_fit(Gas gas, GasFit fit);

// gamma in n^2 = 1 + gamma rho, m^3: the fit's n^2 - 1 over the real-gas density of its reference state. Outside of
// gas_range it is what the formula gives, which has poles in the vacuum ultraviolet. omega > 0. Throws
// Error(Fault::problem) where the gas has no such fit.
[[nodiscard]] double gas_polarisability(Gas gas, GasFit fit, double omega);

// Where the fit was measured. Throws as gas_polarisability.
[[nodiscard]] Range gas_range(Gas gas, GasFit fit);

// gamma3 in chi3 = rho gamma3, m^5/V^2. Noble gases and nitrogen: H. J. Lehmeier, W. Leupacher and A. Penzkofer, Opt.
// Commun. 56, 67 (1985); hydrogen, deuterium, methane, sulfur hexafluoride: ratios of D. P. Shelton, Phys. Rev. A 42,
// 2578 (1990); oxygen: S. Zahedpour, J. K. Wahlstrand and H. M. Milchberg, Opt. Lett. 40, 5794 (2015); nitrous oxide:
// J. K. Wahlstrand et al., Phys. Rev. A 85, 043820 (2012). Air: by its parts (78.1 % nitrogen, 21.0 % oxygen, 0.9 %
// argon). Throws nothing.
[[nodiscard]] double gas_gamma3(Gas gas);

// A part of a mixture. Parts do not feel each other: densities are those at the partial pressures.
struct GasPart {
  Gas gas;
  GasFit fit;
  double density;  // 1/m^3
};

// n^2 = 1 + sum gamma_i rho_i; omega > 0. Throws as gas_polarisability.
[[nodiscard]] double gas_permittivity(std::span<const GasPart> parts, double omega);

// sum rho_i gamma3_i, m^2/V^2.
[[nodiscard]] double gas_chi3(std::span<const GasPart> parts);

// n2 = (3/4) chi3/(eps0 c n0^2) and back, m^2/W and m^2/V^2.
[[nodiscard]] double n2_of_chi3(double chi3, double index);
[[nodiscard]] double chi3_of_n2(double n2, double index);

}  // namespace lumarch
