// SPDX-License-Identifier: Apache-2.0
// Fixed rules for integrals over the cross section of a guide.
#pragma once

#include <span>
#include <vector>

#include "media/mode.hpp"

namespace lumarch {

// integral of f dS = a^2 sum weight f, a the field radius. Of a rectangle: x/a, y/b and weights over a^2.
struct Nodes {
  std::vector<double> r_over_a, theta, weight_over_a2;
};

// n-point Gauss-Legendre rule on [0, 1], nodes rising: exact for polynomials up to degree 2 n - 1. n >= 1.
struct Rule {
  std::vector<double> node, weight;
};
[[nodiscard]] Rule gauss_legendre(int n);

// On the disk: Gauss in r, equal steps of angle; the angle is the inner index. radial, azimuthal >= 1.
[[nodiscard]] Nodes disk_nodes(int radial, int azimuthal);

// Enough angles for products of four fields of these modes, 4 h + 1 for the highest order h; one where all are HE_1m,
// whose fields do not depend on the angle.
[[nodiscard]] int azimuthal_nodes(std::span<const ModeName> modes);
[[nodiscard]] Nodes disk_nodes(std::span<const ModeName> modes, int radial = 64);

// On the rectangle |x| < a, |y| < b = aspect a.
[[nodiscard]] Nodes rectangle_nodes(int along_x, int along_y, double aspect);

}  // namespace lumarch
