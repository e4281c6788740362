// SPDX-License-Identifier: Apache-2.0
#include "translate/stored_field.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include <lumarch/error.hpp>

#include "media/constants.hpp"
#include "media/mode.hpp"
#include "translate/resample.hpp"

namespace lumarch {

namespace {

const char* route_of(const NodeAxes& nodes) {
  if (!nodes.modes.empty()) return "modal";
  if (!nodes.kr.empty()) return "radial";
  if (!nodes.ky.empty()) return "cartesian";
  return nodes.kx.empty() ? "mode-averaged (or of a fibre)" : "line";
}

Resample modes(const std::vector<std::string>& from, const std::vector<std::string>& to) {
  std::vector<ModeName> known;
  for (const std::string& name : from) known.push_back(parse_mode(name));
  std::vector<std::optional<std::size_t>> places(to.size());
  for (std::size_t j = 0; j < to.size(); ++j) {
    const auto at = std::find(known.begin(), known.end(), parse_mode(to[j]));
    if (at != known.end()) places[j] = static_cast<std::size_t>(at - known.begin());
  }
  return Resample::named(from.size(), std::move(places));
}

Resample inner_axis(const NodeAxes& from, const NodeAxes& to) {
  if (!to.modes.empty()) return modes(from.modes, to.modes);
  if (!to.kr.empty()) return Resample::radial(from.kr, to.kr);
  if (!to.kx.empty()) return Resample::even(from.kx, to.kx);
  return Resample::named(1, {0});
}

double weighed(const std::vector<Complex>& values, const Resample& omega, const Resample& inner, const Resample& outer,
               bool after) {
  const auto weights = [after](const Resample& axis) -> const std::vector<double>& {
    return after ? axis.weight_to() : axis.weight_from();
  };
  const auto &w = weights(omega), &x = weights(inner), &y = weights(outer);
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t node = i / w.size();
    sum += w[i % w.size()] * x[node % x.size()] * y[node / x.size() % y.size()] * std::norm(values[i]);
  }
  return sum;
}

}  // namespace

std::string refuse_stored(const std::string& file, const FieldAxes& from, const FieldAxes& to) {
  const std::string here = route_of(to.nodes), there = route_of(from.nodes);
  if (here != there)
    return file + " is of the route " + there + ", and this problem's is " + here +
           ": a run goes on on its own route; change /geometry, or launch a pulse";
  if (from.nodes.components != to.nodes.components)
    return file + " has " + std::to_string(from.nodes.components) +
           " component(s) of the field, and this problem has " + std::to_string(to.nodes.components) +
           "; write \"polarisations\": " + std::to_string(from.nodes.components) + " into /geometry";
  return "";
}

std::vector<Complex> put_on(const FieldAxes& to, StoredField field, std::string& warning) {
  const FieldAxes& from = field.axes;
  if (const std::string why = refuse_stored(field.file, from, to); !why.empty()) throw Error(Fault::problem, why);
  const auto components = static_cast<std::size_t>(to.nodes.components);
  const Resample omega = Resample::even(from.omega, to.omega), inner = inner_axis(from.nodes, to.nodes);
  const Resample outer = to.nodes.ky.empty() ? Resample::named(1, {0}) : Resample::even(from.nodes.ky, to.nodes.ky);
  std::vector<Complex> values = std::move(field.values);
  if (!omega.same() || !inner.same() || !outer.same()) {
    const double before = weighed(values, omega, inner, outer, false);
    double error2 = 0;
    // the axes that need no sums first: they leave less to the others
    if (!outer.same()) values = outer(values, components, inner.from() * omega.from(), error2);
    if (!inner.same()) values = inner(values, components * outer.to(), omega.from(), error2);
    if (!omega.same()) values = omega(values, components * outer.to() * inner.to(), 1, error2);
    // nothing is propagated where there is no frequency
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!(to.omega[i % to.omega.size()] > 0)) values[i] = 0;
    const double after = weighed(values, omega, inner, outer, true);
    const double lost = before > 0 ? std::max(0.0, 1 - after / before) : 0;
    char text[240];
    std::snprintf(text, sizeof text,
                  " was put on another grid, which does not hold %.3g of its energy%s; error of the resampling %.3g "
                  "(both relative)",
                  lost, lost > 1e-6 ? " (a wider window, band, or more modes would)" : "", std::sqrt(error2));
    warning = field.plane + " of " + field.file + text;
  }
  if (from.half != to.half)  // of a real field half of its analytic signal
    for (Complex& value : values) value *= to.half ? 0.5 : 2;
  return values;
}

// Exact where the first sample lies half a window before the centre: then these are signs.
std::vector<Complex> file_phases(const Grid& grid) {
  std::vector<Complex> phases;
  for (std::int64_t j = 0; j < grid.n; ++j) {
    const std::int64_t k = grid.rising(j), half = grid.n / 2;
    // exp(+i Omega_k t_0) with Omega_k t_0 = -2 pi k half/n; k half is taken modulo n, so the angle stays small
    const std::int64_t turns = (k * half) % grid.n;
    const Complex phase =
        2 * half == grid.n
            ? Complex(k % 2 ? -1 : 1)
            : std::polar(1.0, -2 * constants::pi * static_cast<double>(turns) / static_cast<double>(grid.n));
    phases.push_back(grid.window * phase);
  }
  return phases;
}

std::vector<Complex> file_phases(const BandGrid& grid) {
  std::vector<Complex> phases;
  for (std::int64_t j = 0; j < grid.samples; ++j) {
    const std::int64_t k = grid.rising(j);
    const double turn = (grid.half() ? grid.omega(k) : grid.omega(k) - grid.omega0) * grid.first_time();
    phases.push_back(std::polar(grid.window, turn));
  }
  return phases;
}

Complex file_factor(const Transverse& nodes, std::int64_t y, std::int64_t x) {
  const Complex factor = nodes.to_file(y, x);
  if (!nodes.fourier()) return factor;
  return factor * std::polar(1.0, -(nodes.kx(x) * nodes.x(0) + nodes.ky(y) * nodes.y(0)));
}

}  // namespace lumarch
