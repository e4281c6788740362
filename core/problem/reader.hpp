// SPDX-License-Identifier: Apache-2.0
// Values with their place in the file. Each reading gives a value or leaves a finding, so that all is found in one go.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "problem/findings.hpp"
#include "problem/json_text.hpp"
#include "problem/keys.hpp"
#include "problem/units.hpp"

namespace lumarch::problem {

enum class Sign { any, not_negative, positive };

struct Node {
  const Json* value;
  std::string pointer;
  Context* context;

  void find(const std::string& text) const { context->add(pointer, text); }
  [[nodiscard]] Node item(std::size_t i) const { return {&(*value)[i], pointer + "/" + std::to_string(i), context}; }
};

// An object whose keys were checked against its kind: unknown ones and those not built yet are found on construction.
class Object {
public:
  Object(Node node, const Kind& kind);

  [[nodiscard]] bool valid() const { return valid_; }  // it is an object
  [[nodiscard]] bool has(const std::string& key) const;
  [[nodiscard]] std::optional<Node> get(const std::string& key) const;
  // The same for a key that has to be there; `example` is what is to be written.
  [[nodiscard]] std::optional<Node> need(const std::string& key, const std::string& example) const;
  [[nodiscard]] std::string pointer_of(const std::string& key) const { return node_.pointer + step(key); }
  [[nodiscard]] const Node& node() const { return node_; }

private:
  Node node_;
  const Kind* kind_;
  bool valid_;
};

inline const std::string kNotBuilt = " is not built yet in this version";

[[nodiscard]] std::optional<double> quantity(const Node& node, const Need& need, Sign sign = Sign::any);
[[nodiscard]] std::optional<std::int64_t> integer(const Node& node, std::int64_t low, std::int64_t high);
[[nodiscard]] std::optional<std::string> string(const Node& node, const std::string& example);
// The index of the word in choice.words
[[nodiscard]] std::optional<std::size_t> choose(const Node& node, const Choice& choice);
[[nodiscard]] bool is_list(const Node& node, const std::string& example);

// The usual forms: the value of a key where the key is there and right.
[[nodiscard]] std::optional<double> quantity(const std::optional<Node>& node, const Need& need, Sign sign = Sign::any);

}  // namespace lumarch::problem
