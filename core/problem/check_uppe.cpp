// SPDX-License-Identifier: Apache-2.0
// Members of problems of the model uppe that a program made: what the reader of files finds where the text stands.
#include <algorithm>
#include <cmath>

#include "problem/check.hpp"
#include "problem/parts.hpp"
#include "problem/uppe.hpp"

namespace lumarch::problem {

namespace {

void check_count(std::int64_t value, std::int64_t low, std::int64_t high, const std::string& pointer, Check& check) {
  if (value < low || value > high)
    check.add(pointer,
              std::to_string(value) + " is out of range: " + std::to_string(low) + " to " + std::to_string(high));
}

void check_across(double value, const std::string& pointer, const char* what, Check& check) {
  if (!(value > 0 && value <= kWidest))
    check.add(pointer, std::string(what) + " is above 0 and at most 1 m; it is " + short_number(value) + " m");
}

void check_geometry(const Geometry& geometry, Check& check) {
  check.choice(geometry.route, Route::cartesian, "/geometry/route");
  check_count(geometry.polarisations, 1, geometry.route == Route::mode_averaged ? 1 : 2, "/geometry/polarisations",
              check);
  const bool averaged = geometry.route == Route::mode_averaged;
  for (std::size_t i = 0; i < geometry.modes.size(); ++i) {
    const std::string refusal = mode_refusal(geometry.modes[i]);
    if (!refusal.empty()) check.add(averaged ? "/geometry/mode" : "/geometry/modes/" + std::to_string(i), refusal);
  }
  if (averaged && geometry.modes.size() > 1) check.add("/geometry/mode", "the route mode-averaged has one mode");
  switch (geometry.route) {
    case Route::mode_averaged:
      break;
    case Route::modal:
      if (geometry.modes.empty()) check.add("/geometry/modes", "one mode at least is needed, like {\"HE11\"}");
      check_count(geometry.radial_nodes, kLeastNodes, kMostNodes, "/geometry/radial_nodes", check);
      break;
    case Route::radial:
      check_across(geometry.radius, "/geometry/radius", "the radius", check);
      check_count(geometry.points, 2, kMostRadial, "/geometry/points", check);
      break;
    case Route::line:
      check_across(geometry.half_width, "/geometry/half_width", "the half width", check);
      check_count(geometry.points, 2, kMostLine, "/geometry/points", check);
      break;
    case Route::cartesian:
      check_across(geometry.half_width, "/geometry/half_width/0", "the half width", check);
      check_across(geometry.half_height, "/geometry/half_width/1", "the half height", check);
      check_count(geometry.points, 2, kMostCartesian, "/geometry/points/0", check);
      check_count(geometry.points_y, 2, kMostCartesian, "/geometry/points/1", check);
      break;
  }
}

// One value, or as many as there are z, which rise from 0 to the length.
template <class Value>
void check_profile(const Profile& profile, double length, const std::string& pointer, Check& check, Value value) {
  if (profile.pin) return check_pin(profile, pointer, check);
  if (profile.value.empty()) return check.add(pointer, "one value at least is needed");
  for (const double one : profile.value) value(one, pointer);
  if (profile.constant()) return;
  if (profile.z.size() != profile.value.size())
    return check.add(pointer, "there are as many z as values; here are " + std::to_string(profile.z.size()) + " and " +
                                  std::to_string(profile.value.size()));
  check.rising(profile.z, pointer, "z");
  if (profile.z.front() != 0 || !(std::abs(profile.z.back() - length) <= 1e-9 * length))
    check.add(pointer, "z goes from 0 to the length, " + short_number(length) + " m; here it goes from " +
                           short_number(profile.z.front()) + " to " + short_number(profile.z.back()));
}

void check_gas(const GasFill& gas, double length, Check& check) {
  double sum = 0;
  for (const GasFill::Part& part : gas.parts) {
    check.choice(part.gas, static_cast<Gas>(gas_names.size() - 1), "/medium/gas");
    check.positive(part.share, "/medium/gas", "the share of a gas");
    sum += part.share;
  }
  if (gas.parts.empty()) return;  // vacuum
  if (!(std::abs(sum - 1) <= kSumWithin))
    check.add("/medium/gas", "the shares of the pressure sum to " + short_number(sum) + "; they have to sum to 1");
  check_profile(gas.pressure, length, "/medium/pressure", check,
                [&](double p, const std::string& at) { check.within(p, 0, kMostPressure, at, "the pressure"); });
  if (!(gas.temperature > 0 && gas.temperature <= kHottest))
    check.add("/medium/temperature",
              "the temperature is above 0 and at most 10000 K; it is " + short_number(gas.temperature) + " K");
}

class MediumCheck {
public:
  MediumCheck(double length, Check& check) : length_(length), check_(check) {}

  void operator()(const Capillary& guide) const {
    check_gas(guide.gas, length_, check_);
    radius(guide.radius);
    check_material(guide.wall, "/medium/wall", check_);
  }
  void operator()(const Antiresonant& guide) const {
    check_gas(guide.gas, length_, check_);
    radius(guide.radius);
    check_material(guide.wall, "/medium/wall", check_);
    check_across(guide.wall_thickness, "/medium/wall_thickness", "the thickness", check_);
    birefringence(guide.birefringence);
    if (!guide.vincetti) return;
    check_count(guide.tubes, kLeastTubes, kMostTubes, "/medium/tubes", check_);
    check_across(guide.tube_radius, "/medium/tube_radius", "the radius", check_);
  }
  void operator()(const StepIndex& guide) const { solid_fibre(guide); }
  void operator()(const GradedIndex& guide) const { solid_fibre(guide); }
  void operator()(const TabulatedGuide& guide) const {
    check_.curve(guide.index, "/medium/index");
    check_.none_below(guide.index, 1e-3, "/medium/index", "an index");
    check_.not_negative(guide.loss, "/medium/loss", "the loss");
    if (guide.loss_curve) {
      check_.curve(*guide.loss_curve, "/medium/loss");
      check_.none_below(*guide.loss_curve, 0, "/medium/loss", "a loss");
    }
    check_.positive(guide.effective_area, "/medium/effective_area", "the effective area");
    if (guide.effective_area_curve) {
      check_.curve(*guide.effective_area_curve, "/medium/effective_area");
      check_.none_below(*guide.effective_area_curve, 1e-30, "/medium/effective_area", "an effective area");
      if (guide.effective_area) check_.add("/medium/effective_area", "it is given twice, as a number and as a table");
    }
    if (guide.n2) check_.not_negative(*guide.n2, "/medium/n2", "n2");
    check_gas(guide.gas, length_, check_);
  }
  void operator()(const Rectangular& guide) const {
    check_gas(guide.gas, length_, check_);
    check_across(guide.half_width, "/medium/half_width", "the half width", check_);
    check_across(guide.half_height, "/medium/half_height", "the half height", check_);
    check_material(guide.wall, "/medium/wall", check_);
  }
  void operator()(const FreeGas& medium) const { check_gas(medium.gas, length_, check_); }
  void operator()(const Solid& solid) const {
    check_material(solid.material, "/medium/material", check_);
    if (solid.n2) check_.not_negative(*solid.n2, "/medium/n2", "n2");
    if (solid.material_x) check_material(*solid.material_x, "/medium/material/x", check_);
    if (solid.cut) check_.within(*solid.cut, 0, kSteepestCut, "/medium/cut", "the angle of a cut");
    birefringence(solid.birefringence);
    if (solid.chi2) check_.within(*solid.chi2, -kMostChi2, kMostChi2, "/medium/chi2", "chi2");
    check_.not_negative(solid.poling_period, "/medium/poling_period", "the poling period");
    if (solid.poling_period > 0 && !solid.chi2)
      check_.add("/medium/poling_period", "a poling period turns chi2 over, and there is none");
  }

private:
  template <class Fibre>
  void solid_fibre(const Fibre& guide) const {
    check_material(guide.core, "/medium/core", check_);
    check_material(guide.cladding, "/medium/cladding", check_);
    check_across(guide.radius, "/medium/radius", "the radius", check_);
    if (guide.n2) check_.not_negative(*guide.n2, "/medium/n2", "n2");
    birefringence(guide.birefringence);
  }
  void birefringence(double value) const {
    check_.within(value, -kMostBirefringence, kMostBirefringence, "/medium/birefringence", "a birefringence");
  }
  void radius(const Profile& profile) const {
    check_profile(profile, length_, "/medium/radius", check_,
                  [this](double a, const std::string& at) { check_across(a, at, "the radius", check_); });
  }
  double length_;
  Check& check_;
};

void check_space(const Pulse& pulse, const std::string& place, Check& check) {
  check.finite(pulse.polarisation, place + "/polarisation", "the polarisation");
  check.within(pulse.ellipticity, -1, 1, place + "/ellipticity", "the ellipticity");
  double sum = 0;
  for (const auto& [mode, share] : pulse.modes) {
    check.not_negative(share, place + "/modes/" + printable(mode), "the share of a mode");
    sum += share;
  }
  if (!pulse.modes.empty() && !(std::abs(sum - 1) <= kSumWithin))
    check.add(place + "/modes", "the shares of the power sum to " + short_number(sum) + "; they have to sum to 1");
  if (!pulse.beam) return;
  const Beam& beam = *pulse.beam;
  check_across(beam.waist, place + "/beam/waist", "the waist", check);
  if (beam.waist_y) check_across(*beam.waist_y, place + "/beam/waist", "the waist along y", check);
  for (const auto& [value, key] : {std::pair{beam.focus, "/beam/focus"}, {beam.x, "/beam/x"}, {beam.y, "/beam/y"}})
    check.finite(value, place + key, key + 6);
  for (const auto& [value, key] : {std::pair{beam.tilt_x, "/beam/tilt_x"}, {beam.tilt_y, "/beam/tilt_y"}})
    if (!(std::abs(value) < kMostTilt)) check.add(place + key, "a tilt is below pi/2; it is " + short_number(value));
  if (beam.lens && !(std::isfinite(*beam.lens) && *beam.lens != 0))
    check.add(place + "/beam/lens", "a focal length is finite and not 0; without a lens leave it out");
}

}  // namespace

void check_material(const Material& material, const std::string& pointer, Check& check) {
  if (material.extinction) {
    check.curve(*material.extinction, pointer);
    check.none_below(*material.extinction, 0, pointer, "an extinction");
    if (!material.table) check.add(pointer, "an extinction stands beside the table of an index, and there is none");
  }
  if (material.glass)
    check.choice(*material.glass, static_cast<Glass>(glass_names.size() - 1), pointer);
  else if (material.table)
    check.curve(*material.table, pointer), check.none_below(*material.table, 1e-3, pointer, "an index");
  else
    check.within(material.index, 1, kMostIndex, pointer, "a refractive index");
}

void check_uppe(const Problem& problem, Check& check) {
  const Uppe& uppe = *problem.uppe;
  check.choice(uppe.field, FieldKind::real, "/field");
  check.positive(problem.medium.length, "/medium/length", "the length");
  check_geometry(uppe.geometry, check);
  std::visit(MediumCheck(problem.medium.length, check), uppe.medium);
  check.positive(uppe.boundary.length, "/boundary/length", "the length of absorbers");
  for (std::size_t i = 0; i < problem.launch.size(); ++i)
    check_space(problem.launch[i], "/launch/" + std::to_string(i), check);
  for (std::size_t i = 0; i < problem.responses.size(); ++i) {
    const std::string pointer = "/responses/" + std::to_string(i);
    if (const auto* kerr = std::get_if<Kerr>(&problem.responses[i]))
      check.positive(kerr->saturation_intensity, pointer + "/saturation_intensity", "the saturation intensity");
    if (const auto* plasma = std::get_if<Plasma>(&problem.responses[i]))
      check.choice(plasma->rate, Plasma::Rate::ppt, pointer + "/rate");
  }
}

}  // namespace lumarch::problem
