// SPDX-License-Identifier: Apache-2.0
// k_z of light in free space by its transverse wave vector: in an isotropic medium a sphere, of the extraordinary
// polarisation of a uniaxial crystal an ellipsoid.
#pragma once

#include <complex>

namespace lumarch {

class WaveSurface {
public:
  // k_z = shift + sqrt(square), of light that goes with +z; the half distance of the two roots is `size`, below the
  // cut-off their decay.
  struct Roots {
    double shift, square, size;
  };

  // n + i k at a frequency.
  WaveSurface(double omega, double n, double extinction);
  // The crystal's optic axis lies in the plane of x and z, at `cut` from z; with (k_o, k_e) along it and across:
  // k_o^2/n_o^2 + k_e^2/n_e^2 = (omega/c)^2. The extinction is that of a wave along z.
  static WaveSurface extraordinary(double omega, double n_o, double n_e, double cut, double extinction);

  [[nodiscard]] double n() const { return n_; }  // of a wave along z
  [[nodiscard]] Roots at(double kx, double ky) const;
  // k_z with its loss, where the wave propagates.
  [[nodiscard]] std::complex<double> k_z(double kx, double ky) const;

private:
  double vacuum_, n_, extinction_;  // vacuum_: omega/c
  bool tilted_ = false;
  double zz_ = 0, xz_ = 0, xx_ = 0,
         yy_ = 0;  // of the ellipsoid: zz kz^2 + 2 xz kx kz + xx kx^2 + yy ky^2 = (omega/c)^2
};

}  // namespace lumarch
