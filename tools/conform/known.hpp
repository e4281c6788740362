// SPDX-License-Identifier: Apache-2.0
// Failures that a plugin declares (LM_EXT_KNOWN_FAILURES): they count as warnings, and so does one that has gone.
#pragma once

#include <map>
#include <string>

#include "isolate.hpp"

namespace lumarch::conform {

using KnownFailures = std::map<std::string, std::string>;  // case -> reason

// Asked for in a process of its own, for the parent loads no plugin. Empty where the plugin does not load.
[[nodiscard]] KnownFailures known_failures(const Context& context);

// What becomes of an outcome in the light of what was declared.
[[nodiscard]] Outcome weighed(const KnownFailures& known, const std::string& name, Outcome outcome);

}  // namespace lumarch::conform
