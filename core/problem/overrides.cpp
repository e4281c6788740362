// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "problem/parts.hpp"
#include "problem/text.hpp"

namespace lumarch::problem {

std::optional<std::vector<std::string>> steps_of(const std::string& pointer) {
  if (pointer.empty() || pointer[0] != '/') return std::nullopt;
  std::vector<std::string> steps;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      steps.emplace_back();
    } else if (pointer[i] != '~') {
      steps.back() += pointer[i];
    } else {
      const char next = i + 1 < pointer.size() ? pointer[++i] : ' ';
      if (next != '0' && next != '1') return std::nullopt;
      steps.back() += next == '0' ? '~' : '/';
    }
  }
  return steps;
}

namespace {

std::optional<std::size_t> index_of(const std::string& text) {
  std::size_t index = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (problem != std::errc{} || end != text.data() + text.size() || (text.size() > 1 && text[0] == '0')) {
    return std::nullopt;
  }
  return index;
}

// The member or item that a step leads to; null (and why) where there is none.
Json* follow(Json& from, const std::string& to, bool last, std::string& error) {
  if (from.is_object()) {
    const auto found = from.find(to);
    if (found != from.end()) return &*found;
    // an object on the way that is not there yet, like /output, is made; a misspelt one is an unknown key later
    return &(from[to] = last ? Json() : Json::object());
  }
  if (from.is_array()) {
    if (to == "-" && last) {
      from.push_back(nullptr);
      return &from.back();
    }
    const auto index = index_of(to);
    if (index && *index < from.size()) return &from[*index];
    error = in_quotes(to) + " is no place in a list of " + std::to_string(from.size()) +
            "; places count from 0, \"-\" appends";
    return nullptr;
  }
  error = in_quotes(to) + " can't be set in " + type_of(from);
  return nullptr;
}

}  // namespace

const Json* find_at(const Json& root, const std::vector<std::string>& steps) {
  const Json* at = &root;
  for (const std::string& step : steps) {
    const auto index = at->is_array() ? index_of(step) : std::nullopt;
    if (at->is_object() && at->contains(step))
      at = &(*at)[step];
    else if (index && *index < at->size())
      at = &(*at)[*index];
    else
      return nullptr;
  }
  return at;
}

namespace {

Json value_of(const std::string& text, Context& context) {
  Context apart(context.folder);
  const auto parsed = parse_json(text, apart);
  return parsed && apart.clean() ? *parsed : Json(text);
}

}  // namespace

void apply(const std::vector<Override>& overrides, Json& root, Context& context) {
  for (const Override& override : overrides) {
    const auto find = [&](const std::string& text) { context.add(printable(override.pointer), "--set: " + text); };
    const auto steps = steps_of(override.pointer);
    if (!steps) {
      find(in_quotes(override.pointer) + " is no JSON pointer; write for example /launch/0/peak_power=\"5 kW\"");
      continue;
    }
    if (!valid_utf8(override.pointer) || !valid_utf8(override.value)) {
      find("the pointer or the value is not UTF-8");
      continue;
    }
    Json* place = &root;
    std::string error;
    constexpr std::size_t deepest = 16;  // no key lies deeper than six
    if (steps->size() > deepest) {
      find("the pointer has " + std::to_string(steps->size()) + " parts; no key lies so deep");
      continue;
    }
    for (std::size_t i = 0; i < steps->size() && place != nullptr; ++i) {
      place = follow(*place, (*steps)[i], i + 1 == steps->size(), error);
    }
    if (place == nullptr) {
      find(error);
      continue;
    }
    *place = value_of(override.value, context);
  }
}

}  // namespace lumarch::problem

namespace lumarch {

Override parse_override(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || text[0] != '/') {
    throw ProblemError({{"", "--set " + problem::in_quotes(text) +
                                 ": write a pointer and a value, like --set /launch/0/peak_power=\"5 kW\""}});
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace lumarch
