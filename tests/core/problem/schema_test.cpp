// SPDX-License-Identifier: Apache-2.0
// docs/problem.schema.json and the reader know the same keys and the same words.
#include <doctest/doctest.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "problem/keys.hpp"
#include "support.hpp"

using namespace lumarch::problem;
using nlohmann::json;

namespace {

json schema() { return json::parse(support::file_text(LUMARCH_SOURCE_DIR "/docs/problem.schema.json")); }

std::vector<std::string> sorted(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  return words;
}

// The words of an enumeration, wherever in the definition the first one is.
std::vector<std::string> enumeration(const json& place) {
  if (place.is_object() && place.contains("enum")) return place["enum"].get<std::vector<std::string>>();
  if (place.is_structured()) {
    for (const auto& inner : place) {
      auto words = enumeration(inner);
      if (!words.empty()) return words;
    }
  }
  return {};
}

}  // namespace

TEST_CASE("schema: every key that is read is in the schema, and every key of the schema is read") {
  const json whole = schema();
  std::vector<std::string> read_kinds;
  for (const Kind* kind : all_kinds()) {
    INFO("object ", kind->name);
    const json& definition = kind->name.empty() ? whole : whole["$defs"][kind->name];
    REQUIRE(definition.contains("properties"));
    CHECK(definition["additionalProperties"] == false);
    std::vector<std::string> keys;
    for (const auto& [key, value] : definition["properties"].items()) {
      keys.push_back(key);
      INFO("key ", key);
      CHECK((value.contains("description") || value.contains("$ref")));
    }
    CHECK(sorted(kind->keys) == sorted(keys));
    for (const std::string& later : kind->later) CHECK(std::count(keys.begin(), keys.end(), later) == 0);
    if (!kind->name.empty()) read_kinds.push_back(kind->name);
  }
  for (const char* open : {"quantity", "plugin_response_name", "plugin_response", "mode", "material", "gas_name",
                           "gas_or_mixture", "gas_pressure", "core_radius"})
    read_kinds.emplace_back(open);
  std::vector<std::string> definitions;
  for (const auto& [name, value] : whole["$defs"].items()) definitions.push_back(name);
  CHECK(sorted(definitions) == sorted(read_kinds));
}

TEST_CASE("schema: gases and materials are those that there is data of") {
  const json whole = schema();
  const auto words = [](const auto& names) { return std::vector<std::string>(names.begin(), names.end()); };
  CHECK(enumeration(whole["$defs"]["gas_name"]) == words(lumarch::gas_names));
  CHECK(enumeration(whole["$defs"]["material"]) == words(lumarch::glass_names));
}

TEST_CASE("schema: every word that is read is in the schema") {
  const json whole = schema();
  for (const Choice* choice : all_choices()) {
    INFO(choice->kind, " ", choice->key);
    const json& definition = choice->kind.empty() ? whole : whole["$defs"][choice->kind];
    CHECK(sorted(enumeration(definition["properties"][choice->key])) == sorted(choice->words));
  }
}
