// SPDX-License-Identifier: Apache-2.0
#include "reads/wants.hpp"

#include <algorithm>

#include "reads/aperture.hpp"
#include "reads/statistics.hpp"

namespace lumarch {

namespace {

std::vector<Aperture> apertures_of(const Problem& problem, Aperture::Plane plane) {
  std::vector<Aperture> out;
  for (const StatisticRequest& request : problem.statistics)
    if (request.aperture && request.aperture->plane == plane &&
        std::find(out.begin(), out.end(), *request.aperture) == out.end())
      out.push_back(*request.aperture);
  return out;
}

}  // namespace

ReadWants wants_of(const Problem& problem) {
  ReadWants wants;
  wants.power =
      problem.edge.on || std::any_of(problem.statistics.begin(), problem.statistics.end(),
                                     [](const StatisticRequest& request) { return needs_time(request.quantity); });
  return wants;
}

ReadWants wants_of(const Problem& problem, const UppeTables& tables) {
  ReadWants wants;
  const bool free = tables.transverse != nullptr;
  wants.fluence = free;
  wants.nodes = problem.edge.on && tables.route == Route::modal;
  wants.axis = std::any_of(tables.responses.begin(), tables.responses.end(),
                           [](const UppeResponse& response) { return response.rates.has_value(); });
  for (const StatisticRequest& request : problem.statistics) {
    switch (request.quantity) {
      case Quantity::mode_energy:
        wants.nodes = true;
        break;
      case Quantity::peak_intensity:
        wants.peak = free;
        wants.axis = wants.axis || !free || tables.route == Route::radial;  // a radial grid has no node on the axis
        break;
      case Quantity::on_axis_intensity:
      case Quantity::on_axis_fluence:
      case Quantity::on_axis_spectrum:
      case Quantity::on_axis_time:
      case Quantity::electron_density:
      case Quantity::peak_ionisation_rate:
      case Quantity::fwhm_r:  // a radial grid has no node on the axis
        wants.axis = true;
        break;
      default:
        break;
    }
  }
  for (const Aperture& aperture : apertures_of(problem, Aperture::Plane::far_field))
    wants.far.push_back(mask_of(aperture, *tables.transverse));
  for (const Aperture& aperture : apertures_of(problem, Aperture::Plane::near_field))
    wants.near.push_back(mask_of(aperture, *tables.transverse));
  return wants;
}

std::size_t which_aperture(const Problem& problem, const Aperture& aperture) {
  const std::vector<Aperture> all = apertures_of(problem, aperture.plane);
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), aperture) - all.begin());
}

}  // namespace lumarch
