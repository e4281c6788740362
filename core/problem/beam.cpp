// SPDX-License-Identifier: Apache-2.0
// How a pulse lies in space: a Gaussian beam, or shares of its power by mode.
#include <algorithm>
#include <cmath>

#include "problem/parts.hpp"
#include "problem/text.hpp"
#include "problem/uppe.hpp"

namespace lumarch::problem {

namespace {

void read_waist(const Node& node, Beam& beam) {
  constexpr const char* kExample = "50 um";
  if (!node.value->is_array()) {
    beam.waist = read_transverse(node, kExample).value_or(0);
    return;
  }
  if (node.value->size() != 2) {
    node.find("a list here has two values, for x and y, like [\"50 um\", \"100 um\"]; this one has " +
              std::to_string(node.value->size()));
    return;
  }
  beam.waist = read_transverse(node.item(0), kExample).value_or(0);
  beam.waist_y = read_transverse(node.item(1), kExample);
}

double read_tilt(const std::optional<Node>& node) {
  const auto value = quantity(node, {kAngle, "1 mrad"});
  if (!value || std::abs(*value) < kMostTilt) return value.value_or(0);
  node->find(shown(*node->value) + " is out of range: a tilt is below 90 deg, like \"1 mrad\"");
  return 0;
}

}  // namespace

void read_beam(const Node& node, Pulse& pulse) {
  Beam beam;
  const Object object(node, kinds::beam);
  if (!object.valid()) return;
  if (const auto waist = object.need("waist", "\"50 um\"")) read_waist(*waist, beam);
  beam.focus = quantity(object.get("focus"), {kLength, "10 cm"}).value_or(0);
  beam.x = quantity(object.get("x"), {kLength, "50 um"}).value_or(0);
  beam.y = quantity(object.get("y"), {kLength, "50 um"}).value_or(0);
  beam.tilt_x = read_tilt(object.get("tilt_x"));
  beam.tilt_y = read_tilt(object.get("tilt_y"));
  const auto lens = object.get("lens");
  beam.lens = quantity(lens, {kLength, "20 cm"});
  if (beam.lens == 0.0) {
    lens->find("a lens of focal length 0 is none; write \"20 cm\", or leave it out for no lens");
    beam.lens.reset();
  }
  pulse.beam = beam;
}

void read_mode_shares(const Node& node, Pulse& pulse) {
  if (!node.value->is_object()) {
    node.find("shares of the power by mode are an object like {\"HE11\": 0.9, \"HE12\": 0.1}, not " +
              type_of(*node.value) + " (" + shown(*node.value) + ")");
    return;
  }
  double sum = 0;
  bool whole = !node.value->empty();
  if (!whole) node.find("no mode is named; write for example {\"HE11\": 1}, or leave it out for the first mode");
  for (const auto& [key, value] : node.value->items()) {
    const Node item{&value, node.pointer + step(printable(key)), node.context};
    const std::string refusal = mode_refusal(key);
    if (!refusal.empty()) item.find(refusal);
    const auto share = quantity(item, {kNumber, "0.9"}, Sign::not_negative);
    whole = whole && refusal.empty() && share;
    if (!refusal.empty() || !share) continue;
    if (std::any_of(pulse.modes.begin(), pulse.modes.end(),
                    [&](const auto& one) { return one.first == short_mode(key); }))
      item.find(in_quotes(key) + " is there already under its other name; give one of them");
    pulse.modes.emplace_back(short_mode(key), *share);
    sum += *share;
  }
  if (whole && !(std::abs(sum - 1) <= kSumWithin))
    node.find("the shares of the power sum to " + short_number(sum) + "; they have to sum to 1");
}

}  // namespace lumarch::problem
