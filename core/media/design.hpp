// SPDX-License-Identifier: Apache-2.0
// Numbers by which guides are chosen: zero dispersion, phase matching, soliton order, critical power, and the pressure
// that gives one of them. Frequencies are angular, in rad/s, wavelengths in m.
#pragma once

#include <functional>
#include <vector>

#include "media/dispersion.hpp"
#include "media/range.hpp"

namespace lumarch {

// Where beta2 changes sign inside of the band, rising. Zeros closer to each other than 1/400 of the band in frequency
// are not told apart. Throws as beta_derivatives.
[[nodiscard]] std::vector<double> zero_dispersion_wavelengths(const Beta& beta, Range band);

// beta(omega) - beta(omega_p) - beta1(omega_p) (omega - omega_p), 1/m: 0 where a dispersive wave is phase-matched to a
// pulse at omega_p (without its nonlinear phase). Throws as beta_derivatives.
[[nodiscard]] double phase_mismatch(const Beta& beta, double pump, double omega);

// Wavelengths inside of the band that a pulse at `pump` (a wavelength) is phase-matched to, rising, the pump left out;
// resolution as above. Throws as beta_derivatives.
[[nodiscard]] std::vector<double> phase_matched_wavelengths(const Beta& beta, double pump, Range band);

// L_D = t0^2/|beta2|, L_NL = 1/(gamma P0), N = sqrt(L_D/L_NL), L_fiss = L_D/N: m, m, 1, m; t0 in s (of a sech: FWHM/(2
// ln(1 + sqrt 2))), gamma in 1/(W m), P0 in W.
struct SolitonNumbers {
  double dispersion_length, nonlinear_length, order, fission_length;
};
[[nodiscard]] SolitonNumbers soliton_numbers(double t0, double beta2, double gamma, double peak_power);

// gamma = n2 omega/(c A_eff).
[[nodiscard]] double nonlinear_parameter(double n2, double omega, double effective_area);

// Power of self-focusing collapse, W: of the Townes profile, 1.86225 lambda^2/(4 pi n0 n2), and of a Gaussian beam,
// 3.77 lambda^2/(8 pi n0 n2) (J. H. Marburger, Prog. Quantum Electron. 4, 35 (1975); G. Fibich and A. L. Gaeta, Opt.
// Lett. 25, 335 (2000)).
[[nodiscard]] double critical_power(double wavelength, double n0, double n2);
[[nodiscard]] double critical_power_gaussian(double wavelength, double n0, double n2);

// The smallest pressure in [lowest, highest] (Pa, lowest > 0) at which a guide has what is asked for; `guide` gives its
// beta at a pressure. Tried at 200 pressures in equal ratios, then refined to rounding. Throw Error(Fault::problem)
// where there is none.
using GuideAtPressure = std::function<Beta(double pressure)>;
[[nodiscard]] double pressure_of_zero_dispersion(const GuideAtPressure& guide, double wavelength, double lowest,
                                                 double highest);
[[nodiscard]] double pressure_of_phase_matching(const GuideAtPressure& guide, double pump, double wavelength,
                                                double lowest, double highest);

}  // namespace lumarch
