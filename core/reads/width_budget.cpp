// SPDX-License-Identifier: Apache-2.0
#include "reads/width_budget.hpp"

#include <cstdio>

#include <lumarch/error.hpp>

namespace lumarch {

std::int64_t width_roundings(std::int64_t samples, std::int64_t numbers) {
  constexpr std::int64_t products = 16;
  return samples + numbers + products;
}

double width_budget(std::int64_t roundings, double size, double reach) {
  constexpr double u = 0x1p-53;
  const double n = static_cast<double>(roundings) * u;
  return 2 * n / (1 - n) * reach * size;
}

double not_negative(double sum, double budget, const std::string& name, double z) {
  if (!(sum < 0)) return sum;
  if (-sum <= budget) return 0;
  char text[200];
  std::snprintf(text, sizeof text,
                " is made of is %.6g at z = %.9g m, below 0 by more than the %.6g that rounding allows", sum, z,
                budget);
  throw Error(Fault::numbers, "/statistics: the sum of energies that " + name + text +
                                  ": the backend's numbers are wrong; lumarch-conform checks it, and another backend "
                                  "would do");
}

}  // namespace lumarch
