// SPDX-License-Identifier: Apache-2.0
#include "media/dispersion.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

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

// Of a beta that is rough at some level: the derivatives at omega of its Chebyshev series on [low, high], which ends
// where its coefficients drown in the roughness.
std::array<double, 6> smoothed(const Beta& beta, double omega, double low, double high) {
  constexpr std::size_t n = 64;
  const double half = (high - low) / 2, middle = (low + high) / 2;
  std::array<double, n> x{}, f{}, c{};
  for (std::size_t j = 0; j < n; ++j) {
    x[j] = std::cos(constants::pi * (static_cast<double>(j) + 0.5) / n);
    f[j] = beta(middle + half * x[j]);
  }
  const double slope = (f.front() - f.back()) / (x.front() - x.back()), at_middle = f[n / 2];
  for (std::size_t j = 0; j < n; ++j) f[j] = (f[j] - at_middle) - slope * (x[j] - x[n / 2]);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j)
      c[k] += f[j] * std::cos(constants::pi * static_cast<double>(k * (2 * j + 1) % (4 * n)) / (2 * n));
    c[k] *= (k == 0 ? 1.0 : 2.0) / n;
  }
  double noise = 0;
  for (std::size_t k = n / 2; k < n; ++k) noise = std::max(noise, std::abs(c[k]));
  std::size_t used = n / 2;
  while (used > 3 && std::abs(c[used - 1]) <= 2 * noise) --used;
  std::vector<double> series(c.begin(), c.begin() + static_cast<std::ptrdiff_t>(used));
  const double at = (omega - middle) / half;
  std::array<double, 6> found{};
  double scale = 1;
  for (std::size_t order = 0; order < orders; ++order) {
    double b1 = 0, b2 = 0;  // Clenshaw's sum
    for (std::size_t k = series.size(); k-- > 1;) {
      const double b = series[k] + 2 * at * b1 - b2;
      b2 = b1, b1 = b;
    }
    found[order] = series.empty() ? 0 : (series[0] + at * b1 - b2) * scale;
    // the derivative's series: d_(k-1) = d_(k+1) + 2 k c_k, d_0 halved
    std::vector<double> next(series.empty() ? 0 : series.size() - 1, 0.0);
    for (std::size_t k = next.size(); k-- > 0;)
      next[k] = (k + 2 < next.size() ? next[k + 2] : 0.0) + 2 * static_cast<double>(k + 1) * series[k + 1];
    if (!next.empty()) next[0] /= 2;
    series = std::move(next);
    scale /= half;
  }
  found[0] += at_middle + slope * (at - x[n / 2]);
  found[1] += slope / half;
  return found;
}

}  // namespace

std::array<double, 6> beta_derivatives(const Beta& beta, double omega) {
  if (beta.table()) {
    constexpr double share = 0.12;
    const double low = std::max(beta.table()->low, omega * (1 - share)),
                 high = std::min(beta.table()->high, omega * (1 + share));
    if (high > low) {
      const auto found = smoothed(beta, omega, low, high);
      if (std::all_of(found.begin(), found.end(), [](double d) { return std::isfinite(d); })) return found;
    }
    throw Error(Fault::problem, "the propagation constant has no derivatives at " +
                                    std::to_string(2 * constants::pi * constants::c / omega * 1e9) +
                                    " nm: the table does not reach there; choose a wavelength inside of it");
  }
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
