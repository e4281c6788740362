// SPDX-License-Identifier: Apache-2.0
// JSON text to a tree: comments allowed, duplicate keys reported, depth bounded, errors with line and column.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "problem/findings.hpp"

namespace lumarch::problem {

using Json = nlohmann::json;  // keys sorted: equal problems have equal canonical text

inline constexpr int kMostLevels = 64;
inline constexpr std::size_t kMostText = 64U << 20U;

// None where the text is no JSON. Duplicate keys are found too; the tree then holds the last.
[[nodiscard]] std::optional<Json> parse_json(const std::string& text, Context& context);

// "/" before a key, with ~ and / escaped
[[nodiscard]] std::string step(const std::string& key);

// A value as one short line
[[nodiscard]] std::string shown(const Json& value);

// "a number", "a list", ...
[[nodiscard]] std::string type_of(const Json& value);

}  // namespace lumarch::problem
