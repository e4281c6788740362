// SPDX-License-Identifier: Apache-2.0
#include "translate/wave_surface.hpp"

#include <cmath>

#include "media/constants.hpp"

namespace lumarch {

WaveSurface::WaveSurface(double omega, double n, double extinction)
    : vacuum_(omega / constants::c), n_(n), extinction_(extinction) {}

WaveSurface WaveSurface::extraordinary(double omega, double n_o, double n_e, double cut, double extinction) {
  const double s = std::sin(cut), c = std::cos(cut), o = 1 / (n_o * n_o), e = 1 / (n_e * n_e);
  const double along_z = c * c * o + s * s * e;
  WaveSurface surface(omega, 1 / std::sqrt(along_z), extinction);
  surface.tilted_ = true;
  surface.zz_ = along_z;
  surface.xz_ = s * c * (o - e);
  surface.xx_ = s * s * o + c * c * e;
  surface.yy_ = e;
  return surface;
}

WaveSurface::Roots WaveSurface::at(double kx, double ky) const {
  if (!tilted_) {
    const double whole = n_ * vacuum_, square = whole * whole - (kx * kx + ky * ky);
    return {0, square, std::sqrt(std::abs(square))};
  }
  const double b = xz_ * kx / zz_;
  const double square = b * b + (vacuum_ * vacuum_ - xx_ * kx * kx - yy_ * ky * ky) / zz_;
  return {-b, square, std::sqrt(std::abs(square))};
}

std::complex<double> WaveSurface::k_z(double kx, double ky) const {
  const Roots roots = at(kx, ky);
  if (extinction_ == 0) return roots.shift + roots.size;
  const double whole = n_ * vacuum_, decay = extinction_ * vacuum_;
  return roots.shift + std::sqrt(std::complex(roots.square - decay * decay, 2 * whole * decay));
}

}  // namespace lumarch
