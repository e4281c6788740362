// SPDX-License-Identifier: Apache-2.0
// The media of the model uppe, one function a type.
#include "problem/parts.hpp"
#include "problem/tables.hpp"
#include "problem/text.hpp"
#include "problem/uppe.hpp"

namespace lumarch::problem {

namespace {

Profile radius_of(const Object& object, double length, const char* example) {
  const auto radius = object.need("radius", example);
  return radius ? read_taper(*radius, length) : Profile{};
}

Material wall_of(const Object& object) {
  const auto wall = object.get("wall");
  return wall ? read_material(*wall) : kFusedSilica;
}

bool loss_of(const Object& object) { return flag(object.get("loss")).value_or(true); }

std::optional<double> n2_of(const Object& object) {
  return quantity(object.get("n2"), {kN2, "2.7e-20 m^2/W"}, Sign::not_negative);
}

double birefringence_of(const Object& object) {
  return quantity(object.get("birefringence"), {kNumber, "1e-4"}).value_or(0);
}

double across(const Object& object, const char* key, const char* example) {
  const auto node = object.need(key, in_quotes(example));
  return node ? read_transverse(*node, example).value_or(0) : 0;
}

Capillary read_capillary(const Object& object, double length) {
  Capillary capillary;
  capillary.gas = read_gas_fill(object, length);
  capillary.radius = radius_of(object, length, "\"125 um\"");
  capillary.wall = wall_of(object);
  if (const auto model = object.get("model")) capillary.reduced = choose(*model, choices::capillary_model) == 1;
  capillary.loss = loss_of(object);
  return capillary;
}

Antiresonant read_antiresonant(const Object& object, double length) {
  Antiresonant fibre;
  fibre.gas = read_gas_fill(object, length);
  fibre.radius = radius_of(object, length, "\"20 um\"");
  fibre.wall = wall_of(object);
  fibre.wall_thickness = across(object, "wall_thickness", "0.7 um");
  if (const auto model = object.get("model")) fibre.vincetti = choose(*model, choices::antiresonant_model) == 1;
  if (fibre.vincetti) {
    if (const auto tubes = object.need("tubes", "6"))
      fibre.tubes = static_cast<int>(integer(*tubes, kLeastTubes, kMostTubes).value_or(0));
    fibre.tube_radius = across(object, "tube_radius", "8 um");
  } else {
    for (const char* key : {"tubes", "tube_radius"}) {
      if (object.has(key))
        object.node().context->add(object.pointer_of(key), std::string(key) +
                                                               " belongs to the model vincetti; write \"model\": "
                                                               "\"vincetti\" or take it out");
    }
  }
  fibre.loss = loss_of(object);
  fibre.birefringence = birefringence_of(object);
  return fibre;
}

// Step-index and graded-index fibres have the same keys.
template <class Fibre>
Fibre read_solid_fibre(const Object& object) {
  Fibre fibre;
  if (const auto core = object.need("core", "1.47")) fibre.core = read_material(*core);
  if (const auto cladding = object.need("cladding", "\"fused-silica\"")) fibre.cladding = read_material(*cladding);
  fibre.radius = across(object, "radius", "2 um");
  fibre.n2 = n2_of(object);
  fibre.birefringence = birefringence_of(object);
  return fibre;
}

Rectangular read_rectangular(const Object& object, double length) {
  Rectangular guide;
  guide.gas = read_gas_fill(object, length);
  guide.half_width = across(object, "half_width", "100 um");
  guide.half_height = across(object, "half_height", "100 um");
  guide.wall = wall_of(object);
  guide.loss = loss_of(object);
  return guide;
}

// {"x": "bbo-e", "y": "bbo-o"}, or one material for both polarisations.
void read_materials(const Node& node, Solid& solid) {
  const bool both = node.value->is_object() && (node.value->contains("x") || node.value->contains("y"));
  if (!both) {
    solid.material = read_material(node);
    return;
  }
  const Object object(node, kinds::axes);
  if (const auto y = object.need("y", "\"bbo-o\"")) solid.material = read_material(*y);
  if (const auto x = object.need("x", "\"bbo-e\"")) solid.material_x = read_material(*x);
}

Solid read_glass(const Object& object) {
  Solid solid;
  if (const auto material = object.need("material", "\"fused-silica\"")) read_materials(*material, solid);
  solid.birefringence = birefringence_of(object);
  if (const auto cut = object.get("cut")) {
    solid.cut = quantity(*cut, {kAngle, "29.2 deg"}, Sign::not_negative);
    if (solid.cut && !(*solid.cut <= kSteepestCut))
      cut->find(shown(*cut->value) +
                " is out of range: the angle of the optic axis from z is 0 to 90 deg; a plain number is in rad, write "
                "\"29.2 deg\"");
  }
  solid.n2 = n2_of(object);
  const auto chi2 = object.get("chi2");
  solid.chi2 = quantity(chi2, {kChi2, "2 pm/V"});
  if (solid.chi2 && !(*solid.chi2 <= kMostChi2 && *solid.chi2 >= -kMostChi2)) {
    chi2->find(shown(*chi2->value) + " is out of range (at most 1e-6 m/V); a plain number is in m/V, write \"2 pm/V\"");
  }
  const auto period = object.get("poling_period");
  solid.poling_period = quantity(period, {kLength, "20 um"}, Sign::positive).value_or(0);
  if (period && !chi2)
    period->find("a poling period turns chi2 over, and there is none; write \"chi2\": \"2 pm/V\" beside it");
  return solid;
}

TabulatedGuide read_tabulated(const Object& object, double length) {
  TabulatedGuide guide;
  const std::string example = R"({"file": "index.csv", "units": ["nm", "1"]})";
  if (const auto index = object.need("index", example)) {
    if (auto curve = read_curve(*index, {kNumber, "1"}, Sign::positive)) guide.index = std::move(*curve);
  }
  if (const auto loss = object.get("loss")) {
    if (loss->value->is_object())
      guide.loss_curve = read_curve(*loss, {kPerLength, "dB/m"}, Sign::not_negative);
    else
      guide.loss = quantity(*loss, {kPerLength, "0.2 dB/km"}, Sign::not_negative).value_or(0);
  }
  if (const auto area = object.get("effective_area")) {
    if (area->value->is_object())
      guide.effective_area_curve = read_curve(*area, {kArea, "um^2"}, Sign::positive);
    else
      guide.effective_area = quantity(*area, {kArea, "80 um^2"}, Sign::positive);
  }
  guide.n2 = n2_of(object);
  for (const char* key : {"gas", "pressure", "temperature"}) {
    if (!object.has(key)) continue;
    guide.gas = read_gas_fill(object, length);
    break;
  }
  if (guide.n2 && !guide.gas.parts.empty())
    object.node().context->add(object.pointer_of("n2"), "the gas has a nonlinear index already; give n2 or gas");
  return guide;
}

}  // namespace

std::optional<bool> flag(const std::optional<Node>& node) {
  if (!node) return std::nullopt;
  if (node->value->is_boolean()) return node->value->get<bool>();
  node->find("true or false is needed here, not " + type_of(*node->value) + " (" + shown(*node->value) + ")");
  return std::nullopt;
}

std::optional<Medium> read_uppe_medium(const Node& node, double& length) {
  if (!node.value->is_object()) {
    node.find(R"(a medium is an object like {"type": "capillary", ...}, not )" + type_of(*node.value) + " (" +
              shown(*node.value) + ")");
    return std::nullopt;
  }
  if (!node.value->contains("type")) {
    node.context->add(node.pointer + "/type", R"(the key "type" is missing; write for example "type": "capillary")");
    return std::nullopt;
  }
  const Node type{&(*node.value)["type"], node.pointer + "/type", node.context};
  const auto index = choose(type, choices::medium);
  if (!index) return std::nullopt;
  if (*index == 0) {
    type.find(
        "a fibre given by its parameters belongs to the model gnlse; uppe has capillary, antiresonant, step-index, "
        "rectangular, gas, glass, graded-index, tabulated");
    return std::nullopt;
  }
  static const std::vector<const Kind*> own{&kinds::capillary,    &kinds::antiresonant, &kinds::step_index,
                                            &kinds::rectangular,  &kinds::gas,          &kinds::glass,
                                            &kinds::graded_index, &kinds::tabulated};
  const Object object(node, *own[*index - 1]);
  length = quantity(object.need("length", "\"15 cm\""), {kLength, "15 cm"}, Sign::positive).value_or(0);
  switch (*index) {
    case 1:
      return read_capillary(object, length);
    case 2:
      return read_antiresonant(object, length);
    case 3:
      return read_solid_fibre<StepIndex>(object);
    case 4:
      return read_rectangular(object, length);
    case 5:
      return FreeGas{read_gas_fill(object, length)};
    case 6:
      return read_glass(object);
    case 7:
      return read_solid_fibre<GradedIndex>(object);
    default:
      return read_tabulated(object, length);
  }
}

}  // namespace lumarch::problem
