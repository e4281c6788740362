// SPDX-License-Identifier: Apache-2.0
#include "media/rectangular.hpp"

#include <cmath>
#include <string>
#include <utility>

#include <lumarch/error.hpp>

#include "media/constants.hpp"

namespace lumarch {

RectangularMode::RectangularMode(const ModeName& name, double aspect, Permittivity wall)
    : along_x_(name.n),
      along_y_(name.m),
      field_along_x_(name.axis == ModeName::Axis::x),
      aspect_(aspect),
      wall_(std::move(wall)) {
  if (name.family != ModeName::Family::HE)
    throw Error(Fault::problem,
                "mode " + text(name) + ": a rectangular guide has HE modes only, as \"HE11\" or \"HE21x\"");
  if (!(aspect > 0))
    throw Error(Fault::problem, "aspect " + std::to_string(aspect) + " of a rectangular guide: give one above 0");
}

std::array<double, 2> RectangularMode::shape(double x_over_a, double y_over_b) const {
  if (!(std::abs(x_over_a) < 1 && std::abs(y_over_b) < 1)) return {0, 0};
  const auto wave = [](int half_waves, double x) {
    const double angle = half_waves * constants::pi / 2 * x;
    return half_waves % 2 == 1 ? std::cos(angle) : std::sin(angle);
  };
  const double f =
      wave(along_x_, x_over_a) * wave(along_y_, y_over_b) / std::sqrt(aspect_ / 2 * constants::eps0 * constants::c);
  return field_along_x_ ? std::array{f, 0.0} : std::array{0.0, f};
}

std::complex<double> RectangularMode::index(double omega, double eps_core, double radius) const {
  using Complex = std::complex<double>;
  constexpr Complex i{0, 1};
  const double lambda = 2 * constants::pi * constants::c / omega, a = radius, b = aspect_ * radius;
  const Complex eps = wall_(omega), root = std::sqrt(eps - 1.0);
  const Complex A = (field_along_x_ ? eps : 1.0) / root, B = (field_along_x_ ? 1.0 : eps) / root;
  const auto part = [&](int half_waves, double half_width, Complex factor) {
    const Complex k =
        half_waves * lambda / (4 * half_width) * (1.0 - i * lambda * factor / (2 * constants::pi * half_width));
    return k * k;
  };
  return std::sqrt(eps_core - part(along_x_, a, A) - part(along_y_, b, B));
}

}  // namespace lumarch
