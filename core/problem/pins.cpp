// SPDX-License-Identifier: Apache-2.0
// Pins: a pressure or radius by what it is to give. Their numbers are searched when the problem is translated.
#include <algorithm>

#include "problem/check.hpp"
#include "problem/parts.hpp"
#include "problem/uppe.hpp"

namespace lumarch::problem {

namespace {

constexpr double kHighestOrder = 1e4;

struct Word {
  const char* key;
  Pin::Of of;
};
// In the order of the enumeration.
constexpr Word kWords[] = {{"zero_dispersion", Pin::Of::zero_dispersion},
                           {"dispersive_wave", Pin::Of::dispersive_wave},
                           {"soliton_order", Pin::Of::soliton_order}};

std::optional<double> read_order(const Node& node) {
  const auto order = quantity(node, {kNumber, "3"}, Sign::positive);
  if (!order || *order <= kHighestOrder) return order;
  node.find(shown(*node.value) + " is out of range: a soliton order is above 0 and at most 10000, like 3");
  return std::nullopt;
}

// The first pulse has a width and a power: what a soliton order is of.
bool has_order(const Problem& problem) {
  if (problem.launch.empty()) return false;
  const Pulse& pulse = problem.launch.front();
  const bool wide = pulse.shape < Shape::cw;
  return wide && pulse.peak_power.value_or(pulse.energy.value_or(0)) > 0;
}

void check_one(const Problem& problem, const Pin& pin, const std::string& place, Context& context) {
  const std::string key = kWords[static_cast<int>(pin.of)].key, at = place + "/" + key;
  if (!is_guide(problem.uppe->medium))
    return context.add(at, "a pin is of a guide, whose dispersion depends on it; write a pressure, like \"2 bar\"");
  if (pin.of == Pin::Of::soliton_order && !has_order(problem))
    context.add(at, "a soliton order is that of the first pulse, which needs a width and a power above zero here");
  if (pin.of != Pin::Of::dispersive_wave) return;
  const double pump =
      problem.launch.empty() ? problem.wavelength : problem.launch.front().wavelength.value_or(problem.wavelength);
  if (pin.value == pump) context.add(at, "the dispersive wave has the wavelength of the first pulse; take another one");
}

}  // namespace

bool has_pin(const Object& object) {
  return std::any_of(std::begin(kWords), std::end(kWords), [&](const Word& word) { return object.has(word.key); });
}

std::optional<Pin> read_pin(const Object& object) {
  if (object.node().value->size() != 1) {
    object.node().find(R"(a pin stands alone, like {"zero_dispersion": "600 nm"}; take the rest out)");
    return std::nullopt;
  }
  for (const Word& word : kWords) {
    const auto node = object.get(word.key);
    if (!node) continue;
    const auto value = word.of == Pin::Of::soliton_order ? read_order(*node) : read_wavelength(*node);
    return value ? std::optional(Pin{word.of, *value}) : std::nullopt;
  }
  return std::nullopt;
}

void check_pin(const Profile& profile, const std::string& pointer, Check& check) {
  check.choice(profile.pin->of, Pin::Of::soliton_order, pointer);
  check.positive(profile.pin->value, pointer, "what a pin is to give");
  if (!profile.value.empty() || !profile.z.empty())
    check.add(pointer, "a pin stands in place of values; here are both, give one of them");
}

void check_pins(const Problem& problem, Context& context) {
  const Medium& medium = problem.uppe->medium;
  const GasFill* gas = gas_of(medium);
  const Profile* pressure = gas == nullptr ? nullptr : &gas->pressure;
  const Profile* radius = radius_of(medium);
  const bool first = pressure && pressure->pin, second = radius && radius->pin;
  if (first && second)
    return context.add("/medium/radius", "the pressure and the radius are pinned both; give one of them as a number");
  if (first) {
    check_one(problem, *pressure->pin, "/medium/pressure", context);
    if (radius && !radius->constant())
      context.add("/medium/pressure", "a pressure is pinned in a guide of constant radius; this one is tapered");
  }
  if (second) {
    check_one(problem, *radius->pin, "/medium/radius", context);
    if (pressure && !pressure->constant())
      context.add("/medium/radius", "a radius is pinned at a constant pressure; this one changes along z");
  }
}

}  // namespace lumarch::problem
