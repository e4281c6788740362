// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "problem/parts.hpp"
#include "problem/text.hpp"
#include "problem/uppe.hpp"

namespace lumarch::problem {

namespace {

constexpr const char* kModeExample = "HE11";

// What each route has beside its name, in the order of the enumeration.
const std::vector<std::vector<std::string>>& keys_of_routes() {
  static const std::vector<std::vector<std::string>> keys{{"mode"},
                                                          {"modes", "radial_nodes", "polarisations"},
                                                          {"radius", "points", "polarisations"},
                                                          {"half_width", "points", "polarisations"},
                                                          {"half_width", "points", "polarisations"}};
  return keys;
}

std::optional<std::string> read_mode(const Node& node) {
  const auto name = string(node, kModeExample);
  if (!name) return std::nullopt;
  const std::string refusal = mode_refusal(*name);
  if (refusal.empty()) return short_mode(*name);
  node.find(refusal);
  return std::nullopt;
}

void read_modes(const Node& node, Geometry& geometry) {
  if (node.value->is_number()) {
    const auto count = integer(node, 1, kMostModes).value_or(0);
    for (std::int64_t m = 1; m <= count; ++m) {
      const std::string name = "HE1" + std::to_string(m);
      geometry.modes.push_back(name);
      if (geometry.polarisations == 2) geometry.modes.push_back(name + "x");
    }
    return;
  }
  if (!node.value->is_array()) {
    node.find("modes are a number like 4 or a list like [\"HE11\", \"HE12\"], not " + type_of(*node.value) + " (" +
              shown(*node.value) + ")");
    return;
  }
  if (node.value->empty()) node.find("the list is empty; one mode at least is needed, like [\"HE11\"]");
  for (std::size_t i = 0; i < node.value->size(); ++i) {
    if (auto name = read_mode(node.item(i))) geometry.modes.push_back(std::move(*name));
  }
}

std::optional<double> read_half(const Node& node) { return read_transverse(node, "2 mm"); }

// A value for both axes, or a list of one for x and one for y.
void read_cartesian(const Object& object, Geometry& geometry) {
  const auto two = [](const Node& node, const char* example) {
    if (node.value->size() == 2) return true;
    node.find("a list here has two values, for x and y, like " + std::string(example) + "; this one has " +
              std::to_string(node.value->size()));
    return false;
  };
  if (const auto half = object.need("half_width", "\"2 mm\"")) {
    if (!half->value->is_array()) {
      geometry.half_width = geometry.half_height = read_half(*half).value_or(0);
    } else if (two(*half, R"(["2 mm", "1 mm"])")) {
      geometry.half_width = read_half(half->item(0)).value_or(0);
      geometry.half_height = read_half(half->item(1)).value_or(0);
    }
  }
  if (const auto points = object.need("points", "128")) {
    if (!points->value->is_array()) {
      geometry.points = geometry.points_y = integer(*points, 2, kMostCartesian).value_or(0);
    } else if (two(*points, "[128, 64]")) {
      geometry.points = integer(points->item(0), 2, kMostCartesian).value_or(0);
      geometry.points_y = integer(points->item(1), 2, kMostCartesian).value_or(0);
    }
  }
}

}  // namespace

Geometry read_geometry(const Node& node) {
  Geometry geometry;
  const Object object(node, kinds::geometry);
  if (!object.valid()) return geometry;
  const auto route = object.need("route", "\"mode-averaged\"");
  const auto index = route ? choose(*route, choices::route) : std::nullopt;
  if (!index) return geometry;
  geometry.route = static_cast<Route>(*index);
  const std::vector<std::string>& own = keys_of_routes()[*index];
  for (const std::string& key : kinds::geometry.keys) {
    if (key == "route" || !object.has(key) || std::find(own.begin(), own.end(), key) != own.end()) continue;
    node.context->add(object.pointer_of(key), "the key " + in_quotes(key) + " has no meaning for the route " +
                                                  choices::route.words[*index] + ", which has " + listed(own) +
                                                  "; take it out");
  }
  const bool vector = geometry.route != Route::mode_averaged;
  if (const auto count = object.get("polarisations"); count && vector)
    geometry.polarisations = static_cast<int>(integer(*count, 1, 2).value_or(1));
  switch (geometry.route) {
    case Route::mode_averaged: {
      const auto mode = object.get("mode");
      const auto name = mode ? read_mode(*mode) : std::optional<std::string>(kModeExample);
      if (name) geometry.modes = {*name};
      break;
    }
    case Route::modal:
      if (const auto modes = object.need("modes", R"(["HE11", "HE12"])")) read_modes(*modes, geometry);
      if (const auto nodes = object.get("radial_nodes"))
        geometry.radial_nodes = static_cast<int>(integer(*nodes, kLeastNodes, kMostNodes).value_or(64));
      break;
    case Route::radial:
      if (const auto radius = object.need("radius", "\"4 mm\""))
        geometry.radius = read_transverse(*radius, "4 mm").value_or(0);
      if (const auto points = object.need("points", "256"))
        geometry.points = integer(*points, 2, kMostRadial).value_or(0);
      break;
    case Route::line:
      if (const auto half = object.need("half_width", "\"2 mm\"")) geometry.half_width = read_half(*half).value_or(0);
      if (const auto points = object.need("points", "512"))
        geometry.points = integer(*points, 2, kMostLine).value_or(0);
      break;
    case Route::cartesian:
      read_cartesian(object, geometry);
      break;
  }
  return geometry;
}

std::optional<double> read_transverse(const Node& node, const char* example) {
  const auto value = quantity(node, {kLength, example}, Sign::positive);
  if (!value || *value <= kWidest) return value;
  node.find(shown(*node.value) + " is " + short_number(*value) +
            " m, out of range (above 0, at most 1 m); a plain number is in metres, write " + in_quotes(example));
  return std::nullopt;
}

std::string mode_refusal(const std::string& name) {
  const std::string start = in_quotes(name) + " is no mode";
  const std::string wanted =
      start + "; write HE, EH, TE or TM and two digits, like \"HE11\" or \"TE01\", with its polarisation \"HE11x\"";
  const bool along = name.ends_with('x') || name.ends_with('y');
  const std::string_view digits = std::string_view(name).substr(std::min<std::size_t>(2, name.size()));
  const std::string_view numbers = digits.substr(0, digits.size() - (along ? 1 : 0));
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool hybrid = name.starts_with("HE") || name.starts_with("EH");
  const bool across = name.starts_with("TE") || name.starts_with("TM");
  if ((!hybrid && !across) || numbers.size() < 2 || numbers.size() > 3) return wanted;
  if (!std::all_of(numbers.begin(), numbers.end(), is_digit)) return wanted;
  if (numbers[1] == '0') return start + ": the radial number, behind the first digit, counts from 1, like \"HE11\"";
  if (hybrid && numbers[0] == '0') return start + ": the first digit of HE and EH counts from 1, like \"HE11\"";
  if (across && numbers[0] != '0') return start + ": the first digit of TE and TM is 0, like \"TE01\"";
  if (across && along) return start + ": TE and TM have no x and y; leave the letter out";
  return "";
}

std::string short_mode(const std::string& name) { return name.ends_with('y') ? name.substr(0, name.size() - 1) : name; }

}  // namespace lumarch::problem
