// SPDX-License-Identifier: Apache-2.0
#include "reads/shapes.hpp"

#include <algorithm>

namespace lumarch {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Where a line between two samples crosses `level`, as a fraction of the way from a to b.
double crossing(double a, double b, double level) { return (level - a) / (b - a); }

}  // namespace

std::pair<double, double> crossings_around(const std::vector<double>& y, std::size_t from, double level) {
  double left = nan, right = nan;
  for (std::size_t i = from; i > 0; --i)
    if (y[i - 1] < level) {
      left = static_cast<double>(i - 1) + crossing(y[i - 1], y[i], level);
      break;
    }
  for (std::size_t i = from; i + 1 < y.size(); ++i)
    if (y[i + 1] < level) {
      right = static_cast<double>(i) + crossing(y[i], y[i + 1], level);
      break;
    }
  return {left, right};
}

std::pair<double, double> outermost_crossings(const std::vector<double>& y, double level) {
  double left = nan, right = nan;
  for (std::size_t i = 0; i < y.size() && y[i] < level; ++i)
    if (i + 1 < y.size() && y[i + 1] >= level) left = static_cast<double>(i) + crossing(y[i], y[i + 1], level);
  for (std::size_t i = y.size(); i-- > 1 && y[i] < level;)
    if (y[i - 1] >= level) right = static_cast<double>(i - 1) + crossing(y[i - 1], y[i], level);
  return {left, right};
}

double full_width(const std::vector<double>& y, bool widest) {
  const auto peak = std::max_element(y.begin(), y.end());
  if (peak == y.end() || !(*peak > 0)) return nan;
  const auto [left, right] = widest ? outermost_crossings(y, *peak / 2)
                                    : crossings_around(y, static_cast<std::size_t>(peak - y.begin()), *peak / 2);
  return right - left;
}

std::pair<double, double> span_20db(const std::vector<double>& density) {
  if (density.empty()) return {nan, nan};
  std::vector<double> db(density.size());
  std::transform(density.begin(), density.end(), db.begin(),
                 [](double d) { return 10 * std::log10(std::max(d, 1e-300)); });
  return outermost_crossings(db, *std::max_element(db.begin(), db.end()) - 20);
}

}  // namespace lumarch
