// SPDX-License-Identifier: Apache-2.0
#include "media/design.hpp"

#include <algorithm>
#include <array>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <optional>

#include <lumarch/error.hpp>

#include "media/constants.hpp"

namespace lumarch {

namespace {

using Function = std::function<double(double)>;

double other(double wavelength_or_omega) { return 2 * constants::pi * constants::c / wavelength_or_omega; }

double root(const Function& f, double low, double high, double at_low, double at_high) {
  if (at_low == 0) return low;
  if (at_high == 0) return high;
  std::uintmax_t tries = 200;
  const auto [a, b] = boost::math::tools::toms748_solve(f, low, high, at_low, at_high,
                                                        boost::math::tools::eps_tolerance<double>(48), tries);
  return (a + b) / 2;
}

// Where f changes sign between neighbours of 401 frequencies; frequencies at which f is not finite end an interval.
std::vector<double> roots(const Function& f, Range band) {
  constexpr int steps = 400;
  const double first = other(band.longest), last = other(band.shortest);
  std::vector<double> found;
  double before = first, at_before = f(first);
  for (int i = 1; i <= steps; ++i) {
    const double omega = first + (last - first) * i / steps, at = f(omega);
    if (std::isfinite(at_before) && std::isfinite(at) && (at_before < 0) != (at < 0))
      found.push_back(root(f, before, omega, at_before, at));
    before = omega, at_before = at;
  }
  return found;
}

std::vector<double> as_wavelengths(std::vector<double> omegas) {
  for (double& omega : omegas) omega = other(omega);
  std::sort(omegas.begin(), omegas.end());
  return omegas;
}

// Whether beta bends over the band by more than its own rounding: else its derivatives are noise, and so are their
// zeros.
bool disperses(const Beta& beta, Range band) {
  const double first = other(band.longest), last = other(band.shortest);
  const auto at = [&](double share) { return beta(first + (last - first) * share); };
  for (const double middle : {0.25, 0.5, 0.75}) {
    const double bend = at(middle - 0.25) - 2 * at(middle) + at(middle + 0.25);
    if (!(std::abs(bend) <= 1e-13 * std::abs(at(middle)))) return true;  // also where it is not known
  }
  return false;
}

// NaN in place of what a rough beta throws.
template <class F>
double or_nan(F f) {
  try {
    return f();
  } catch (const Error& error) {
    if (error.fault() != Fault::problem) throw;
    return std::nan("");
  }
}

}  // namespace

std::vector<double> zero_dispersion_wavelengths(const Beta& beta, Range band) {
  if (!disperses(beta, band)) return {};
  return as_wavelengths(roots([&](double omega) { return beta_derivative(beta, omega, 2); }, band));
}

double phase_mismatch(const Beta& beta, double pump, double omega) {
  return beta(omega) - beta(pump) - beta_derivative(beta, pump, 1) * (omega - pump);
}

std::vector<double> phase_matched_wavelengths(const Beta& beta, double pump, Range band) {
  if (!disperses(beta, band)) return {};
  const double pump_omega = other(pump), at_pump = beta(pump_omega);
  const std::array<double, 6> d = beta_derivatives(beta, pump_omega);
  // The mismatch has a double zero at the pump: divided by its square, and near it, where differences are rounding, by
  // its series.
  const auto mismatch = [&](double omega) {
    const double x = omega - pump_omega;
    if (std::abs(x) < 0.02 * pump_omega) return d[2] / 2 + x * (d[3] / 6 + x * (d[4] / 24 + x * d[5] / 120));
    return (beta(omega) - at_pump - d[1] * x) / (x * x);
  };
  return as_wavelengths(roots(mismatch, band));
}

SolitonNumbers soliton_numbers(double t0, double beta2, double gamma, double peak_power) {
  SolitonNumbers s{};
  s.dispersion_length = t0 * t0 / std::abs(beta2);
  s.nonlinear_length = 1 / (gamma * peak_power);
  s.order = std::sqrt(s.dispersion_length / s.nonlinear_length);
  s.fission_length = s.dispersion_length / s.order;
  return s;
}

double nonlinear_parameter(double n2, double omega, double effective_area) {
  return n2 * omega / (constants::c * effective_area);
}

double critical_power(double wavelength, double n0, double n2) {
  return 1.86225 * wavelength * wavelength / (4 * constants::pi * n0 * n2);
}

double critical_power_gaussian(double wavelength, double n0, double n2) {
  return 3.77 * wavelength * wavelength / (8 * constants::pi * n0 * n2);
}

std::optional<double> smallest_root(const Function& f, double lowest, double highest) {
  constexpr int steps = 200;
  const double ratio = std::log(highest / lowest) / (steps - 1);
  double before = lowest, at_before = f(lowest);
  for (int i = 1; i < steps; ++i) {
    const double x = i == steps - 1 ? highest : lowest * std::exp(ratio * i), at = f(x);
    if (std::isfinite(at_before) && std::isfinite(at) && (at_before < 0) != (at < 0))
      return root(f, before, x, at_before, at);
    before = x, at_before = at;
  }
  return std::nullopt;
}

std::optional<double> value_of_zero_dispersion(const GuideAt& guide, double wavelength, double lowest, double highest) {
  const double omega = other(wavelength);
  return smallest_root([&](double x) { return or_nan([&] { return beta_derivative(guide(x), omega, 2); }); }, lowest,
                       highest);
}

std::optional<double> value_of_phase_matching(const GuideAt& guide, double pump, double wavelength, double lowest,
                                              double highest) {
  const double at = other(pump), omega = other(wavelength);
  return smallest_root([&](double x) { return or_nan([&] { return phase_mismatch(guide(x), at, omega); }); }, lowest,
                       highest);
}

std::optional<double> value_of_soliton_order(const GuideAt& guide, const Function& strength, double omega, double order,
                                             double lowest, double highest) {
  // gamma P0 t0^2 = -N^2 beta2, which stays finite where beta2 changes sign
  const auto excess = [&](double x) {
    return or_nan([&] { return strength(x) + order * order * beta_derivative(guide(x), omega, 2); });
  };
  return smallest_root(excess, lowest, highest);
}

}  // namespace lumarch
