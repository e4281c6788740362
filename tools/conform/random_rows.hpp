// SPDX-License-Identifier: Apache-2.0
// Random rows from the printed seed. A member's numbers depend on the seed, the array and the member alone, so that the
// same member can be put into another batch.
#pragma once

#include <random>

#include "scene.hpp"

namespace lumarch::conform {

enum class Kind {
  field,      // re and im in -1 ... 1
  factor,     // complex, absolute value 0.5 ... 1.5
  table,      // real, 0.5 ... 1.5
  real,       // real, -1 ... 1
  operators,  // D: re in -1 ... 0, im in -20 ... 20
  spectrum,   // half of a real field's: real where that must be; n is the long side's length
  response    // H: a spectrum divided by n
};

[[nodiscard]] std::uint64_t mix(std::uint64_t a, std::uint64_t b);

// Fills the row that begins at `element` of the array.
void fill_row(Array& array, std::size_t element, Kind kind, std::int64_t long_side, std::uint64_t seed);

[[nodiscard]] double uniform(std::mt19937_64& bits, double low, double high);

}  // namespace lumarch::conform
