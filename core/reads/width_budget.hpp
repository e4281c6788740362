// SPDX-License-Identifier: Apache-2.0
// How far below 0 rounding may take a sum that a width is made of (docs/physics.md, "Widths and rounding"). One bound,
// whatever backend made the numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

namespace lumarch {

// A sum of energies, and of their sizes.
struct EnergySum {
  double sum = 0, size = 0;
  void add(double value) {
    sum += value;
    size += std::abs(value);
  }
};

// Roundings on the way from a state's samples into a sum over `numbers` nodes (or times, or frequencies) of squares
// that are themselves summed over `samples`: the additions of transforms and sums, and up to 16 products.
[[nodiscard]] std::int64_t width_roundings(std::int64_t samples, std::int64_t numbers);

// What a sum of energies with weights of at most `reach` is off by at most: 2 g reach size, g = n u/(1 - n u), u =
// 2^-53.
[[nodiscard]] double width_budget(std::int64_t roundings, double size, double reach = 1);

// The sum; 0 where it is below 0 by no more than the budget. Throws Error(Fault::numbers) where it is by more, naming
// statistic, place, value and budget.
[[nodiscard]] double not_negative(double sum, double budget, const std::string& name, double z);

}  // namespace lumarch
