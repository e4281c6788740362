// SPDX-License-Identifier: Apache-2.0
#include "media/quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "media/constants.hpp"

namespace lumarch {

Rule gauss_legendre(int n) {
  Rule rule;
  for (int i = n; i-- > 0;) {
    // Newton's iteration from Tricomi's estimate of the zeros of the Legendre polynomial
    double x = std::cos(constants::pi * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int turn = 0; turn < 100; ++turn) {
      double before = 0, p = 1;
      for (int k = 1; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
        before = p, p = next;
      }
      slope = n * (before - x * p) / (1 - x * x);
      const double step = p / slope;
      x -= step;
      if (std::abs(step) < 1e-16) break;
    }
    rule.node.push_back((1 + x) / 2);
    rule.weight.push_back(1 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

Nodes disk_nodes(int radial, int azimuthal) {
  const Rule rule = gauss_legendre(radial);
  const double step = 2 * constants::pi / azimuthal;
  Nodes nodes;
  for (std::size_t i = 0; i < rule.node.size(); ++i)
    for (int j = 0; j < azimuthal; ++j) {
      nodes.r_over_a.push_back(rule.node[i]);
      nodes.theta.push_back(j * step);
      nodes.weight_over_a2.push_back(rule.weight[i] * rule.node[i] * step);
    }
  return nodes;
}

int azimuthal_nodes(std::span<const ModeName> modes) {
  int h = 0;
  for (const ModeName& mode : modes) h = std::max(h, azimuthal_order(mode));
  return 4 * h + 1;
}

Nodes disk_nodes(std::span<const ModeName> modes, int radial) { return disk_nodes(radial, azimuthal_nodes(modes)); }

Nodes rectangle_nodes(int along_x, int along_y, double aspect) {
  const Rule x = gauss_legendre(along_x), y = gauss_legendre(along_y);
  Nodes nodes;
  for (std::size_t i = 0; i < x.node.size(); ++i)
    for (std::size_t j = 0; j < y.node.size(); ++j) {
      nodes.r_over_a.push_back(2 * x.node[i] - 1);
      nodes.theta.push_back(2 * y.node[j] - 1);
      nodes.weight_over_a2.push_back(4 * aspect * x.weight[i] * y.weight[j]);
    }
  return nodes;
}

}  // namespace lumarch
