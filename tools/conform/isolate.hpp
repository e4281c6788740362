// SPDX-License-Identifier: Apache-2.0
// A case in a process of its own: what it breaks ends with it.
#pragma once

#include "cases.hpp"

namespace lumarch::conform {

struct Outcome {
  Result result = Result::pass;
  std::string text;
  double seconds = 0;
};

[[nodiscard]] Outcome run_here(const Case& one, const Context& context);  // no process of its own: for a debugger
[[nodiscard]] Outcome run_apart(const Case& one, const Context& context);

}  // namespace lumarch::conform
