// SPDX-License-Identifier: Apache-2.0
// Where absorbers in time and space act along z.
#pragma once

namespace lumarch::problem {

inline constexpr double kPlacesALength = 8;               // over the length that they act in
inline constexpr double kMostPlacesOfAbsorbers = 100000;  // the march stops at each

}  // namespace lumarch::problem
