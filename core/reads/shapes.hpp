// SPDX-License-Identifier: Apache-2.0
// Widths and moments of sampled curves, as physics.md, 13, defines them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "reads/width_budget.hpp"

namespace lumarch {

struct Moments {
  double mean = std::numeric_limits<double>::quiet_NaN();
  EnergySum whole;               // of the weights
  double second = 0, reach = 0;  // the sum of weight (x - mean)^2, and the largest (x - mean)^2
  // The width, of numbers that were rounded so many times, for a statistic of this name at z: not_negative() has it.
  [[nodiscard]] double rms(std::int64_t roundings, const std::string& name, double z) const {
    const double all = not_negative(whole.sum, width_budget(roundings, whole.size), name, z);
    return std::sqrt(not_negative(second, width_budget(roundings, whole.size, reach), name, z) / all);
  }
};

// First and second central moment of weight(i) at x(i); two passes, so that a narrow line far from 0 keeps its digits.
template <class X, class W>
Moments moments(std::size_t n, X x, W weight) {
  Moments made;
  double first = 0;
  for (std::size_t i = 0; i < n; ++i) {
    made.whole.add(weight(i));
    first += weight(i) * x(i);
  }
  made.mean = first / made.whole.sum;
  for (std::size_t i = 0; i < n; ++i) {
    const double square = (x(i) - made.mean) * (x(i) - made.mean);
    made.second += weight(i) * square;
    made.reach = std::max(made.reach, square);
  }
  return made;
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
