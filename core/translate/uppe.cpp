// SPDX-License-Identifier: Apache-2.0
#include "translate/uppe.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "media/constants.hpp"
#include "translate/pins.hpp"
#include "translate/pulse_warnings.hpp"

namespace lumarch {

namespace {

bool wants_third_harmonic(const Problem& problem) {
  for (const Response& response : problem.responses) {
    if (const auto* kerr = std::get_if<Kerr>(&response); kerr && kerr->third_harmonic) return true;
    if (std::holds_alternative<Chi2>(response)) return true;
  }
  return false;
}

// Frequencies that the material does not let through are not propagated.
void close_opaque(UppeTables& tables) {
  double longest = 0, shortest = HUGE_VAL;
  for (std::int64_t k = 0; k < tables.grid.samples; ++k) {
    double& weight = tables.grid.weight[static_cast<std::size_t>(k)];
    if (weight == 0 || tables.optics->transparent(tables.grid.omega(k))) continue;
    weight = 0;
    const double wavelength = 2 * constants::pi * constants::c / tables.grid.omega(k);
    longest = std::max(longest, wavelength);
    shortest = std::min(shortest, wavelength);
  }
  if (longest == 0) return;
  char text[300];
  std::snprintf(text, sizeof text,
                "the grid's band goes to where the medium has no index (from %.4g to %.4g nm): nothing is propagated "
                "there; give /time/band",
                shortest * 1e9, longest * 1e9);
  tables.warnings.emplace_back(text);
}

void warn_of_ranges(const Problem& problem, UppeTables& tables) {
  double low = HUGE_VAL, high = 0;
  for (std::int64_t k = 0; k < tables.grid.samples; ++k)
    if (tables.grid.weight[static_cast<std::size_t>(k)] > 0) {
      low = std::min(low, tables.grid.omega(k));
      high = std::max(high, tables.grid.omega(k));
    }
  const double shortest = 2 * constants::pi * constants::c / high, longest = 2 * constants::pi * constants::c / low;
  for (const Optics::Known& known : tables.optics->known()) {
    if (shortest >= known.shortest && longest <= known.longest) continue;
    char text[300];
    std::snprintf(text, sizeof text, "%s is known from %.4g to %.4g nm, the band goes from %.4g to %.4g nm; beyond, %s",
                  known.what.c_str(), known.shortest * 1e9, known.longest * 1e9, shortest * 1e9, longest * 1e9,
                  known.beyond);
    tables.warnings.emplace_back(text);
  }
  const auto of_pulses = pulse_warnings(problem, tables.grid.window, low, high);
  tables.warnings.insert(tables.warnings.end(), of_pulses.begin(), of_pulses.end());
}

}  // namespace

UppeTables translate_uppe(const Problem& given) {
  UppeTables tables;
  const Problem problem = with_pins(given, tables.notes);
  const Geometry& geometry = problem.uppe->geometry;
  tables.route = geometry.route;
  tables.optics = std::make_shared<Optics>(problem);
  const bool real = problem.uppe->field == FieldKind::real;
  tables.grid = BandGrid(problem, !real && wants_third_harmonic(problem));
  close_opaque(tables);
  warn_of_ranges(problem, tables);
  if (tables.optics->guided()) {
    tables.inner = static_cast<std::int64_t>(tables.optics->modes().size());
    tables.axes.inner = tables.inner;
    if (tables.route == Route::modal) tables.axes.modes = tables.optics->mode_names();
  } else {
    tables.transverse = std::make_shared<Transverse>(geometry);
    tables.components = geometry.polarisations;
    if (tables.components == 2 && tables.optics->two_indices()) tables.own_components = 2;
    tables.outer = tables.transverse->outer();
    tables.inner = tables.transverse->inner();
    tables.axes = tables.transverse->axes(geometry.polarisations);
  }
  translate_source(problem, tables);
  translate_responses(problem, tables);
  translate_operator(problem, tables);
  translate_absorbers(problem, tables);
  return tables;
}

}  // namespace lumarch
