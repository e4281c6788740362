// SPDX-License-Identifier: Apache-2.0
// Words for messages: what was probably meant, and values cut to a readable length.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lumarch::problem {

// The candidate that differs from `word` by the fewest typing errors; none where nothing is near.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

// "a, b, c"
[[nodiscard]] std::string listed(const std::vector<std::string>& words);

// At most about 60 characters of printable text; bytes that are not ASCII stay only where they are valid UTF-8.
[[nodiscard]] std::string printable(std::string_view text);

// printable() in double quotes
[[nodiscard]] std::string in_quotes(std::string_view text);

// A number in few digits for people: 0.15, 1e-07
[[nodiscard]] std::string short_number(double value);

[[nodiscard]] bool valid_utf8(std::string_view text);

}  // namespace lumarch::problem
