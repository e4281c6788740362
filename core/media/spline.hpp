// SPDX-License-Identifier: Apache-2.0
// The natural cubic spline through a measured curve; beyond its ends it goes on as a straight line.
#pragma once

#include <vector>

namespace lumarch {

class Spline {
public:
  Spline(std::vector<double> x, std::vector<double> y);  // x rises strictly, at least 2 points

  [[nodiscard]] double operator()(double x) const;
  [[nodiscard]] double slope(double x) const;
  [[nodiscard]] double first() const { return x_.front(); }
  [[nodiscard]] double last() const { return x_.back(); }

private:
  [[nodiscard]] std::size_t interval(double x) const;

  std::vector<double> x_, y_, second_;  // second derivatives at the nodes
};

}  // namespace lumarch
