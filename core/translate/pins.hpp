// SPDX-License-Identifier: Apache-2.0
// Pressures and radii that a problem gives by what they are to give.
#pragma once

#include <string>
#include <vector>

#include <lumarch/problem.hpp>

namespace lumarch {

// The problem with a number in place of its pin, if it has one, and a note of what was found. Searched: pressures from
// 1 mbar to 100 bar (or as far as the gas is one), radii from two wavelengths to 1 mm. Throws ProblemError where there
// is none, and where the problem with it is none that can be.
[[nodiscard]] Problem with_pins(const Problem& given, std::vector<std::string>& notes);

}  // namespace lumarch
