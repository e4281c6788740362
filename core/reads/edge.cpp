// SPDX-License-Identifier: Apache-2.0
#include "reads/edge.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lumarch {

namespace {

// The rim of a few nodes, or a narrow one, may hold none: then the outermost ones are looked at.
void never_empty(std::vector<char>& inside, const std::vector<double>& u) {
  if (std::find(inside.begin(), inside.end(), 1) != inside.end()) return;
  double most = 0;
  for (const double value : u) most = std::max(most, std::abs(value));
  for (std::size_t i = 0; i < u.size(); ++i) inside[i] = std::abs(u[i]) >= most;
}

}  // namespace

bool in_rim(double u, double h, double rim) {
  const double from = (1 - rim) * h;
  return u * u >= from * from;
}

EdgeReading::EdgeReading(const Problem& problem, const Grid& grid) : rim_(problem.edge.rim), joules_(grid.window) {
  add_time(problem, grid.n, grid.dt);
  std::vector<std::size_t> rising;
  for (std::int64_t j = 0; j < grid.n; ++j) rising.push_back(static_cast<std::size_t>(grid.rising(j)));
  add_band(std::move(rising));
}

EdgeReading::EdgeReading(const Problem& problem, const UppeTables& tables) : rim_(problem.edge.rim), tables_(&tables) {
  const BandGrid& grid = tables.grid;
  add_time(problem, grid.times, grid.dt());
  std::vector<std::size_t> rising;  // of what is propagated
  for (std::int64_t j = 0; j < grid.samples; ++j)
    if (const auto k = static_cast<std::size_t>(grid.rising(j)); grid.weight[k] > 0) rising.push_back(k);
  add_band(std::move(rising));
  if (tables.transverse) add_space();
  if (tables.route == Route::modal && tables.inner > 1) add_modes();
}

// Light that is there all the time has no rim in time.
void EdgeReading::add_time(const Problem& problem, std::int64_t times, double dt) {
  if (std::any_of(problem.launch.begin(), problem.launch.end(),
                  [](const Pulse& pulse) { return pulse.shape == Shape::cw; }))
    return;
  Rim rim{"time", &PlaneRows::power, std::vector<std::size_t>(static_cast<std::size_t>(times)), {}, {}};
  std::iota(rim.active.begin(), rim.active.end(), std::size_t{0});
  const double h = static_cast<double>(times) * dt / 2;
  std::vector<double> u;
  for (std::int64_t s = 0; s < times; ++s) u.push_back(static_cast<double>(s - times / 2) * dt);
  for (const double at : u) rim.inside.push_back(in_rim(at, h, rim_));
  never_empty(rim.inside, u);
  rims_.push_back(std::move(rim));
}

// In units of the index, about the middle of the samples.
void EdgeReading::add_band(std::vector<std::size_t> rising) {
  Rim rim{"band", &PlaneRows::spectrum, std::move(rising), {}, {}};
  const auto n = static_cast<double>(rim.active.size());
  std::vector<double> u;
  for (std::size_t j = 0; j < rim.active.size(); ++j) u.push_back(static_cast<double>(j) - (n - 1) / 2);
  for (const double at : u) rim.inside.push_back(in_rim(at, n / 2, rim_));
  never_empty(rim.inside, u);
  rims_.push_back(std::move(rim));
}

void EdgeReading::add_space() {
  const Transverse& nodes = *tables_->transverse;
  wants_.fluence = true;
  std::vector<double> area;
  std::vector<std::size_t> all;
  for (std::int64_t y = 0; y < nodes.outer(); ++y)
    for (std::int64_t x = 0; x < nodes.inner(); ++x) {
      all.push_back(area.size());
      area.push_back(nodes.area(y, x));
    }
  const auto add = [&](const char* name, double h, const auto& position) {
    Rim rim{name, &PlaneRows::fluence, all, {}, area};
    std::vector<double> u;
    for (std::int64_t y = 0; y < nodes.outer(); ++y)
      for (std::int64_t x = 0; x < nodes.inner(); ++x) u.push_back(position(y, x));
    for (const double at : u) rim.inside.push_back(in_rim(at, h, rim_));
    never_empty(rim.inside, u);
    rims_.push_back(std::move(rim));
  };
  const bool radial = nodes.route() == Route::radial;
  add(radial ? "r" : "x", nodes.half_x(), [&](std::int64_t, std::int64_t x) { return nodes.x(x); });
  if (nodes.route() == Route::cartesian)
    add("y", nodes.half_y(), [&](std::int64_t y, std::int64_t) { return nodes.y(y); });
}

// The last mode of the list, and of its other polarisation: where they have light, those behind them would have some.
void EdgeReading::add_modes() {
  wants_.nodes = true;
  const auto n = static_cast<std::size_t>(tables_->inner);
  Rim rim{"modes", &PlaneRows::nodes, std::vector<std::size_t>(n), std::vector<char>(n, 0), {}};
  std::iota(rim.active.begin(), rim.active.end(), std::size_t{0});
  for (const bool along_x : {false, true}) {  // of each polarisation
    const auto& names = tables_->axes.modes;
    for (std::size_t i = n; i-- > 0;)
      if (names[i].ends_with('x') == along_x) {
        rim.inside[i] = 1;
        break;
      }
  }
  rims_.push_back(std::move(rim));
}

std::vector<std::string> EdgeReading::names() const {
  std::vector<std::string> names;
  for (const Rim& rim : rims_) names.push_back(rim.name);
  return names;
}

std::vector<EdgeRim> EdgeReading::read(const PlaneRows& rows) const {
  std::vector<EdgeRim> out;
  const double joules = joules_ * std::accumulate(rows.spectrum.begin(), rows.spectrum.end(), 0.0);
  for (const Rim& rim : rims_) {
    const std::vector<double>& numbers = rows.*rim.numbers;
    double all = 0, outside = 0, most = 0, edge = 0;
    for (std::size_t i = 0; i < rim.active.size(); ++i) {
      const double value = numbers[rim.active[i]], counts = rim.weight.empty() ? value : rim.weight[i] * value;
      all += counts;
      most = std::max(most, value);
      if (!rim.inside[i]) continue;
      outside += counts;
      edge = std::max(edge, value);
    }
    EdgeRim& found = out.emplace_back();
    if (!(all > 0)) continue;  // no light: none at the rim
    found.share = outside / all;
    found.energy = found.share * joules;
    found.peak = edge / most;
  }
  return out;
}

std::string EdgeReading::remedy(const std::string& name) {
  if (name == "time") return "the time window: enlarge /time/window";
  if (name == "band") return "the band: take more /time/points, or a wider /time/band";
  if (name == "r") return "the radius of the grid: enlarge /geometry/radius";
  if (name == "modes") return "the last mode: add modes to /geometry/modes";
  return "the window in " + name + ": enlarge /geometry/half_width";
}

}  // namespace lumarch
