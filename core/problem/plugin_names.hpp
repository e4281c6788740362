// SPDX-License-Identifier: Apache-2.0
// How what a plugin brings is called: the same rule for problem files and for the plugins that are loaded.
#pragma once

#include <string_view>

namespace lumarch::problem {

// response.<reverse domain>.<name>: four words or more of a-z, 0-9 and _, joined by dots.
[[nodiscard]] bool is_plugin_response_name(std::string_view name);

// [a-z][a-z0-9_]*, and not "type", which is the key beside it.
[[nodiscard]] bool is_parameter_name(std::string_view name);

}  // namespace lumarch::problem
