// SPDX-License-Identifier: Apache-2.0
#include "march/adams.hpp"

#include <cmath>

namespace lumarch {

namespace {

// The integrals over 0 ... 1 of the Lagrange polynomials of up to 4 nodes: two Gauss points are exact up to degree 3.
template <std::size_t n>
std::array<double, n> integrals(const std::array<double, n>& nodes) {
  static_assert(n <= 4);
  const double half = 0.5 / std::sqrt(3.0);
  std::array<double, n> out{};
  for (std::size_t j = 0; j < n; ++j)
    for (const double x : {0.5 - half, 0.5 + half}) {
      double product = 0.5;
      for (std::size_t k = 0; k < n; ++k)
        if (k != j) product *= (x - nodes[k]) / (nodes[j] - nodes[k]);
      out[j] += product;
    }
  return out;
}

}  // namespace

AdamsWeights adams_weights(double h, double last, double before) {
  const double one = -last / h, two = -(last + before) / h;
  AdamsWeights out;
  out.predict = integrals<3>({0, one, two});
  out.correct = integrals<4>({1, 0, one, two});
  out.error = out.correct;
  const std::array<double, 3> lower = integrals<3>({1, 0, one});
  for (std::size_t j = 0; j < 3; ++j) out.error[j] -= lower[j];
  return out;
}

}  // namespace lumarch
