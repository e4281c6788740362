// SPDX-License-Identifier: Apache-2.0
#include "output/schema.hpp"

namespace lumarch::schema {

namespace {

[[noreturn]] void misfit(const std::string& name, std::size_t have, std::int64_t want) {
  throw Error(Fault::output, "the axis " + name + " of the nodes has " + std::to_string(have) + " values for " +
                                 std::to_string(want) + " nodes");
}

Axis axis(const char* name, std::size_t have, std::int64_t want) {
  if (want < 1 || have != static_cast<std::size_t>(want)) misfit(name, have, want);
  return {name, have};
}

std::vector<Axis> space(const NodeAxes& nodes, bool transformed) {
  if (nodes.x.empty() && !nodes.y.empty()) throw Error(Fault::output, "the nodes have an axis y, but none of x");
  using Values = std::vector<double>;
  std::vector<Axis> axes;
  const auto add = [&](const char* name, const Values& plain, const char* k_name, const Values& k, std::int64_t want) {
    if (plain.empty() && k.empty()) return;
    axes.push_back(transformed ? axis(k_name, k.size(), want) : axis(name, plain.size(), want));
  };
  add("y", nodes.y, "ky", nodes.ky, nodes.outer);
  add("x", nodes.x, "kx", nodes.kx, nodes.inner);
  add("r", nodes.r, "kr", nodes.kr, nodes.inner);
  return axes;
}

}  // namespace

std::vector<Axis> field_axes(const NodeAxes& nodes) {
  std::vector<Axis> axes;
  if (nodes.components == 2) axes.push_back({"component", 2});
  const std::vector<Axis> inner =
      nodes.modes.empty() ? space(nodes, true) : std::vector{axis("modes", nodes.modes.size(), nodes.inner)};
  axes.insert(axes.end(), inner.begin(), inner.end());
  std::int64_t laid_out = 1;
  for (const Axis& one : axes) laid_out *= static_cast<std::int64_t>(one.size);
  if (laid_out != nodes.nodes()) {
    throw Error(Fault::output, "the axes of the nodes name " + std::to_string(laid_out) + " of " +
                                   std::to_string(nodes.nodes()) + " nodes");
  }
  return axes;
}

std::vector<Axis> fluence_axes(const NodeAxes& nodes) { return space(nodes, false); }

bool is_line(const NodeAxes& nodes) { return !nodes.x.empty() && nodes.y.empty(); }

const char* field_units(const NodeAxes& nodes) {
  if (fluence_axes(nodes).empty()) return "sqrt(W) s";
  return is_line(nodes) ? "V s" : "V s m";
}

Meaning meaning(Quantity quantity, const RunInfo& info) {
  const NodeAxes& nodes = info.nodes;
  // Of the whole beam: a line's is per metre of y.
  const auto whole = [&](const std::string& units) { return is_line(nodes) ? units + "/m" : units; };
  switch (quantity) {
    case Quantity::energy:
      return {whole("J"), "energy", {}};
    case Quantity::peak_power:
      return {whole("W"), "peak power", {}};
    case Quantity::fwhm_time:
      return {"s", "narrowest full width at half maximum of the power", {}};
    case Quantity::fwhm_time_widest:
      return {"s", "widest full width at half maximum of the power", {}};
    case Quantity::rms_time:
      return {"s", "rms width of the power", {}};
    case Quantity::centroid_time:
      return {"s", "centroid of the power", {}};
    case Quantity::centroid_omega:
      return {"rad/s", "centroid of the spectrum", {}};
    case Quantity::rms_omega:
      return {"rad/s", "rms width of the spectrum", {}};
    case Quantity::width_20db:
      return {"m", "wavelengths at the ends of the spectrum above -20 dB", {{"pair", 2}}};
    case Quantity::photon_number:
      return {is_line(nodes) ? "1/m" : "1", "number of photons", {}};
    case Quantity::energy_band:
      return {whole("J"), "energy in a band", {}};
    case Quantity::mode_energy:
      if (nodes.modes.empty()) return {"J", "energy in the mode", {}};
      return {"J", "energy in each mode", {{"modes", nodes.modes.size()}}};
    case Quantity::peak_intensity:
      return {"W/m^2", "peak intensity", {}};
    case Quantity::on_axis_intensity:
      return {"W/m^2", "peak intensity on the axis", {}};
    case Quantity::on_axis_fluence:
      return {"J/m^2", "fluence on the axis", {}};
    case Quantity::beam_radius:
      return {"m", "second-moment radius of the fluence along x and y", {{"pair", 2}}};
    case Quantity::fwhm_r:
      return {"m", "full width at half maximum of the fluence", {}};
    case Quantity::density:
      return {"1/m^3", "number density of the gas", {}};
    case Quantity::pressure:
      return {"Pa", "pressure of the gas", {}};
    case Quantity::core_radius:
      return {"m", "radius of the core", {}};
    case Quantity::electron_density:
      return {"1/m^3", "electron density behind the pulse", {}};
    case Quantity::zdw:
      return {"m", "zero-dispersion wavelength", {}};
    case Quantity::on_axis_spectrum:
      return {"J s/m^2", "fluence on the axis per angular frequency", {{"omega", info.omega.size()}}};
    case Quantity::on_axis_time:
      return {"W/m^2", "intensity on the axis", {{"time", info.time.size()}}};
    case Quantity::peak_ionisation_rate:
      return {"1/s", "largest rate of ionisation on the axis", {}};
  }
  return {"1", "", {}};
}

}  // namespace lumarch::schema

namespace lumarch {

std::size_t values_of(const StatisticRequest& request, const RunInfo& info) {
  std::size_t count = 1;
  for (const schema::Axis& axis : schema::meaning(request.quantity, info).axes) count *= axis.size;
  return count;
}

}  // namespace lumarch
