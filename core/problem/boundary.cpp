// SPDX-License-Identifier: Apache-2.0
#include "problem/parts.hpp"
#include "problem/text.hpp"
#include "problem/uppe.hpp"

namespace lumarch::problem {

namespace {

EdgeCheck read_edge(const Node& node) {
  EdgeCheck edge;
  if (node.value->is_boolean()) {
    edge.on = node.value->get<bool>();
    return edge;
  }
  const Object object(node, kinds::edge);
  if (!object.valid()) return edge;
  const auto share = [&](const char* key, double usual, double most) {
    const auto given = object.get(key);
    const auto value = quantity(given, {kNumber, key == std::string("rim") ? "0.05" : "1e-3"}, Sign::positive);
    if (value && !(*value <= most)) {
      given->find(shown(*given->value) + " is out of range: a share of 1 is all there is");
      return usual;
    }
    return value.value_or(usual);
  };
  edge.threshold = share("threshold", edge.threshold, 1);
  edge.rim = share("rim", edge.rim, 0.999);
  if (const auto word = object.get("on_exceed"))
    if (const auto index = choose(*word, choices::on_exceed)) edge.on_exceed = static_cast<EdgeCheck::OnExceed>(*index);
  edge.strip = flag(object.get("strip")).value_or(false);
  return edge;
}

}  // namespace

Boundary read_boundary(const Node& node, bool uppe, EdgeCheck& edge) {
  Boundary boundary;
  const Object object(node, uppe ? kinds::boundary : kinds::gnlse::boundary);
  if (const auto given = object.get("edge")) edge = read_edge(*given);
  if (!uppe) return boundary;
  boundary.time = flag(object.get("time")).value_or(false);
  boundary.space = flag(object.get("space")).value_or(false);
  boundary.band = flag(object.get("band")).value_or(false);
  boundary.length = quantity(object.get("length"), {kLength, "5 mm"}, Sign::positive);
  if (boundary.length && !boundary.time && !boundary.space && !boundary.band)
    object.node().context->add(object.pointer_of("length"),
                               "the length of absorbers belongs to time, space or band, and none of them is true");
  return boundary;
}

}  // namespace lumarch::problem
