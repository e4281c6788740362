// SPDX-License-Identifier: Apache-2.0
#include "problem/parts.hpp"
#include "problem/text.hpp"

namespace lumarch::problem {

namespace {

constexpr const char* kBandExample = R"(["160 nm", "3000 nm"])";

std::optional<Band> read_band(const Node& node) {
  if (!is_list(node, kBandExample)) return std::nullopt;
  if (node.value->size() != 2) {
    node.find("a band is two wavelengths, the shortest and the longest, like " + std::string(kBandExample) +
              "; here are " + std::to_string(node.value->size()));
    return std::nullopt;
  }
  const auto shortest = read_wavelength(node.item(0)), longest = read_wavelength(node.item(1));
  if (!shortest || !longest) return std::nullopt;
  if (*shortest < *longest) return Band{*shortest, *longest};
  node.find(shown(*node.value) + " has to rise: the shortest wavelength first, like " + kBandExample);
  return std::nullopt;
}

}  // namespace

TimeAxis read_time(const Node& node, bool uppe) {
  TimeAxis axis;
  const Object object(node, uppe ? kinds::time : kinds::gnlse::time);
  constexpr double kLongest = 1e-3;
  const auto window = object.need("window", "\"12.5 ps\"");
  axis.window = quantity(window, {kTime, "12.5 ps"}, Sign::positive).value_or(0);
  if (axis.window > kLongest) {
    window->find(shown(*window->value) + " is longer than 1 ms; a plain number is in seconds, write \"12.5 ps\"");
    axis.window = 0;
  }
  const auto band = object.get("band");
  if (uppe && band) {
    if (object.has("points"))
      node.context->add(object.pointer_of("points"), "the band says how many points there are; give points or band");
    axis.band = read_band(*band);
    return axis;
  }
  if (band && !object.has("points")) return axis;  // band would replace points, and was refused already
  if (uppe && object.valid() && !object.has("points")) {
    node.context->add(object.pointer_of("points"),
                      "the key \"points\" (or \"band\") is missing; write for example \"points\": 8192 or \"band\": " +
                          std::string(kBandExample));
    return axis;
  }
  if (const auto points = object.need("points", "8192")) axis.points = integer(*points, 2, kMostPoints).value_or(0);
  return axis;
}

}  // namespace lumarch::problem
