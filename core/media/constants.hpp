// SPDX-License-Identifier: Apache-2.0
// CODATA 2018; exact since 2019 where no digits are missing.
#pragma once

#include <numbers>

namespace lumarch::constants {

inline constexpr double pi = std::numbers::pi;
inline constexpr double c = 299792458.0;      // m/s
inline constexpr double h = 6.62607015e-34;   // J s
inline constexpr double hbar = h / (2 * pi);  // J s

}  // namespace lumarch::constants
