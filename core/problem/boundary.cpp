// SPDX-License-Identifier: Apache-2.0
#include "problem/parts.hpp"
#include "problem/text.hpp"
#include "problem/uppe.hpp"

namespace lumarch::problem {

Boundary read_boundary(const Node& node, bool uppe) {
  Boundary boundary;
  const Object object(node, uppe ? kinds::boundary : kinds::gnlse::boundary);
  const auto edge = object.get("edge");
  if (edge && *edge->value != Json(false))
    edge->find("the edge check" + kNotBuilt + "; write \"edge\": false or leave it out");
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
