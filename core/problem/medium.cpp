// SPDX-License-Identifier: Apache-2.0
#include "problem/parts.hpp"
#include "problem/tables.hpp"
#include "problem/text.hpp"

namespace lumarch::problem {

namespace {

constexpr std::size_t kMostBetas = 50;

std::string beta_example(std::size_t order) {
  if (order == 2) return "-11.83 ps^2/km";
  return "1e-5 ps^" + std::to_string(order) + "/m";
}

Dispersion read_betas(const Node& node) {
  BetaSeries series;
  if (!is_list(node, R"(["-11.83 ps^2/km"])")) return series;
  if (node.value->size() > kMostBetas) {
    node.find("there are " + std::to_string(node.value->size()) + " betas; at most 50 make sense in a double");
    return series;
  }
  for (std::size_t i = 0; i < node.value->size(); ++i) {
    const std::string example = beta_example(i + 2);
    const Need need{{.length = -1, .time = static_cast<int>(i) + 2}, example};
    series.betas.push_back(quantity(node.item(i), need).value_or(0));
  }
  return series;
}

Dispersion read_dispersion(const Node& node) {
  const Object object(node, kinds::dispersion);
  if (!object.valid()) return BetaSeries{};
  std::string given;
  int ways = 0;
  for (const char* way : {"betas", "D", "index", "propagation_constant"}) {
    if (!object.has(way)) continue;
    given += (ways++ == 0 ? "" : ", ") + std::string(way);
  }
  if (ways != 1) {
    node.find((ways == 0 ? "nothing says how the fibre disperses" : given + " say the same thing in several ways") +
              "; give one of betas, D (with S), index, propagation_constant; {\"betas\": []} is none");
  }
  if (object.has("S") && !object.has("D")) {
    node.context->add(object.pointer_of("S"), "the slope S needs D beside it, like \"D\": \"5 ps/(nm km)\"");
  }
  const Need slope_need{{.length = -3, .time = 1}, "0.025 ps/(nm^2 km)"};
  const auto slope = quantity(object.get("S"), slope_need);
  const auto d = quantity(object.get("D"), {{.length = -2, .time = 1}, "5 ps/(nm km)"});
  Dispersion found = BetaSeries{};
  if (object.has("D")) found = DispersionD{d.value_or(0), slope.value_or(0)};
  if (const auto betas = object.get("betas")) found = read_betas(*betas);
  if (const auto index = object.get("index")) {
    if (auto curve = read_curve(*index, {kNumber, "1"}, Sign::positive)) found = IndexCurve{std::move(*curve)};
  }
  if (const auto beta = object.get("propagation_constant")) {
    if (auto curve = read_curve(*beta, {kPerLength, "1/m"}, Sign::any)) found = PropagationCurve{std::move(*curve)};
  }
  return found;
}

void read_nonlinearity(const Object& object, Fibre& fibre) {
  fibre.gamma = quantity(object.get("gamma"), {kGamma, "0.11 1/(W m)"});
  fibre.n2 = quantity(object.get("n2"), {kN2, "2.6e-20 m^2/W"});
  if (const auto area = object.get("effective_area")) {
    if (area->value->is_object()) {
      fibre.effective_area_curve = read_curve(*area, {kArea, "um^2"}, Sign::positive);
    } else {
      fibre.effective_area = quantity(*area, {kArea, "80 um^2"}, Sign::positive);
    }
  }
  const auto find = [&](const char* key, const char* text) {
    object.node().context->add(object.pointer_of(key), text);
  };
  if (object.has("gamma") && object.has("n2")) {
    find("n2", "gamma says the nonlinearity already; give gamma, or n2 with effective_area");
  } else if (object.has("gamma") && object.has("effective_area")) {
    find("effective_area", "effective_area belongs to n2; with gamma it has no meaning: give one or the other");
  } else if (object.has("n2") && !object.has("effective_area")) {
    find("effective_area", "n2 needs effective_area beside it, like \"effective_area\": \"80 um^2\"");
  } else if (object.has("effective_area") && !object.has("n2")) {
    find("n2", "effective_area needs n2 beside it, like \"n2\": \"2.6e-20 m^2/W\"");
  }
}

}  // namespace

Fibre read_medium(const Node& node) {
  Fibre fibre;
  // Another type has other keys; to call them unknown would mislead, so only the type is spoken of.
  if (node.value->is_object() && node.value->contains("type")) {
    const Node type{&(*node.value)["type"], node.pointer + "/type", node.context};
    if (!choose(type, choices::gnlse::medium)) return fibre;
  }
  const Object object(node, kinds::medium);
  if (!object.valid()) return fibre;
  (void)object.need("type", "\"fibre\"");
  fibre.length = quantity(object.need("length", "\"15 cm\""), {kLength, "15 cm"}, Sign::positive).value_or(0);
  read_nonlinearity(object, fibre);
  if (const auto dispersion = object.need("dispersion", R"({"betas": ["-11.83 ps^2/km"]})")) {
    fibre.dispersion = read_dispersion(*dispersion);
  }
  if (const auto loss = object.get("loss")) {
    if (loss->value->is_object()) {
      fibre.loss_curve = read_curve(*loss, {kPerLength, "dB/m"}, Sign::not_negative);
    } else {
      fibre.loss = quantity(*loss, {kPerLength, "0.2 dB/km"}, Sign::not_negative).value_or(0);
    }
  }
  return fibre;
}

}  // namespace lumarch::problem
