// SPDX-License-Identifier: Apache-2.0
// Gases, their pressure along z, and materials by name or index.
#include <algorithm>
#include <array>
#include <cmath>

#include "problem/parts.hpp"
#include "problem/tables.hpp"
#include "problem/text.hpp"
#include "problem/uppe.hpp"

namespace lumarch::problem {

namespace {

const Need kPressureNeed{kPressure, "2 bar"};

template <class Names>
std::vector<std::string> words_of(const Names& names) {
  return {names.begin(), names.end()};
}

// What was probably meant by the symbol of a gas: "Ar", "N2".
std::optional<std::string> named_by_symbol(const std::string& word) {
  static constexpr std::array<std::pair<std::string_view, Gas>, 12> kSymbols{{{"He", Gas::helium},
                                                                              {"Ne", Gas::neon},
                                                                              {"Ar", Gas::argon},
                                                                              {"Kr", Gas::krypton},
                                                                              {"Xe", Gas::xenon},
                                                                              {"N2", Gas::nitrogen},
                                                                              {"H2", Gas::hydrogen},
                                                                              {"D2", Gas::deuterium},
                                                                              {"O2", Gas::oxygen},
                                                                              {"CH4", Gas::methane},
                                                                              {"SF6", Gas::sulfur_hexafluoride},
                                                                              {"N2O", Gas::nitrous_oxide}}};
  for (const auto& [symbol, gas] : kSymbols) {
    if (symbol == word) return std::string(name(gas));
  }
  return std::nullopt;
}

std::optional<Gas> gas_named(const std::string& word, std::string& error) {
  if (const auto gas = find_gas(word)) return gas;
  const auto words = words_of(gas_names);
  auto near = named_by_symbol(word);
  if (!near) near = nearest(word, words);
  error = "unknown gas " + in_quotes(word) + "; " +
          (near ? "did you mean " + in_quotes(*near) + "?" : "known here: " + listed(words));
  return std::nullopt;
}

// {"argon": 0.5, "helium": 0.5}
std::vector<GasFill::Part> read_mixture(const Node& node) {
  std::vector<GasFill::Part> parts;
  double sum = 0;
  bool whole = true;
  for (const auto& [key, value] : node.value->items()) {
    const Node item{&value, node.pointer + step(printable(key)), node.context};
    std::string error;
    const auto gas = gas_named(key, error);
    if (!gas) item.find(error);
    const auto share = quantity(item, {kNumber, "0.5"}, Sign::positive);
    whole = whole && gas && share;
    if (!gas || !share) continue;
    parts.push_back({*gas, *share});
    sum += *share;
  }
  if (node.value->empty()) node.find("the mixture is empty; write a gas, like \"argon\", or \"vacuum\"");
  if (whole && !parts.empty() && !(std::abs(sum - 1) <= kSumWithin)) {
    node.find("the shares of the pressure sum to " + short_number(sum) + "; they have to sum to 1");
  }
  return parts;
}

std::vector<GasFill::Part> read_gas(const Node& node, bool& vacuum) {
  if (node.value->is_object()) return read_mixture(node);
  const auto word = string(node, "argon");
  vacuum = word == "vacuum";
  if (!word || vacuum) return {};
  std::string error;
  const auto gas = gas_named(*word, error);
  if (gas) return {{*gas, 1}};
  node.find(error + (error.find("known here") == std::string::npos ? "" : ", or vacuum"));
  return {};
}

std::optional<double> read_pressure(const Node& node) {
  const auto value = quantity(node, kPressureNeed, Sign::not_negative);
  if (!value || *value <= kMostPressure) return value;
  node.find(shown(*node.value) + " is " + short_number(*value) +
            " Pa, out of range (0 to 1e9 Pa); a plain number is in Pa, write \"2 bar\"");
  return std::nullopt;
}

// {"z": [...], KEY: [...]}: from 0 to the length.
template <class Read>
Profile read_profile(const Object& object, const char* key, const char* example, double length, Read read) {
  Profile profile;
  const auto z = object.need("z", R"([0, "50 cm", "1 m"])");
  const auto values = object.need(key, example);
  if (!z || !values || !is_list(*z, R"([0, "50 cm", "1 m"])") || !is_list(*values, example)) return profile;
  const std::size_t count = z->value->size();
  if (count < 2 || values->value->size() != count) {
    object.node().find("z and " + std::string(key) +
                       " are lists of the same length, of two values at least; here are " + std::to_string(count) +
                       " and " + std::to_string(values->value->size()));
    return profile;
  }
  bool whole = true;
  for (std::size_t i = 0; i < count; ++i) {
    const Node place = z->item(i);
    const auto at = quantity(place, {kLength, "50 cm"}, Sign::not_negative);
    const auto value = read(values->item(i));
    whole = whole && at && value;
    if (!whole) continue;
    if (!profile.z.empty() && !(*at > profile.z.back())) {
      place.find(shown(*place.value) + " does not lie behind the one before it; z has to rise strictly");
      whole = false;
      continue;
    }
    profile.z.push_back(*at);
    profile.value.push_back(*value);
  }
  if (!whole) return {};
  if (profile.z.front() != 0) z->item(0).find(shown(*z->item(0).value) + " is not where the medium begins; write 0");
  const Node last = z->item(count - 1);
  if (length > 0 && !(std::abs(profile.z.back() - length) <= 1e-9 * length)) {
    last.find(shown(*last.value) + " is not where the medium ends; write its length, " + short_number(length) + " m");
  } else if (length > 0) {
    profile.z.back() = length;
  }
  return profile;
}

Profile constant(std::optional<double> value) {
  Profile profile;
  if (value) profile.value = {*value};
  return profile;
}

Profile pinned(const Object& object) {
  Profile profile;
  profile.pin = read_pin(object);
  return profile;
}

Profile read_pressures(const Node& node, double length) {
  if (!node.value->is_object()) return constant(read_pressure(node));
  const Object object(node, kinds::pressure);
  if (has_pin(object)) return pinned(object);
  const bool ends = object.has("from") || object.has("to"), list = object.has("z") || object.has("pressure");
  if (ends == list) {
    node.find(
        "a pressure along z is {\"from\": \"2 bar\", \"to\": 0} or {\"z\": [0, \"1 m\"], \"pressure\": [\"2 bar\", "
        "0]}; give one of them, or what it is to give, like {\"zero_dispersion\": \"600 nm\"}");
    return {};
  }
  if (list) return read_profile(object, "pressure", R"(["2 bar", "1 bar", 0])", length, read_pressure);
  const auto from = object.need("from", "\"2 bar\""), to = object.need("to", "0");
  const auto first = from ? read_pressure(*from) : std::nullopt, last = to ? read_pressure(*to) : std::nullopt;
  if (!first || !last) return {};
  return {{0, length}, {*first, *last}};
}

}  // namespace

Profile read_taper(const Node& node, double length) {
  const auto radius = [](const Node& item) { return read_transverse(item, "125 um"); };
  if (!node.value->is_object()) return constant(radius(node));
  const Object object(node, kinds::taper);
  if (has_pin(object)) return pinned(object);
  return object.valid() ? read_profile(object, "radius", R"(["125 um", "100 um"])", length, radius) : Profile{};
}

GasFill read_gas_fill(const Object& object, double length) {
  GasFill fill;
  bool vacuum = false;
  const auto gas = object.need("gas", R"("argon", or "vacuum")");
  if (gas) fill.parts = read_gas(*gas, vacuum);
  if (vacuum) {
    for (const char* key : {"pressure", "temperature", "fit"}) {
      if (!object.has(key)) continue;
      object.node().context->add(object.pointer_of(key),
                                 std::string(key) + " has no meaning in a vacuum; take it out or name a gas");
    }
    return fill;
  }
  const auto pressure = gas ? object.need("pressure", "\"2 bar\"") : object.get("pressure");
  if (pressure) fill.pressure = read_pressures(*pressure, length);
  if (const auto temperature = object.get("temperature")) {
    const auto value = quantity(*temperature, {kTemperature, "293.15 K"}, Sign::positive);
    if (value && *value > kHottest) {
      temperature->find(shown(*temperature->value) +
                        " is out of range: above 0 and at most 10000 K, like \"293.15 K\"");
    } else if (value) {
      fill.temperature = *value;
    }
  }
  if (const auto fit = object.get("fit")) {
    fill.ermolov = choose(*fit, choices::fit) == 1;
    const bool knows = std::any_of(fill.parts.begin(), fill.parts.end(), [](const GasFill::Part& part) {
      return part.gas == Gas::helium || part.gas == Gas::argon;
    });
    if (fill.ermolov && !knows && !fill.parts.empty())
      fit->find("the fit ermolov is of helium and argon, and neither is in the gas; take it out");
  }
  return fill;
}

Material read_material(const Node& node) {
  Material material;
  if (node.value->is_string()) {
    const auto& word = node.value->get_ref<const std::string&>();
    material.glass = find_glass(word);
    if (material.glass) return material;
    const auto words = words_of(glass_names);
    const auto near = nearest(word, words);
    node.find("unknown material " + in_quotes(word) + "; " +
              (near ? "did you mean " + in_quotes(*near) + "?" : "known here: " + listed(words)) +
              " A refractive index is written as a number, like 1.45");
    return material;
  }
  if (node.value->is_object()) return read_material_table(node).value_or(material);
  if (!node.value->is_number()) {
    node.find(
        "a material is a name like \"fused-silica\", a refractive index like 1.45 or a table {\"file\", "
        "\"units\"}, not " +
        type_of(*node.value) + " (" + shown(*node.value) + ")");
    return material;
  }
  const double index = node.value->get<double>();
  if (index >= 1 && index <= kMostIndex) {
    material.index = index;
  } else {
    node.find(shown(*node.value) + " is out of range: a refractive index is 1 to 10, like 1.45");
  }
  return material;
}

}  // namespace lumarch::problem
