// SPDX-License-Identifier: Apache-2.0
#include "translate/transverse.hpp"

#include <boost/math/special_functions/bessel.hpp>
#include <cmath>

#include "media/constants.hpp"

namespace lumarch {

namespace {

constexpr double pi = constants::pi;
constexpr double window_factor = 1.1;  // Cartesian boxes are wider than asked for, by the rim of a collar

double wave_number(std::int64_t index, std::int64_t n, double step) {
  const std::int64_t signed_index = index < (n + 1) / 2 ? index : index - n;
  return 2 * pi * static_cast<double>(signed_index) / (static_cast<double>(n) * step);
}

}  // namespace

Transverse::Transverse(const Geometry& geometry) : route_(geometry.route), nx_(geometry.points) {
  if (route_ == Route::radial) {
    aperture_ = geometry.radius;
    for (std::int64_t n = 1; n <= nx_ + 1; ++n) {
      const double zero = boost::math::cyl_bessel_j_zero(0.0, static_cast<int>(n));
      if (n == nx_ + 1) {
        last_zero_ = zero;
        break;
      }
      zeros_.push_back(zero);
      slopes_.push_back(std::abs(boost::math::cyl_bessel_j(1, zero)));
    }
    measure_ = 4 * pi / (last_zero_ * last_zero_);
    return;
  }
  const double widening = route_ == Route::cartesian ? window_factor : 1;
  dx_ = 2 * widening * geometry.half_width / static_cast<double>(nx_);
  measure_ = dx_ * static_cast<double>(nx_);
  if (route_ != Route::cartesian) return;
  ny_ = geometry.points_y;
  dy_ = 2 * widening * geometry.half_height / static_cast<double>(ny_);
  measure_ *= dy_ * static_cast<double>(ny_);
}

double Transverse::kx(std::int64_t inner) const {
  return fourier() ? wave_number(inner, nx_, dx_) : zeros_[static_cast<std::size_t>(inner)] / aperture_;
}

double Transverse::ky(std::int64_t outer) const {
  return route_ == Route::cartesian ? wave_number(outer, ny_, dy_) : 0;
}

double Transverse::k2(std::int64_t outer, std::int64_t inner) const {
  return kx(inner) * kx(inner) + ky(outer) * ky(outer);
}

double Transverse::x(std::int64_t inner) const {
  if (!fourier()) return zeros_[static_cast<std::size_t>(inner)] * aperture_ / last_zero_;
  return static_cast<double>(inner - nx_ / 2) * dx_;
}

double Transverse::y(std::int64_t outer) const {
  return route_ == Route::cartesian ? static_cast<double>(outer - ny_ / 2) * dy_ : 0;
}

// Radial: the transform's own quadrature, integral of F 2 pi r dr = (4 pi/S^2) sum (R/J1)^2 F(r_n) (physics.md, 16).
double Transverse::area(std::int64_t, std::int64_t inner) const {
  if (route_ == Route::line) return dx_;
  if (route_ == Route::cartesian) return dx_ * dy_;
  const double node = aperture_ / slopes_[static_cast<std::size_t>(inner)];
  return measure_ * node * node;
}

double Transverse::to_file(std::int64_t, std::int64_t inner) const {
  if (fourier()) return measure_;
  return 2 * pi * aperture_ / last_zero_ * slopes_[static_cast<std::size_t>(inner)];
}

std::vector<double> Transverse::to_space(bool with_axis) const {
  std::vector<double> matrix;
  const auto n = static_cast<std::size_t>(nx_);
  if (with_axis)  // E(0) = 2/(R S) sum e^_m/|J1(alpha_m)|
    for (std::size_t m = 0; m < n; ++m) matrix.push_back(2 / (aperture_ * last_zero_ * slopes_[m]));
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t m = 0; m < n; ++m)
      // E(r_n) = e_n |J1(alpha_n)|/R, e = T e^
      matrix.push_back(2 * boost::math::cyl_bessel_j(0, zeros_[row] * zeros_[m] / last_zero_) /
                       (last_zero_ * slopes_[m] * aperture_));
  return matrix;
}

std::vector<double> Transverse::to_state() const {
  std::vector<double> matrix;
  const auto n = static_cast<std::size_t>(nx_);
  for (std::size_t m = 0; m < n; ++m)
    for (std::size_t row = 0; row < n; ++row)
      matrix.push_back(2 * boost::math::cyl_bessel_j(0, zeros_[row] * zeros_[m] / last_zero_) * aperture_ /
                       (last_zero_ * slopes_[row] * slopes_[row] * slopes_[m]));
  return matrix;
}

NodeAxes Transverse::axes(int components) const {
  NodeAxes axes;
  axes.components = components;
  axes.outer = outer();
  axes.inner = inner();
  for (std::int64_t j = 0; j < nx_; ++j) {
    const std::int64_t at = fourier() ? rising(j, nx_) : j;
    (fourier() ? axes.kx : axes.kr).push_back(kx(at));
    (fourier() ? axes.x : axes.r).push_back(x(j));
  }
  if (route_ == Route::cartesian)
    for (std::int64_t j = 0; j < ny_; ++j) {
      axes.ky.push_back(ky(rising(j, ny_)));
      axes.y.push_back(y(j));
    }
  return axes;
}

}  // namespace lumarch
