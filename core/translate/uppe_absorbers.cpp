// SPDX-License-Identifier: Apache-2.0
// Absorbers with a rate (physics.md, 9). Those in band and k are losses of the operator; those in time and space
// multiply the field at places an eighth of the absorption length apart, whatever the steps are.
#include <algorithm>
#include <cmath>

#include "media/taper.hpp"
#include "problem/absorber_places.hpp"
#include "translate/uppe.hpp"

namespace lumarch {

namespace {

constexpr double rim = 0.1;          // of an axis' half width (radial: of the aperture)
constexpr double least_time = 0.05;  // of the window, at each end
constexpr double steepest = 60;      // the largest loss, over the absorption length

double edge(double position, double half) { return planck_taper(std::abs(position), half, (1 - rim) * half); }

}  // namespace

double absorption_length(const Problem& problem) {
  return problem.uppe->boundary.length.value_or(problem.medium.length / 20);
}

double absorbed(double weight, double l, double ell) {
  const double alpha = weight > 0 ? std::min(-2 * std::log(weight), steepest) / ell : steepest / ell;
  return std::exp(-alpha * l / 2);
}

double k_window(const Transverse& nodes, std::int64_t outer, std::int64_t inner) {
  const auto largest = [](double a, double b) { return std::max(std::abs(a), std::abs(b)); };
  if (!nodes.fourier()) return edge(nodes.kx(inner), nodes.kx(nodes.inner() - 1));
  double weight = edge(nodes.kx(inner), largest(nodes.kx(nodes.inner() / 2), nodes.kx((nodes.inner() - 1) / 2)));
  if (nodes.outer() > 1)
    weight *= edge(nodes.ky(outer), largest(nodes.ky(nodes.outer() / 2), nodes.ky((nodes.outer() - 1) / 2)));
  return weight;
}

void translate_absorbers(const Problem& problem, UppeTables& tables) {
  const Boundary& boundary = problem.uppe->boundary;
  const bool space = boundary.space && tables.transverse;
  if (!boundary.time && !space) return;
  const double ell = absorption_length(problem), length = problem.medium.length;
  const double pieces = std::max(1.0, std::ceil(problem::kPlacesALength * length / ell)), piece = length / pieces;
  for (double i = 0; i < pieces; ++i) tables.absorb_at.push_back((i + 0.5) * piece);
  if (boundary.time) {
    const BandGrid& grid = tables.grid;
    const double half = grid.window / 2;
    const double width = std::max((grid.window - problem.time.window) / 2, least_time * grid.window);
    for (std::int64_t j = 0; j < grid.times; ++j)
      tables.time_collar.push_back(absorbed(planck_taper(std::abs(grid.time(j)), half, half - width), piece, ell));
  }
  if (!space) return;
  const Transverse& nodes = *tables.transverse;
  const double half_x = nodes.fourier() ? std::abs(nodes.x(0)) : problem.uppe->geometry.radius;
  const double half_y = std::abs(nodes.y(0));
  for (std::int64_t y = 0; y < tables.outer; ++y)
    for (std::int64_t x = 0; x < tables.inner; ++x) {
      double weight = edge(nodes.x(x), half_x);
      if (tables.outer > 1) weight *= edge(nodes.y(y), half_y);
      tables.space_collar.push_back(absorbed(weight, piece, ell));
    }
}

}  // namespace lumarch
