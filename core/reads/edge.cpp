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

namespace {

std::vector<std::size_t> counted(std::size_t n) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

std::vector<char> covered(const std::vector<double>& factors) {
  std::vector<char> inside;
  for (const double factor : factors) inside.push_back(factor < 1);
  return inside;
}

}  // namespace

bool in_rim(double u, double h, double rim) {
  const double from = (1 - rim) * h;
  return u * u >= from * from;
}

EdgeReading::EdgeReading(const Problem& problem, const Grid& grid)
    : rim_(problem.edge.rim), with_strips_(problem.edge.strip), joules_(grid.window) {
  add_time(problem, grid.n, grid.dt);
  add_band(grid, grid.n, grid.window / grid.domega, {});
}

EdgeReading::EdgeReading(const Problem& problem, const UppeTables& tables)
    : rim_(problem.edge.rim), with_strips_(problem.edge.strip), tables_(&tables) {
  const BandGrid& grid = tables.grid;
  add_time(problem, grid.times, grid.dt());
  add_band(grid, grid.samples, 1 / grid.domega, grid.weight);
  if (tables.transverse) add_space();
  if (tables.route == Route::modal && tables.inner > 1) add_modes();
  add_collars();
}

// Light that is there all the time has no rim in time.
void EdgeReading::add_time(const Problem& problem, std::int64_t times, double dt) {
  if (std::any_of(problem.launch.begin(), problem.launch.end(),
                  [](const Pulse& pulse) { return pulse.shape == Shape::cw; }))
    return;
  Rim rim{"time", &PlaneRows::power};
  rim.active = counted(static_cast<std::size_t>(times));
  dt_ = dt;
  const double h = static_cast<double>(times) * dt / 2;
  std::vector<double> u;
  for (std::int64_t s = 0; s < times; ++s) u.push_back(static_cast<double>(s - times / 2) * dt);
  for (const double at : u) rim.inside.push_back(in_rim(at, h, rim_));
  never_empty(rim.inside, u);
  rims_.push_back(std::move(rim));
}

// In units of the index, about the middle of the samples that are propagated: those that have a weight.
template <class Grid>
void EdgeReading::add_band(const Grid& grid, std::int64_t samples, double unit, const std::vector<double>& weight) {
  Rim rim{"band", &PlaneRows::spectrum};
  rim.unit = unit;
  for (std::int64_t j = 0; j < samples; ++j)
    if (const auto k = static_cast<std::size_t>(grid.rising(j)); weight.empty() || weight[k] > 0) {
      rim.active.push_back(k);
      rim.places.push_back(static_cast<std::size_t>(j));
    }
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
    Rim rim{name, &PlaneRows::fluence};
    rim.active = all;
    rim.weight = area;
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
  Rim rim{"modes", &PlaneRows::nodes};
  rim.active = counted(n);
  rim.inside.assign(n, 0);
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

// What absorbers in time and space act on.
void EdgeReading::add_collars() {
  const UppeTables& t = *tables_;
  if (!t.time_collar.empty()) {
    Rim rim{"time_collar", &PlaneRows::power};
    rim.active = counted(t.time_collar.size());
    rim.inside = covered(t.time_collar);
    rims_.push_back(std::move(rim));
  }
  if (t.space_collar.empty()) return;
  Rim rim{"space_collar", &PlaneRows::fluence};
  rim.active = counted(t.space_collar.size());
  rim.inside = covered(t.space_collar);
  for (std::int64_t y = 0; y < t.outer; ++y)
    for (std::int64_t x = 0; x < t.inner; ++x) rim.weight.push_back(t.transverse->area(y, x));
  rims_.push_back(std::move(rim));
}

bool EdgeReading::is_collar(const std::string& name) { return name.ends_with("_collar"); }

std::vector<std::vector<std::int64_t>> EdgeReading::strips() const {
  std::vector<std::vector<std::int64_t>> all;
  for (const Rim& rim : rims_) {
    if (!with_strips_) break;
    auto& places = all.emplace_back();
    for (std::size_t i = 0; i < rim.active.size(); ++i)
      if (rim.inside[i])
        places.push_back(static_cast<std::int64_t>(rim.places.empty() ? rim.active[i] : rim.places[i]));
  }
  return all;
}

std::vector<std::string> EdgeReading::names() const {
  std::vector<std::string> names;
  for (const Rim& rim : rims_) names.push_back(rim.name);
  return names;
}

std::optional<TimeRim> EdgeReading::time_rim() const {
  if ((tables_ && tables_->transverse) || rims_.front().name != "time") return std::nullopt;
  const std::vector<char>& inside = rims_.front().inside;
  const auto samples = static_cast<std::size_t>(std::count(inside.begin(), inside.end(), 1));
  // the first sample lies on the window's edge, and is always in the rim of an even number of them
  if (!in_rim(static_cast<double>(inside.size() / 2) * dt_, static_cast<double>(inside.size()) * dt_ / 2, rim_))
    return std::nullopt;
  return TimeRim{rim_, dt_, samples, with_strips_};
}

std::vector<EdgeRim> EdgeReading::read(const PlaneRows& rows, const std::optional<EdgeRim>& time) const {
  std::vector<EdgeRim> out;
  const double joules = joules_ * std::accumulate(rows.spectrum.begin(), rows.spectrum.end(), 0.0);
  for (const Rim& rim : rims_) {
    if (time && rim.name == "time") {
      out.push_back(*time);
      continue;
    }
    const std::vector<double>& numbers = rows.*rim.numbers;
    double all = 0, outside = 0, most = 0, edge = 0;
    EdgeRim& found = out.emplace_back();
    for (std::size_t i = 0; i < rim.active.size(); ++i) {
      const double value = numbers[rim.active[i]], counts = rim.weight.empty() ? value : rim.weight[i] * value;
      all += counts;
      most = std::max(most, value);
      if (!rim.inside[i]) continue;
      outside += counts;
      edge = std::max(edge, value);
      if (with_strips_) found.strip.push_back(rim.unit * value);
    }
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
