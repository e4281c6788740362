// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "problem/integrators.hpp"
#include "problem/parts.hpp"
#include "problem/tables.hpp"
#include "problem/text.hpp"

namespace lumarch::problem {

namespace {

constexpr double kTightTolerance = 1e-9;
constexpr double kLoosest = 1e-2;

double read_tolerance(const Node& node) {
  const double usual = March{}.tolerance;
  if (node.value->is_string()) {
    const auto& word = node.value->get_ref<const std::string&>();
    if (word == "default") return usual;
    if (word == "tight") return kTightTolerance;
    node.find(in_quotes(word) + " is no tolerance; write a number like 1e-7, \"default\" or \"tight\"");
    return usual;
  }
  const auto value = quantity(node, {kNumber, "1e-7"}, Sign::positive);
  if (!value || *value <= kLoosest) return value.value_or(usual);
  node.find(shown(*node.value) + " is out of range: the tolerance is above 0 and at most 0.01, like 1e-7");
  return usual;
}

std::optional<double> read_step(const Object& object, const char* key, const Extent& extent) {
  const auto node = object.get(key);
  const auto value = quantity(node, {kLength, "1 mm"}, Sign::positive);
  if (value && extent.length > 0 && *value > extent.length) {
    node->find(shown(*node->value) + " is out of range: a step is no longer than the " + extent.body + " (" +
               short_number(extent.length) + " m)");
  }
  return value;
}

std::vector<double> read_steps(const Node& node, const Extent& extent) {
  const double length = extent.length;
  std::vector<double> steps;
  double sum = 0, lost = 0;  // Neumaier: a million steps sum to the length within rounding
  for (std::size_t i = 0; i < node.value->size(); ++i) {
    const auto value = quantity(node.item(i), {kLength, "1 mm"}, Sign::positive);
    if (!value) return {};
    steps.push_back(*value);
    const double next = sum + *value;
    lost += std::abs(sum) >= *value ? (sum - next) + *value : (*value - next) + sum;
    sum = next;
  }
  sum += lost;
  if (steps.empty()) node.find("the list is empty; without a schedule steps are adaptive");
  if (!steps.empty() && length > 0 && !(std::abs(sum - length) <= 1e-9 * length)) {
    node.find("the steps sum to " + short_number(sum) + " m, the " + extent.body + " is " + short_number(length) +
              " m long; they have to agree to 1e-9");
  }
  return steps;
}

void read_schedule(const Object& object, const Extent& extent, March& march) {
  const auto node = object.get("schedule");
  if (!node) return;
  for (const char* key : {"tolerance", "first_step", "max_step", "min_step"}) {
    if (object.has(key)) {
      node->context->add(object.pointer_of(key), std::string(key) + " has no meaning beside a schedule; take one out");
    }
  }
  if (node->value->is_array()) {
    march.schedule = read_steps(*node, extent);
  } else if (node->value->is_object()) {
    const Object replay(*node, kinds::replay);
    if (const auto run = replay.need("run", "\"before.h5\"")) march.schedule_run = note_file(*run).value_or("");
  } else {
    node->find("a schedule is a list of lengths like [\"1 mm\", \"1 mm\"] or {\"run\": \"before.h5\"}, not " +
               type_of(*node->value) + " (" + shown(*node->value) + ")");
  }
}

}  // namespace

March read_march(const Node& node, const Extent& extent) {
  March march;
  const Object object(node, kinds::march);
  if (!object.valid()) return march;
  if (const auto integrator = object.get("integrator")) {
    if (const auto index = choose(*integrator, choices::integrator)) {
      march.integrator = integrators.at(*index);
    }
  }
  if (const auto tolerance = object.get("tolerance")) march.tolerance = read_tolerance(*tolerance);
  march.first_step = read_step(object, "first_step", extent);
  march.max_step = read_step(object, "max_step", extent);
  march.min_step = read_step(object, "min_step", extent);
  const auto above = [&](const char* low, const std::optional<double>& small, const char* high,
                         const std::optional<double>& large) {
    if (!small || !large || *small <= *large) return;
    node.context->add(object.pointer_of(low), std::string(low) + " (" + short_number(*small) + " m) is above " + high +
                                                  " (" + short_number(*large) + " m)");
  };
  above("min_step", march.min_step, "max_step", march.max_step);
  above("first_step", march.first_step, "max_step", march.max_step);
  above("min_step", march.min_step, "first_step", march.first_step);
  read_schedule(object, extent, march);
  return march;
}

std::vector<double> even_planes(std::int64_t count, double length) {
  std::vector<double> planes;
  for (std::int64_t i = 0; i < count; ++i) {
    planes.push_back(length * static_cast<double>(i) / static_cast<double>(count - 1));
  }
  planes.back() = length;
  return planes;
}

std::vector<double> read_planes(const Node& node, const Extent& extent) {
  const double length = extent.length;
  if (node.value->is_number()) {
    const auto count = integer(node, 2, kMostPlanes);
    return count ? even_planes(*count, length) : std::vector<double>{};
  }
  std::vector<double> planes;
  if (!node.value->is_array()) {
    node.find("planes are a number like 201 or a list like [0, \"5 cm\", \"10 cm\"], not " + type_of(*node.value) +
              " (" + shown(*node.value) + ")");
    return planes;
  }
  if (node.value->empty()) node.find("the list is empty; one plane at least is needed, like [\"15 cm\"]");
  for (std::size_t i = 0; i < node.value->size(); ++i) {
    const Node item = node.item(i);
    const auto z = quantity(item, {kLength, "5 cm"}, Sign::not_negative);
    if (!z) continue;
    if (length > 0 && *z > length) {
      // "15 cm" may be written in two ways that differ in the last bit.
      if (*z > length * (1 + 1e-12)) {
        item.find(shown(*item.value) + " is out of range: it lies behind the " + extent.body + "'s end (" +
                  short_number(length) + " m)");
        continue;
      }
      planes.push_back(length);
    } else {
      planes.push_back(*z);
    }
    if (planes.size() > 1 && !(planes[planes.size() - 1] > planes[planes.size() - 2])) {
      item.find(shown(*item.value) + " does not lie behind the plane before it; planes have to rise strictly");
    }
  }
  return planes;
}

}  // namespace lumarch::problem
