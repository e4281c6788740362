// SPDX-License-Identifier: Apache-2.0
#include "media/dispersion.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

#include <lumarch/error.hpp>

#include "media/constants.hpp"

namespace lumarch {

namespace {

constexpr std::size_t nodes = 48, orders = 6;

// Monomial coefficients of T_k up to x^5: those of T_(k+1) = 2 x T_k - T_(k-1).
using Low = std::array<double, orders>;
constexpr std::array<Low, nodes> low_powers = [] {
  std::array<Low, nodes> t{};
  t[0][0] = 1;
  t[1][1] = 1;
  for (std::size_t k = 2; k < nodes; ++k)
    for (std::size_t p = 0; p < orders; ++p) t[k][p] = (p > 0 ? 2 * t[k - 1][p - 1] : 0) - t[k - 2][p];
  return t;
}();

// The powers of x = (w - omega)/half up to the fifth, or none where the series does not come down to rounding.
std::optional<Low> expand(const Beta& beta, double omega, double half) {
  std::array<double, nodes> x{}, f{}, c{};
  double largest = 0;
  for (std::size_t j = 0; j < nodes; ++j) {
    const double w = omega + half * std::cos(constants::pi * (static_cast<double>(j) + 0.5) / nodes);
    x[j] = (w - omega) / half;
    f[j] = beta(w);
    if (!std::isfinite(f[j])) return std::nullopt;
    largest = std::max(largest, std::abs(f[j]));
  }
  // A straight line is nearly all of beta; without it the sums do not round at its size.
  const double slope = (f.front() - f.back()) / (x.front() - x.back()), middle = f[nodes / 2];
  for (std::size_t j = 0; j < nodes; ++j) f[j] = (f[j] - middle) - slope * (x[j] - x[nodes / 2]);
  for (std::size_t k = 0; k < nodes; ++k) {
    for (std::size_t j = 0; j < nodes; ++j)
      c[k] += f[j] * std::cos(constants::pi * static_cast<double>(k * (2 * j + 1) % (4 * nodes)) / (2 * nodes));
    c[k] *= (k == 0 ? 1.0 : 2.0) / nodes;
  }
  // The last quarter is noise alone where beta is smooth; what does not stand out of it is left out.
  double noise = 0;
  for (std::size_t k = 3 * nodes / 4; k < nodes; ++k) noise = std::max(noise, std::abs(c[k]));
  if (noise > 1e-15 * largest) return std::nullopt;
  std::size_t used = 3 * nodes / 4;
  while (used > orders && std::abs(c[used - 1]) <= 2 * noise) --used;
  Low sum{};
  for (std::size_t k = used; k-- > 0;)
    for (std::size_t p = 0; p < orders; ++p) sum[p] += c[k] * low_powers[k][p];
  sum[0] += middle - slope * x[nodes / 2];
  sum[1] += slope;
  return sum;
}

}  // namespace

std::array<double, 6> beta_derivatives(const Beta& beta, double omega) {
  for (double share = 0.25; share > 1e-3; share /= 1.6) {
    const double half = share * omega;
    std::optional<Low> powers = expand(beta, omega, half);
    if (!powers) continue;
    double factor = 1;
    for (std::size_t k = 1; k < orders; ++k) {
      factor *= static_cast<double>(k) / half;
      (*powers)[k] *= factor;
    }
    return *powers;
  }
  throw Error(
      Fault::problem,
      "the propagation constant has no derivatives at " +
          std::to_string(2 * constants::pi * constants::c / omega * 1e9) +
          " nm: it is not smooth around there; choose a wavelength away from resonances and inside of the data");
}

double beta_derivative(const Beta& beta, double omega, int k) {
  return beta_derivatives(beta, omega)[static_cast<std::size_t>(k)];
}

double group_index(const Beta& beta, double omega) { return constants::c * beta_derivative(beta, omega, 1); }

}  // namespace lumarch
