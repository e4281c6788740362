// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them: 5.673e-10 J is 567.3 pJ.
#pragma once

#include <string>

namespace lumarch::tools {

struct Prefix {
  double factor = 1;  // how much one prefixed unit is
  std::string text;   // "p", "n", "µ", "m", "", "k", ...
};

// The prefix with which `value` has one to three digits before the point; metres go no higher than km.
[[nodiscard]] Prefix prefix_for(double value, const std::string& unit);

// "567.3 pJ"; a unit of "" or "1" gives the bare number.
[[nodiscard]] std::string engineering(double value, const std::string& unit, int digits = 4);

}  // namespace lumarch::tools
