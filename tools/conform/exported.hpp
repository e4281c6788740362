// SPDX-License-Identifier: Apache-2.0
// The names that a shared library exports, read from its file.
#pragma once

#include <string>
#include <vector>

namespace lumarch::conform {

// Throws std::runtime_error where the file has no readable table of dynamic symbols.
[[nodiscard]] std::vector<std::string> exported_names(const std::string& path);

}  // namespace lumarch::conform
