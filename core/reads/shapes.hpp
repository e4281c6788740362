// SPDX-License-Identifier: Apache-2.0
// Widths and moments of sampled curves, as physics.md, 13, defines them.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace lumarch {

struct Moments {
  double mean = std::numeric_limits<double>::quiet_NaN(), rms = std::numeric_limits<double>::quiet_NaN();
};

// First and second central moment of weight(i) at x(i); two passes, so that a narrow line far from 0 keeps its digits.
template <class X, class W>
Moments moments(std::size_t n, X x, W weight) {
  double sum = 0, first = 0, second = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += weight(i);
    first += weight(i) * x(i);
  }
  const double mean = first / sum;
  for (std::size_t i = 0; i < n; ++i) second += weight(i) * (x(i) - mean) * (x(i) - mean);
  return {mean, std::sqrt(second / sum)};
}

// Positions, in samples, where y falls to level on both sides of index `from` going outwards; NaN where it never does.
[[nodiscard]] std::pair<double, double> crossings_around(const std::vector<double>& y, std::size_t from, double level);

// The first and the last crossing of level, in samples.
[[nodiscard]] std::pair<double, double> outermost_crossings(const std::vector<double>& y, double level);

// Full width at half maximum in samples: between the crossings next to the peak, or the outermost ones; NaN where the
// curve has no peak, or does not fall to its half.
[[nodiscard]] double full_width(const std::vector<double>& y, bool widest);

// The ends of the widest span above -20 dB of the peak, in samples, linear in dB.
[[nodiscard]] std::pair<double, double> span_20db(const std::vector<double>& density);

}  // namespace lumarch
