// SPDX-License-Identifier: Apache-2.0
#include "media/mode.hpp"

#include <algorithm>
#include <boost/math/special_functions/bessel.hpp>
#include <cmath>
#include <cstddef>

#include <lumarch/error.hpp>

#include "media/constants.hpp"
#include "media/quadrature.hpp"

namespace lumarch {

namespace {

constexpr double smallest_index = 1e-3, largest_loss = 3000;  // 1, 1/m
constexpr std::string_view families[] = {"HE", "EH", "TE", "TM"};

[[noreturn]] void not_a_mode(std::string_view text) {
  throw Error(Fault::problem,
              "\"" + std::string(text) +
                  "\" is no mode: write HE or EH with n >= 1, or TE or TM with n = 0, one digit n, m from 1 to "
                  "99, and for HE and EH x or y, as in \"HE11\", \"HE12x\", \"TE01\"");
}

bool hybrid(ModeName::Family family) { return family == ModeName::Family::HE || family == ModeName::Family::EH; }

}  // namespace

ModeName parse_mode(std::string_view text) {
  ModeName mode;
  const std::size_t found =
      static_cast<std::size_t>(std::find(std::begin(families), std::end(families), text.substr(0, 2)) - families);
  if (found == std::size(families)) not_a_mode(text);
  mode.family = static_cast<ModeName::Family>(found);
  std::string_view rest = text.substr(2);
  if (!rest.empty() && (rest.back() == 'x' || rest.back() == 'y')) {
    if (!hybrid(mode.family)) not_a_mode(text);
    mode.axis = rest.back() == 'x' ? ModeName::Axis::x : ModeName::Axis::y;
    rest.remove_suffix(1);
  }
  if (rest.size() < 2 || rest.size() > 3 || rest.find_first_not_of("0123456789") != std::string_view::npos)
    not_a_mode(text);
  mode.n = rest[0] - '0';
  mode.m = 0;
  for (const char digit : rest.substr(1)) mode.m = 10 * mode.m + (digit - '0');
  if (mode.m < 1 || (mode.n > 0) != hybrid(mode.family)) not_a_mode(text);
  return mode;
}

std::string text(const ModeName& mode) {
  return std::string(families[static_cast<std::size_t>(mode.family)]) + std::to_string(mode.n) +
         std::to_string(mode.m) + (hybrid(mode.family) && mode.axis == ModeName::Axis::x ? "x" : "");
}

int azimuthal_order(const ModeName& mode) {
  if (mode.family == ModeName::Family::HE) return mode.n - 1;
  if (mode.family == ModeName::Family::EH) return mode.n + 1;
  return 1;
}

std::array<double, 2> field_direction(const ModeName& mode, double theta) {
  const int q = azimuthal_order(mode);
  const double s = std::sin(q * theta), c = std::cos(q * theta);
  const bool along_x = mode.axis == ModeName::Axis::x;
  switch (mode.family) {
    case ModeName::Family::HE:
      return along_x ? std::array{c, -s} : std::array{s, c};
    case ModeName::Family::EH:
      return along_x ? std::array{c, s} : std::array{-s, c};
    case ModeName::Family::TE:
      return {-s, c};
    case ModeName::Family::TM:
      return {c, s};
  }
  return {0, 0};
}

double bessel_zero(const ModeName& mode) {
  return boost::math::cyl_bessel_j_zero<double>(azimuthal_order(mode), mode.m);
}

std::complex<double> GuideMode::n_eff(double omega, double eps_core, double radius) const {
  const std::complex<double> n = index(omega, eps_core, radius);
  // what has no index does not propagate
  if (!std::isfinite(n.real()) || !std::isfinite(n.imag()))
    return {smallest_index, largest_loss * constants::c / (2 * omega)};
  return {std::max(n.real(), smallest_index), std::max(n.imag(), 0.0)};
}

double GuideMode::beta(double omega, double eps_core, double radius) const {
  return omega / constants::c * n_eff(omega, eps_core, radius).real();
}

double GuideMode::alpha(double omega, double eps_core, double radius) const {
  return std::min(largest_loss, 2 * omega / constants::c * n_eff(omega, eps_core, radius).imag());
}

double effective_area(const GuideMode& mode, double radius) {
  const double a = mode.field_radius(radius);
  return mode.relative_area() * a * a;
}

HollowMode::HollowMode(const ModeName& name) : name_(name), order_(azimuthal_order(name)), u_(bessel_zero(name)) {
  // integral |f|^2 dS = pi a^2 J_(q+1)(u)^2, as J_q(u) = 0
  const double edge = boost::math::cyl_bessel_j(order_ + 1, u_);
  scale_ = 1 / std::sqrt(constants::pi / 2 * constants::eps0 * constants::c * edge * edge);
  const Rule rule = gauss_legendre(std::max(64, 4 * name.m));
  double fourth = 0;
  for (std::size_t i = 0; i < rule.node.size(); ++i)
    fourth += rule.weight[i] * rule.node[i] * std::pow(boost::math::cyl_bessel_j(order_, u_ * rule.node[i]), 4);
  area_ = constants::pi / 2 * std::pow(edge, 4) / fourth;
}

std::array<double, 2> HollowMode::shape(double r_over_a, double theta) const {
  if (!(r_over_a < 1)) return {0, 0};
  const double f = scale_ * boost::math::cyl_bessel_j(order_, u_ * r_over_a);
  const std::array<double, 2> direction = field_direction(name_, theta);
  return {f * direction[0], f * direction[1]};
}

}  // namespace lumarch
