// SPDX-License-Identifier: Apache-2.0
// The table that embed.cmake makes of docs/examples.
#pragma once

#include <string>
#include <vector>

namespace lumarch::problem {

struct Example {
  std::string name, text;
};

[[nodiscard]] const std::vector<Example>& all_examples();  // sorted by name

}  // namespace lumarch::problem
