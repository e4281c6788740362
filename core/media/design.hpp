// SPDX-License-Identifier: Apache-2.0
// Numbers by which guides are chosen: zero dispersion, phase matching, soliton order, critical power, and the pressure
// or radius that gives one of them. Frequencies are angular, in rad/s, wavelengths in m.
#pragma once

#include <functional>
#include <optional>
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

// The smallest x in [lowest, highest], lowest > 0, where f changes sign; none where it does not. Tried at 200 x in
// equal ratios, then refined to rounding; x where f is not finite are passed over.
[[nodiscard]] std::optional<double> smallest_root(const std::function<double(double x)>& f, double lowest,
                                                  double highest);

// The smallest pressure or radius at which a guide has what is asked for, found as above; `guide` gives its beta there.
// What beta_derivatives throws of a guide passes that one over.
using GuideAt = std::function<Beta(double value)>;
[[nodiscard]] std::optional<double> value_of_zero_dispersion(const GuideAt& guide, double wavelength, double lowest,
                                                             double highest);
[[nodiscard]] std::optional<double> value_of_phase_matching(const GuideAt& guide, double pump, double wavelength,
                                                            double lowest, double highest);
// Of a soliton at omega; `strength` is gamma P0 t0^2, 1/m s^2, at a value.
[[nodiscard]] std::optional<double> value_of_soliton_order(const GuideAt& guide,
                                                           const std::function<double(double value)>& strength,
                                                           double omega, double order, double lowest, double highest);

}  // namespace lumarch
