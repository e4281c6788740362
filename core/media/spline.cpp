// SPDX-License-Identifier: Apache-2.0
#include "media/spline.hpp"

#include <algorithm>
#include <utility>

namespace lumarch {

Spline::Spline(std::vector<double> x, std::vector<double> y)
    : x_(std::move(x)), y_(std::move(y)), second_(x_.size(), 0.0) {
  const std::size_t n = x_.size();
  std::vector<double> upper(n, 0.0);  // the tridiagonal system, forward elimination then back substitution
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double left = x_[i] - x_[i - 1], right = x_[i + 1] - x_[i];
    const double jump = (y_[i + 1] - y_[i]) / right - (y_[i] - y_[i - 1]) / left;
    const double pivot = 2 * (left + right) - left * upper[i - 1];
    upper[i] = right / pivot;
    second_[i] = (6 * jump - left * second_[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) second_[i] -= upper[i] * second_[i + 1];
}

std::size_t Spline::interval(double x) const {
  const auto above = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
  return static_cast<std::size_t>(above - x_.begin()) - 1;
}

double Spline::operator()(double x) const {
  if (x < x_.front()) return y_.front() + slope(x_.front()) * (x - x_.front());
  if (x > x_.back()) return y_.back() + slope(x_.back()) * (x - x_.back());
  const std::size_t i = interval(x);
  const double h = x_[i + 1] - x_[i], b = (x - x_[i]) / h, a = 1 - b;
  return a * y_[i] + b * y_[i + 1] + h * h / 6 * ((a * a * a - a) * second_[i] + (b * b * b - b) * second_[i + 1]);
}

double Spline::slope(double x) const {
  x = std::clamp(x, x_.front(), x_.back());
  const std::size_t i = interval(x);
  const double h = x_[i + 1] - x_[i], b = (x - x_[i]) / h, a = 1 - b;
  return (y_[i + 1] - y_[i]) / h + h / 6 * ((1 - 3 * a * a) * second_[i] + (3 * b * b - 1) * second_[i + 1]);
}

}  // namespace lumarch
