// SPDX-License-Identifier: Apache-2.0
#include "media/step_index.hpp"

#include <algorithm>
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <lumarch/error.hpp>

#include "media/constants.hpp"

namespace lumarch {

namespace {

using Family = ModeName::Family;
using boost::math::cyl_bessel_j;
using boost::math::cyl_bessel_k;

// K_(l-1)(W)/K_l(W). Both are below the smallest number for large W; there by their asymptotic series.
double k_ratio(int l, double W) {
  if (W < 500) return cyl_bessel_k(std::abs(l - 1), W) / cyl_bessel_k(l, W);
  const auto series = [&](int order) {
    const double mu = 4.0 * order * order;
    double term = 1, sum = 1;
    for (int k = 1; k <= 5; ++k) {
      term *= (mu - (2 * k - 1) * (2 * k - 1)) / (8 * k * W);
      sum += term;
    }
    return sum;
  };
  return series(l - 1) / series(l);
}

// The characteristic equation with its denominators multiplied out, so that it has zeros and no poles.
class Characteristic {
public:
  Characteristic(const ModeName& mode, double eps_core, double eps_cladding, double ka)
      : family_(mode.family),
        l_(mode.n),
        eps_core_(eps_core),
        ratio_(eps_cladding / eps_core),
        ka_(ka),
        V_(ka * std::sqrt(eps_core - eps_cladding)) {}

  [[nodiscard]] double V() const { return V_; }
  [[nodiscard]] double W(double U) const { return std::sqrt(std::max(0.0, (V_ - U) * (V_ + U))); }
  [[nodiscard]] double permittivity(double U) const { return eps_core_ - (U / ka_) * (U / ka_); }

  double operator()(double U) const {
    const double w = W(U);
    if (family_ == Family::TE || family_ == Family::TM) {
      const double r = family_ == Family::TE ? 1 : ratio_;
      return cyl_bessel_j(1, U) * w * k_ratio(1, w) + r * U * cyl_bessel_j(0, U);
    }
    // With J = J_l'/(U J_l), K = K_l'/(W K_l): J^2 + (1 + r) K J + r K^2 = (l n/n_core)^2 (1/U^2 + 1/W^2)^2 has two
    // solutions, J = -(1 + r) K/2 -+ root, the upper sign for HE, the lower for EH.
    const double K = -(k_ratio(l_, w) + l_ / w) / w, sum = (1 + ratio_) / 2 * K, difference = (1 - ratio_) / 2 * K;
    const double spread = l_ * (1 / (U * U) + 1 / (w * w));
    const double root = std::sqrt(difference * difference + permittivity(U) / eps_core_ * spread * spread);
    const double wanted = -sum + (family_ == Family::HE ? -root : root);
    const double J = cyl_bessel_j(l_, U), slope = cyl_bessel_j(l_ - 1, U) - l_ / U * J;
    return slope - U * J * wanted;
  }

private:
  Family family_;
  int l_;
  double eps_core_, ratio_, ka_, V_;
};

// U of the m-th zero, by steps that are short against the distance of zeros, about pi.
std::optional<double> zero(const Characteristic& f, int m) {
  const double last = f.V() * (1 - 1e-12), step = std::min(0.05, f.V() / 64);
  double before = std::min(1e-2, f.V() / 100), at_before = f(before);
  for (int found = 0; before < last;) {
    const double U = std::min(last, before + step), at = f(U);
    if ((at_before < 0) != (at < 0) && ++found == m) {
      std::uintmax_t tries = 100;
      const auto [a, b] = boost::math::tools::toms748_solve(f, before, U, at_before, at,
                                                            boost::math::tools::eps_tolerance<double>(52), tries);
      return (a + b) / 2;
    }
    before = U, at_before = at;
  }
  return std::nullopt;
}

std::optional<double> transverse(const ModeName& mode, double omega, double eps_core, double eps_cladding,
                                 double radius) {
  if (!(eps_core > eps_cladding && eps_cladding > 0)) return std::nullopt;
  const Characteristic f(mode, eps_core, eps_cladding, omega / constants::c * radius);
  return zero(f, mode.m);
}

}  // namespace

std::optional<double> step_index_n_eff(const ModeName& mode, double omega, double eps_core, double eps_cladding,
                                       double radius) {
  const std::optional<double> U = transverse(mode, omega, eps_core, eps_cladding, radius);
  if (!U) return std::nullopt;
  const double w = *U * constants::c / (omega * radius);
  return std::sqrt(eps_core - w * w);
}

StepIndexMode::StepIndexMode(const ModeName& name, Permittivity cladding, double omega, double eps_core, double radius)
    : name_(name), order_(azimuthal_order(name)), cladding_(std::move(cladding)) {
  const double eps = cladding_(omega).real();
  const std::optional<double> U = transverse(name, omega, eps_core, eps, radius);
  if (!U)
    throw Error(Fault::problem, "mode " + text(name) + " is not guided at " +
                                    std::to_string(2 * constants::pi * constants::c / omega * 1e9) +
                                    " nm; choose a shorter wavelength, a larger core or a lower mode");
  U_ = *U;
  W_ = Characteristic(name, eps_core, eps, omega / constants::c * radius).W(U_);
  extent_ = 1 + 18 / W_;
  const Nodes rule = nodes(64);
  double second = 0, fourth = 0;
  for (std::size_t i = 0; i < rule.r_over_a.size(); ++i) {
    const double f2 = std::pow(profile(rule.r_over_a[i] * extent_), 2);
    second += rule.weight_over_a2[i] * f2;
    fourth += rule.weight_over_a2[i] * f2 * f2;
  }
  area_ = second * second / fourth;
  scale_ = 1 / std::sqrt(second * constants::eps0 * constants::c / 2);
}

double StepIndexMode::profile(double r_over_a) const {
  if (r_over_a <= 1) return cyl_bessel_j(order_, U_ * r_over_a) / cyl_bessel_j(order_, U_);
  return cyl_bessel_k(order_, W_ * r_over_a) / cyl_bessel_k(order_, W_);
}

std::array<double, 2> StepIndexMode::shape(double r_over_field_radius, double theta) const {
  if (!(r_over_field_radius < 1)) return {0, 0};
  const double f = scale_ * profile(r_over_field_radius * extent_);
  const std::array<double, 2> direction = field_direction(name_, theta);
  return {f * direction[0], f * direction[1]};
}

Nodes StepIndexMode::nodes(int radial) const { return step_nodes(radial, azimuthal_nodes({&name_, 1}), extent_); }

Nodes step_nodes(int radial, int angles, double extent) {
  const double edge = 1 / extent;
  const Rule rule = gauss_legendre(radial);
  const double turn = 2 * constants::pi / angles;
  Nodes out;
  for (const bool inside : {true, false})
    for (std::size_t i = 0; i < rule.node.size(); ++i)
      for (int j = 0; j < angles; ++j) {
        const double width = inside ? edge : 1 - edge, r = (inside ? 0 : edge) + width * rule.node[i];
        out.r_over_a.push_back(r);
        out.theta.push_back(j * turn);
        out.weight_over_a2.push_back(rule.weight[i] * width * r * turn);
      }
  return out;
}

std::complex<double> StepIndexMode::index(double omega, double eps_core, double radius) const {
  const double eps = cladding_(omega).real();
  if (const std::optional<double> n = step_index_n_eff(name_, omega, eps_core, eps, radius)) return *n;
  return {std::sqrt(std::max(eps, 0.0)), 1.0};  // a loss beyond all bounds
}

}  // namespace lumarch
