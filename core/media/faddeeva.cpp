// SPDX-License-Identifier: Apache-2.0
#include "media/faddeeva.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace lumarch {

namespace {

constexpr int terms = 64;

struct Series {
  double scale;                 // L of the paper
  std::array<double, terms> a;  // coefficients, the highest power first
};

// The coefficients are a discrete cosine sum of the weight function on the circle; they are real.
Series make_series() {
  Series series{};
  series.scale = std::sqrt(terms / std::numbers::sqrt2);
  constexpr int m = 2 * terms, points = 2 * m;
  std::array<double, points> f{};
  for (int k = -m + 1; k < m; ++k) {
    const double t = series.scale * std::tan(k * std::numbers::pi / m / 2);
    f[static_cast<std::size_t>(k + m)] = std::exp(-t * t) * (series.scale * series.scale + t * t);
  }
  for (int j = 1; j <= terms; ++j) {
    double sum = 0;
    for (int k = 0; k < points; ++k)  // the function at angle theta_k = pi k/m - pi
      sum += f[static_cast<std::size_t>(k)] * std::cos(std::numbers::pi * (k - m) * j / m);
    series.a[static_cast<std::size_t>(terms - j)] = sum / points;
  }
  return series;
}

}  // namespace

std::complex<double> faddeeva(std::complex<double> z) {
  static const Series series = make_series();
  const std::complex<double> iz{-z.imag(), z.real()};
  const std::complex<double> below = series.scale - iz;
  const std::complex<double> Z = (series.scale + iz) / below;
  std::complex<double> p = 0;
  for (const double a : series.a) p = p * Z + a;
  return 2.0 * p / (below * below) + std::numbers::inv_sqrtpi / below;
}

}  // namespace lumarch
