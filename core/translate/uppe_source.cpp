// SPDX-License-Identifier: Apache-2.0
// Nodes, matrices and the factors in front of the nonlinear polarisation (physics.md, 3, 5 and 16).
#include <algorithm>
#include <cmath>

#include "media/constants.hpp"
#include "media/quadrature.hpp"
#include "media/step_index.hpp"
#include "translate/uppe.hpp"

namespace lumarch {

namespace {

using Complex = std::complex<double>;

constexpr double eps0 = constants::eps0, c = constants::c, mu0 = 1 / (eps0 * c * c);
constexpr double cut_off_floor = 1e-3;  // of |k|: the source's 1/beta_z ends here

// The field's factor and the source's of a mode-averaged route, E = pre A and dA/dz = i (omega/4) post P.
void average(const Optics& optics, UppeTables& tables) {
  const double area = optics.area(0, optics.at(0));
  for (std::size_t k = 0; k < tables.pre.size(); ++k) {
    const double factor = optics.area_factor(tables.grid.omega(static_cast<std::int64_t>(k)));
    tables.pre[k] *= factor / std::sqrt(tables.intensity * area);
    tables.post[k] *= factor * std::sqrt(area / tables.intensity);
  }
}

// Matrices between modes and the nodes of a quadrature, and the field on the axis.
void overlap(const Problem& problem, UppeTables& tables) {
  const Optics& optics = *tables.optics;
  const Geometry& geometry = problem.uppe->geometry;
  std::vector<ModeName> names;
  for (const std::string& name : optics.mode_names()) names.push_back(parse_mode(name));
  Nodes nodes;
  if (const auto* box = std::get_if<Rectangular>(&problem.uppe->medium))
    nodes = rectangle_nodes(geometry.radial_nodes, geometry.radial_nodes, box->half_height / box->half_width);
  else if (std::holds_alternative<StepIndex>(problem.uppe->medium))
    nodes = step_nodes(geometry.radial_nodes, azimuthal_nodes(names),
                       optics.field_radius(optics.radius_at(0)) / optics.radius_at(0));
  else
    nodes = disk_nodes(names, geometry.radial_nodes);
  // shapes are normalised with n = 1; here (n c eps0/2) integral |e|^2 dS = 1
  const double radius = optics.field_radius(optics.radius_at(0)), glass = std::sqrt(tables.intensity / (eps0 * c / 2));
  const std::size_t n = nodes.r_over_a.size(), modes = names.size();
  std::vector<double> reach;  // the radius of all over that of each mode, which its shape is in units of
  for (std::size_t j = 0; j < modes; ++j) reach.push_back(radius / optics.field_radius(j, optics.radius_at(0)));
  tables.space_inner = static_cast<std::int64_t>(n);
  tables.space_components = tables.matrix_components = geometry.polarisations;
  const int first = geometry.polarisations == 2 ? 0 : 1;  // one polarisation is y
  for (int component = first; component < 2; ++component) {
    std::vector<double> back(modes * n);
    for (std::size_t q = 0; q < n; ++q)
      for (std::size_t j = 0; j < modes; ++j) {
        const double e = optics.modes()[j]->shape(nodes.r_over_a[q] * reach[j],
                                                  nodes.theta[q])[static_cast<std::size_t>(component)] *
                         reach[j] / glass;
        tables.to_space.push_back(e / radius);
        back[j * n + q] = e * radius * nodes.weight_over_a2[q];
      }
    tables.to_state.insert(tables.to_state.end(), back.begin(), back.end());
  }
  for (const double r : nodes.r_over_a) tables.node_radius.push_back(r * radius);
  for (std::size_t j = 0; j < modes; ++j) {
    const auto e = optics.modes()[j]->shape(0, 0);
    tables.axis_field.push_back({e[0] * reach[j] / (radius * glass), e[1] * reach[j] / (radius * glass)});
  }
}

// i mu0 omega^2/(2 beta_z) of every node, with 1/beta_z bounded at cut-off and evanescent channels bounded together
// with their decay; and what a squared state counts there.
void free_space(const Problem& problem, UppeTables& tables) {
  const Optics& optics = *tables.optics;
  const Transverse& nodes = *tables.transverse;
  const BandGrid& grid = tables.grid;
  const Conditions entrance = optics.at(0);
  const double ell = absorption_length(problem);
  const double back = nodes.fourier() ? 1.0 / static_cast<double>(nodes.nodes()) : 1;
  const auto plane = static_cast<std::size_t>(tables.outer * tables.inner * grid.samples);
  tables.source.assign(static_cast<std::size_t>(tables.own_components) * plane, 0.0);
  for (std::int64_t component = 0; component < tables.own_components; ++component)
    for (std::int64_t k = 0; k < grid.samples; ++k) {
      if (grid.weight[static_cast<std::size_t>(k)] == 0) continue;
      const double omega = grid.omega(k);
      const WaveSurface surface = optics.surface(static_cast<int>(component), omega, entrance);
      const double whole = surface.n() * omega / c;
      for (std::int64_t y = 0; y < tables.outer; ++y)
        for (std::int64_t x = 0; x < tables.inner; ++x) {
          const WaveSurface::Roots roots = surface.at(nodes.kx(x), nodes.ky(y));
          const double strength = back * mu0 * omega * omega / (2 * std::max(roots.size, cut_off_floor * whole));
          const std::size_t at = static_cast<std::size_t>(component) * plane + tables.at(y, x, k);
          if (roots.square > 0) {
            tables.source[at] = Complex(0, strength);
            tables.energy[at] = grid.window * grid.share(k) * nodes.measure() * roots.size / (2 * mu0 * omega);
          } else {
            const double depth = std::min(roots.size * ell, most_decay);
            tables.source[at] = strength * std::exp(-std::max(0.0, depth - 1));
          }
        }
    }
}

}  // namespace

void translate_source(const Problem& problem, UppeTables& tables) {
  const Optics& optics = *tables.optics;
  const BandGrid& grid = tables.grid;
  const auto n = static_cast<std::size_t>(grid.samples);
  const Conditions entrance = optics.at(0);
  const double index = optics.guided() && !optics.solid() ? 1 : optics.index(grid.omega0, entrance);
  tables.intensity = index * eps0 * c / 2;
  tables.component_intensity.assign(2, tables.intensity);
  for (std::int64_t i = 0; optics.two_indices() && i < 2; ++i)
    tables.component_intensity[static_cast<std::size_t>(i)] =
        optics.surface(static_cast<int>(i), grid.omega0, entrance).n() * eps0 * c / 2;
  tables.pre = grid.weight;
  tables.post.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double weight = grid.weight[k] / static_cast<double>(grid.fine);
    const double omega = grid.omega(static_cast<std::int64_t>(k));
    tables.post[k] = optics.guided() ? Complex(0, weight * omega / 4) : Complex(weight, 0);
  }
  tables.energy.assign(static_cast<std::size_t>(tables.own_components * tables.outer * tables.inner * grid.samples),
                       0.0);
  if (optics.guided()) {
    for (std::int64_t x = 0; x < tables.inner; ++x)
      for (std::int64_t k = 0; k < grid.samples; ++k)
        if (grid.weight[static_cast<std::size_t>(k)] > 0)
          tables.energy[tables.at(0, x, k)] = grid.window * grid.share(k);
    if (tables.route == Route::modal)
      overlap(problem, tables);
    else
      average(optics, tables);
    if (!optics.radius().constant()) {  // shapes keep their form: fields go as 1/a, overlaps with them as a
      const double first = optics.field_radius(entrance.radius);
      const auto ratio = [held = tables.optics, first](double z) {
        return held->field_radius(held->radius_at(z)) / first;
      };
      tables.pre_scale = [ratio](double z) { return 1 / ratio(z); };
      tables.post_scale = ratio;
    }
    tables.reading_inner = tables.inner;
  } else {
    free_space(problem, tables);
    tables.space_inner = tables.reading_inner = tables.inner;
    tables.space_components = tables.components;
    if (tables.route == Route::radial) {
      tables.to_space = tables.transverse->to_space(false);
      tables.to_state = tables.transverse->to_state();
      tables.to_reading = tables.transverse->to_space(true);
      tables.reading_inner = tables.inner + 1;
    }
  }
  tables.current.resize(n);
  for (std::size_t k = 0; k < n; ++k) {  // i omega P = -J
    const double omega = grid.omega(static_cast<std::int64_t>(k));
    tables.current[k] = grid.weight[k] > 0 ? tables.post[k] * Complex(0, 1 / omega) : Complex(0);
  }
}

}  // namespace lumarch
