// SPDX-License-Identifier: Apache-2.0
// Statistics as objects: a quantity of what passes an aperture.
#include "problem/aperture.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "problem/parts.hpp"
#include "problem/text.hpp"
#include "problem/uppe.hpp"

namespace lumarch::problem {

namespace {

// Numbers of the plane's axes: wave numbers, or lengths.
struct Axes {
  Dimension dimension;
  const char* example;
};

std::optional<std::pair<double, double>> pair_of(const Node& node, const Axes& axes, Sign sign) {
  if (!is_list(node, std::string("[\"") + axes.example + "\", \"" + axes.example + "\"]")) return std::nullopt;
  if (node.value->size() != 2) {
    node.find("two values, for x and for y, not " + std::to_string(node.value->size()));
    return std::nullopt;
  }
  const auto x = quantity(node.item(0), {axes.dimension, axes.example}, sign),
             y = quantity(node.item(1), {axes.dimension, axes.example}, sign);
  if (!x || !y) return std::nullopt;
  return std::pair{*x, *y};
}

// Which of its keys each shape has, in the order of the enumeration.
const std::vector<std::vector<std::string>> keys_of_shapes{
    {"radius", "centre"}, {"radii", "centre"}, {"half_widths", "centre"}, {"normal", "edge"}};

std::optional<Aperture> read_aperture(const Node& node, Aperture::Plane plane) {
  const Object object(node, kinds::aperture);
  if (!object.valid()) return std::nullopt;
  const Axes axes = plane == Aperture::Plane::far_field ? Axes{kPerLength, "2e5 1/m"} : Axes{kLength, "50 um"};
  const auto type = object.need("type", "\"circle\"");
  if (!type) return std::nullopt;
  const auto shape = choose(*type, choices::aperture);
  if (!shape) return std::nullopt;
  const auto& own = keys_of_shapes[*shape];
  for (const auto& keys : keys_of_shapes)
    for (const std::string& key : keys)
      if (object.has(key) && std::find(own.begin(), own.end(), key) == own.end()) {
        node.context->add(object.pointer_of(key), "a " + choices::aperture.words[*shape] + " has no " + in_quotes(key) +
                                                      "; it has " + listed(own));
        return std::nullopt;
      }
  Aperture aperture;
  aperture.plane = plane;
  aperture.shape = static_cast<Aperture::Shape>(*shape);
  const auto take = [](const std::optional<std::pair<double, double>>& given, double& x, double& y) {
    if (given) std::tie(x, y) = *given;
    return given.has_value();
  };
  bool good = true;
  if (const auto centre = object.get("centre")) good = take(pair_of(*centre, axes, Sign::any), aperture.x, aperture.y);
  const std::string both = std::string("[\"") + axes.example + "\", \"" + axes.example + "\"]";
  switch (aperture.shape) {
    case Aperture::Shape::circle: {
      const auto radius =
          quantity(object.need("radius", in_quotes(axes.example)), {axes.dimension, axes.example}, Sign::positive);
      aperture.a = aperture.b = radius.value_or(0);
      good = good && radius;
      break;
    }
    case Aperture::Shape::ellipse:
    case Aperture::Shape::rectangle: {
      const auto sizes = object.need(aperture.shape == Aperture::Shape::ellipse ? "radii" : "half_widths", both);
      good = good && sizes && take(pair_of(*sizes, axes, Sign::positive), aperture.a, aperture.b);
      break;
    }
    case Aperture::Shape::half_plane: {
      const auto normal = object.need("normal", "[1, 0]");
      good =
          good && normal && take(pair_of(*normal, {kNumber, "1"}, Sign::any), aperture.normal[0], aperture.normal[1]);
      const auto edge = quantity(object.need("edge", in_quotes(axes.example)), {axes.dimension, axes.example});
      aperture.a = edge.value_or(0);
      good = good && edge;
      if (good && aperture.normal[0] == 0 && aperture.normal[1] == 0) {
        normal->find("a normal of [0, 0] has no direction; [1, 0] lets x >= edge through");
        good = false;
      }
      break;
    }
  }
  return good ? std::optional(aperture) : std::nullopt;
}

}  // namespace

std::string aperture_refusal(const StatisticRequest& request, const Problem& problem) {
  if (!request.aperture) return {};
  if (!problem.uppe || !in_free_space(problem.uppe->geometry.route))
    return "apertures are for the routes in free space: radial, line, cartesian";
  if (!passes_apertures(request.quantity))
    return "this quantity is not read through an aperture; those of the spectrum and of the power are: energy, "
           "photon_number, energy_band, centroid_omega, rms_omega, width_20db, peak_power, fwhm_time, "
           "fwhm_time_widest, "
           "centroid_time, rms_time";
  const Aperture& aperture = *request.aperture;
  if (problem.uppe->geometry.route == Route::radial &&
      (aperture.shape != Aperture::Shape::circle || aperture.x != 0 || aperture.y != 0))
    return "a radial field passes circles about the axis alone; other apertures are for line and cartesian";
  return {};
}

bool passes_apertures(Quantity quantity) {
  switch (quantity) {
    case Quantity::energy:
    case Quantity::photon_number:
    case Quantity::energy_band:
    case Quantity::centroid_omega:
    case Quantity::rms_omega:
    case Quantity::width_20db:
    case Quantity::peak_power:
    case Quantity::fwhm_time:
    case Quantity::fwhm_time_widest:
    case Quantity::centroid_time:
    case Quantity::rms_time:
      return true;
    default:
      return false;
  }
}

std::optional<StatisticRequest> read_statistic_object(const Node& node, const Problem& problem,
                                                      const ReadByName& by_name) {
  const Object object(node, kinds::statistic);
  if (!object.valid()) return std::nullopt;
  const auto named = object.need("quantity", "\"energy\"");
  if (!named) return std::nullopt;
  auto request = by_name(*named);
  if (!request) return std::nullopt;
  const auto far = object.get("far_field"), near = object.get("near_field");
  if (far && near) {
    node.find("one of far_field and near_field, not both");
    return std::nullopt;
  }
  if (far || near) {
    request->aperture =
        read_aperture(far ? *far : *near, far ? Aperture::Plane::far_field : Aperture::Plane::near_field);
    if (!request->aperture) return std::nullopt;
    request->name = (far ? "far_field_" : "near_field_") + request->name;
    if (const std::string refusal = aperture_refusal(*request, problem); !refusal.empty()) {
      node.find(refusal);
      return std::nullopt;
    }
  }
  if (const auto name = object.get("name")) {
    const auto text = string(*name, "core_energy");
    if (!text) return std::nullopt;
    request->name = *text;
  }
  return request;
}

}  // namespace lumarch::problem
