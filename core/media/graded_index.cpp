// SPDX-License-Identifier: Apache-2.0
#include "media/graded_index.hpp"

#include <algorithm>
#include <boost/math/special_functions/laguerre.hpp>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include <lumarch/error.hpp>

#include "media/constants.hpp"
#include "media/quadrature.hpp"

namespace lumarch {

GradedIndexMode::GradedIndexMode(const ModeName& name, Permittivity cladding, double omega, double eps_core)
    : name_(name), order_(azimuthal_order(name)), cladding_(std::move(cladding)) {
  const double step = eps_core - cladding_(omega).real();
  if (!(step > 0))
    throw Error(Fault::problem, "the permittivity of a graded core is " + std::to_string(step) +
                                    " above the cladding's; it must be more than 0");
  waist_of_metre_ = std::sqrt(2 * constants::c / (omega * std::sqrt(step)));
  // beyond the turning point, r^2 = g w^2, the field falls faster than that of the Gaussian beam from there on
  extent_ = std::sqrt(2.0 * (name.m - 1) + order_ + 1) + 4.5;
  const Rule rule = gauss_legendre(std::max(96, 8 * name.m));
  double second = 0, fourth = 0;
  for (std::size_t i = 0; i < rule.node.size(); ++i) {
    const double f2 = std::pow(profile(rule.node[i] * extent_), 2),
                 weight = 2 * constants::pi * rule.weight[i] * rule.node[i];
    second += weight * f2;
    fourth += weight * f2 * f2;
  }
  area_ = second * second / fourth;
  scale_ = 1 / std::sqrt(second * constants::eps0 * constants::c / 2);
}

double GradedIndexMode::waist(double radius) const { return waist_of_metre_ * std::sqrt(radius); }

double GradedIndexMode::field_radius(double radius) const { return extent_ * waist(radius); }

double GradedIndexMode::profile(double r_over_w) const {
  const double x = r_over_w * r_over_w;
  return std::pow(r_over_w, order_) *
         boost::math::laguerre(static_cast<unsigned>(name_.m - 1), static_cast<unsigned>(order_), 2 * x) * std::exp(-x);
}

std::array<double, 2> GradedIndexMode::shape(double r_over_field_radius, double theta) const {
  if (!(r_over_field_radius < 1)) return {0, 0};
  const double f = scale_ * profile(r_over_field_radius * extent_);
  const std::array<double, 2> direction = field_direction(name_, theta);
  return {f * direction[0], f * direction[1]};
}

std::complex<double> GradedIndexMode::index(double omega, double eps_core, double radius) const {
  const double eps_cladding = cladding_(omega).real(), k = omega / constants::c;
  const double NA = std::sqrt(std::max(0.0, eps_core - eps_cladding)), g = 2 * (name_.m - 1) + order_ + 1;
  const double eps = eps_core - 2 * NA * g / (k * radius);
  if (!(NA > 0) || eps < eps_cladding)
    return {std::sqrt(std::max(eps_cladding, 0.0)), 1.0};  // a loss beyond all bounds
  return std::sqrt(eps);
}

}  // namespace lumarch
