// SPDX-License-Identifier: Apache-2.0
// Rectangular hollow guides.
#pragma once

#include "media/mode.hpp"

namespace lumarch {

// K. D. Laakmann and W. H. Steier, Appl. Opt. 15, 1334 (1976): half widths a along x and b = aspect a along y,
//   n^2 = eps_core - (m lambda/(4 a))^2 (1 - i lambda A/(2 pi a))^2 - (n lambda/(4 b))^2 (1 - i lambda B/(2 pi b))^2,
// (A, B) = (eps_wall, 1)/sqrt(eps_wall - 1) for a field along x and swapped for one along y. In a name such as "HE21x"
// the first number, m, counts half waves along x, the second, n, along y.
class RectangularMode final : public GuideMode {
public:
  // Throws Error(Fault::problem) for EH, TE and TM, which it does not have, and for an aspect that is not above 0.
  RectangularMode(const ModeName& name, double aspect, Permittivity wall);

  // At (x/a, y/b), times a.
  [[nodiscard]] std::array<double, 2> shape(double x_over_a, double y_over_b) const override;
  [[nodiscard]] double relative_area() const override { return 16.0 / 9 * aspect_; }

private:
  [[nodiscard]] std::complex<double> index(double omega, double eps_core, double radius) const override;

  int along_x_, along_y_;
  bool field_along_x_;
  double aspect_;
  Permittivity wall_;
};

}  // namespace lumarch
