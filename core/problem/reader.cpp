// SPDX-License-Identifier: Apache-2.0
#include "problem/reader.hpp"

#include <algorithm>
#include <cmath>

#include "problem/text.hpp"

namespace lumarch::problem {

namespace {

bool among(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void unknown_key(const Node& node, const std::string& key, const Kind& kind) {
  const std::string place = node.pointer + step(printable(key));
  if (among(kind.later, key)) {
    node.context->add(place, "the key " + in_quotes(key) + kNotBuilt);
    return;
  }
  std::string text = "unknown key " + in_quotes(key) + "; ";
  const auto near = nearest(key, kind.keys);
  text += near ? "did you mean " + in_quotes(*near) + "?" : "known here: " + listed(kind.keys);
  node.context->add(place, text);
}

}  // namespace

Object::Object(Node node, const Kind& kind) : node_(std::move(node)), kind_(&kind), valid_(node_.value->is_object()) {
  if (!valid_) {
    node_.find("an object with " + listed(kind.keys) + " is needed here, not " + type_of(*node_.value) + " (" +
               shown(*node_.value) + ")");
    return;
  }
  for (const auto& [key, value] : node_.value->items()) {
    if (!among(kind.keys, key)) unknown_key(node_, key, kind);
  }
}

bool Object::has(const std::string& key) const { return valid_ && node_.value->contains(key); }

std::optional<Node> Object::get(const std::string& key) const {
  if (!has(key)) return std::nullopt;
  return Node{&(*node_.value)[key], pointer_of(key), node_.context};
}

std::optional<Node> Object::need(const std::string& key, const std::string& example) const {
  if (valid_ && !has(key)) {
    // A misspelt key was found already under its own name; that this one is missing is still true and cheap to say.
    node_.context->add(pointer_of(key),
                       "the key \"" + key + "\" is missing; write for example \"" + key + "\": " + example);
  }
  return get(key);
}

std::optional<double> quantity(const Node& node, const Need& need, Sign sign) {
  double value = 0;
  if (node.value->is_number()) {
    value = node.value->get<double>();
  } else if (node.value->is_string()) {
    std::string error;
    const auto parsed = parse_quantity(node.value->get_ref<const std::string&>(), need, error);
    if (!parsed) {
      node.find(error);
      return std::nullopt;
    }
    value = *parsed;
  } else {
    const std::string name = name_of(need.dimension);
    node.find((name.starts_with("in ") ? "a quantity " + name : name) + " is needed here, like " +
              in_quotes(need.example) + " or a number in SI, not " + type_of(*node.value) + " (" + shown(*node.value) +
              ")");
    return std::nullopt;
  }
  const bool fits = sign == Sign::any || (sign == Sign::positive ? value > 0 : value >= 0);
  if (fits && std::isfinite(value)) return value;
  node.find(shown(*node.value) + " is out of range: it has to be " +
            (sign == Sign::positive ? "positive" : "zero or positive") + ", like " + in_quotes(need.example));
  return std::nullopt;
}

std::optional<double> quantity(const std::optional<Node>& node, const Need& need, Sign sign) {
  return node ? quantity(*node, need, sign) : std::nullopt;
}

std::optional<std::int64_t> integer(const Node& node, std::int64_t low, std::int64_t high) {
  const std::string range = std::to_string(low) + " to " + std::to_string(high);
  if (!node.value->is_number()) {
    node.find("a whole number from " + range + " is needed here, not " + type_of(*node.value) + " (" +
              shown(*node.value) + ")");
    return std::nullopt;
  }
  const auto value = node.value->get<double>();
  if (value != std::floor(value)) {
    node.find(shown(*node.value) + " is no whole number; " + range + " is allowed");
    return std::nullopt;
  }
  if (!(value >= static_cast<double>(low) && value <= static_cast<double>(high))) {
    node.find(shown(*node.value) + " is out of range: " + range + " is allowed");
    return std::nullopt;
  }
  return node.value->is_number_integer() ? node.value->get<std::int64_t>() : static_cast<std::int64_t>(value);
}

std::optional<std::string> string(const Node& node, const std::string& example) {
  if (!node.value->is_string()) {
    node.find("a string like " + in_quotes(example) + " is needed here, not " + type_of(*node.value) + " (" +
              shown(*node.value) + ")");
    return std::nullopt;
  }
  return node.value->get<std::string>();
}

std::optional<std::size_t> choose(const Node& node, const Choice& choice) {
  const auto word = string(node, choice.words.front());
  if (!word) return std::nullopt;
  const auto at = std::find(choice.words.begin(), choice.words.end(), *word);
  if (at != choice.words.end()) return static_cast<std::size_t>(at - choice.words.begin());
  if (among(choice.later, *word)) {
    node.find(in_quotes(*word) + kNotBuilt + "; there is " + listed(choice.words));
    return std::nullopt;
  }
  const auto near = nearest(*word, choice.words);
  node.find("unknown word " + in_quotes(*word) + "; " +
            (near ? "did you mean " + in_quotes(*near) + "?" : "known here: " + listed(choice.words)));
  return std::nullopt;
}

bool is_list(const Node& node, const std::string& example) {
  if (node.value->is_array()) return true;
  node.find("a list like " + example + " is needed here, not " + type_of(*node.value) + " (" + shown(*node.value) +
            ")");
  return false;
}

}  // namespace lumarch::problem
