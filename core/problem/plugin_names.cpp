// SPDX-License-Identifier: Apache-2.0
#include "problem/plugin_names.hpp"

#include <algorithm>

namespace lumarch::problem {

namespace {

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

bool is_plugin_response_name(std::string_view name) {
  int words = 0;
  for (std::size_t from = 0; from <= name.size(); ++words) {
    const std::size_t to = std::min(name.find('.', from), name.size());
    if (!is_word(name.substr(from, to - from))) return false;
    from = to + 1;
  }
  return words >= 4 && name.starts_with("response.");
}

bool is_parameter_name(std::string_view name) {
  return is_word(name) && name.front() >= 'a' && name.front() <= 'z' && name != "type";
}

}  // namespace lumarch::problem
