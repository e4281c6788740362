// SPDX-License-Identifier: Apache-2.0
// The problems that ship, docs/examples, inside the library.
#pragma once

#include <string>
#include <vector>

namespace lumarch {

[[nodiscard]] std::vector<std::string> example_names();  // sorted

// The problem file, comments and all. Throws Error (Fault::problem) for a name that is none of theirs.
[[nodiscard]] std::string example_text(const std::string& name);

}  // namespace lumarch
