// SPDX-License-Identifier: Apache-2.0
// Reads on a route's state: sums over the state as it lies; the field in space, some frequencies at a time; the field
// in time, some nodes at a time.
#include <algorithm>

#include "march/route_equation.hpp"

namespace lumarch {

namespace {

lm_p_read reading(std::uint32_t flags, double c) { return {sizeof(lm_p_read), flags, c}; }

bool given(const lm_view& view) { return view.buffer != 0; }

// A map of part of the nodes: rows [y, y + ny), samples [x, x + nx).
lm_view part_of_map(const lm_view& map, std::int64_t y, std::int64_t ny, std::int64_t x, std::int64_t nx) {
  return given(map) ? part_of(part_of(map, LM_AXIS_INNER, y, ny), LM_AXIS_SAMPLE, x, nx) : map;
}

}  // namespace

void RouteEquation::upload_read_tables(const ReadWants& wants) {
  const UppeTables& t = *tables_;
  const std::int64_t n = t.grid.samples;
  constexpr auto shared = RowBlock::Kind::shared;
  const auto put = [&](RowBlock& block, const std::vector<double>& values, const RowShape& shape, const char* name) {
    block = rows(shape, LM_F64, name, shared);
    block.upload(device_, 0, 0, values, "upload tables");
  };
  if (!energy_.given()) {
    put(energy_, t.energy, {n, t.inner, t.outer, t.own_components}, "energy of a sample");
    // what a squared sample counts in a sum over the band that stands for one over time; of the analytic signal
    std::vector<double> counts, shares;
    for (std::int64_t c = 0; c < t.own_components; ++c) {
      const double share = t.component_intensity[static_cast<std::size_t>(c)] / t.intensity;
      for (std::int64_t k = 0; k < n; ++k) counts.push_back(share * (t.grid.half() && k > 0 ? 4.0 : 1.0));
      shares.insert(shares.end(), static_cast<std::size_t>(t.grid.times), share);
    }
    put(counts_, counts, {n, 1, 1, t.own_components}, "energy of a sample");
    if (t.own_components > 1) put(shares_, shares, {t.grid.times, 1, 1, t.own_components}, "energy of a sample");
  }
  if (wants.axis && !axis_.given() && (t.route == Route::modal || t.route == Route::radial)) {
    const std::int64_t K = t.route == Route::modal ? t.space_components : 1;
    std::vector<double> matrix;
    for (std::int64_t k = 0; k < K; ++k)
      for (std::int64_t x = 0; x < t.inner; ++x)
        matrix.push_back(t.route == Route::radial
                             ? t.to_reading[static_cast<std::size_t>(x)]
                             : t.axis_field[static_cast<std::size_t>(x)][static_cast<std::size_t>(K == 2 ? k : 1)]);
    put(axis_, matrix, {t.inner, 1, 1, K}, "overlaps");
  }
}

// An aperture as a map; in space its nodes count their areas.
lm_view RouteEquation::mask(const NodeMask& mask, bool in_space) {
  for (const auto& [known, block] : masks_)
    if (known == std::pair(mask, in_space)) return block.view();
  const UppeTables& t = *tables_;
  std::vector<double> map = *mask;
  for (std::int64_t y = 0; in_space && y < t.outer; ++y)
    for (std::int64_t x = 0; x < t.inner; ++x)
      map[static_cast<std::size_t>(y * t.inner + x)] *= t.transverse->area(y, x);
  RowBlock block = rows({t.inner, t.outer}, LM_F64, "aperture", RowBlock::Kind::shared);
  block.upload(device_, 0, 0, map, "upload tables");
  masks_.emplace_back(std::pair(mask, in_space), std::move(block));
  return masks_.back().second.view();
}

void RouteEquation::add_read(Program& program, const char* kernel, std::vector<lm_view> views, std::uint32_t flags,
                             double c) {
  const lm_p_read p = reading(flags, c);
  program.add(device_.need(kernel), std::move(views), &p, sizeof(p), {});
  used_->add(kernel, "stage");
}

void RouteEquation::add_reads(Program& program, const lm_view& state, const lm_view& spare, const ReadWants& wants,
                              const ReadViews& out) {
  const UppeTables& t = *tables_;
  upload_read_tables(wants);
  if (wants.nodes) add_read(program, "read.nodes", {out.nodes, state, energy_.view()}, 0, 1);
  std::vector<StateRead> spectra = {{out.spectrum, {}}};
  for (std::size_t i = 0; i < wants.far.size(); ++i)
    spectra.push_back({out.far[i].spectrum, mask(wants.far[i], false)});

  // The power of all nodes is the same in space and in k.
  const double watts = t.transverse ? t.intensity * t.transverse->measure() : 1.0;
  std::vector<TimeRead> times;
  if (wants.power) times.push_back({"read.samples", out.power, {}, watts});
  for (std::size_t i = 0; i < wants.far.size(); ++i)
    times.push_back({"read.samples", out.far[i].power, mask(wants.far[i], false), watts});
  if (times.empty())
    add_read(program, "read.samples", {out.spectrum, state, energy_.view()}, 0, 1);
  else
    add_time_reads(program, state, spectra, times);

  if (t.transverse && (wants.fluence || wants.axis || !wants.near.empty())) add_space_reads(program, state, wants, out);
  if (wants.axis) add_axis_reads(program, state, out);
  if (!t.transverse || (!wants.peak && wants.near.empty())) return;
  times.clear();
  if (wants.peak) times.push_back({"read.nodes", out.peak, {}, t.intensity, LM_READ_PEAK});
  for (std::size_t i = 0; i < wants.near.size(); ++i)
    times.push_back({"read.samples", out.near[i].power, mask(wants.near[i], true), t.intensity});
  add_to_space(program, state, spare);
  add_time_reads(program, spare, {}, times);
}

// The state of some nodes and its energies, their field in time, and what is read of it; then of the next ones.
void RouteEquation::add_time_reads(Program& program, const lm_view& state, const std::vector<StateRead>& spectra,
                                   const std::vector<TimeRead>& reads) {
  const UppeTables& t = *tables_;
  const BandGrid& grid = t.grid;
  const std::int64_t inner = state.extent[LM_AXIS_INNER], outer = state.extent[LM_AXIS_OUTER];
  const std::uint64_t bytes =
      (grid.half() ? 2 : 1) * bytes_of(grid.times, 16) * static_cast<std::uint64_t>(t.components);
  const std::int64_t together = read_together(device_, inner * outer, bytes);
  const std::int64_t nx = together >= inner ? inner : std::max<std::int64_t>(8, together / 8 * 8),
                     ny = std::max<std::int64_t>(1, together / inner);
  if (!read_time_.given()) {
    const RowShape shape{grid.times, std::min(nx, inner), ny, t.components};
    read_time_ = rows(shape, LM_C128, "reading", RowBlock::Kind::scratch);
    if (grid.half()) read_band_ = rows(shape, LM_C128, "reading", RowBlock::Kind::scratch);
  }
  for (std::int64_t y = 0; y < outer; y += ny)
    for (std::int64_t x = 0; x < inner; x += nx) {
      const std::int64_t rows_y = std::min(ny, outer - y), rows_x = std::min(nx, inner - x);
      const auto cut = [&](const lm_view& v, std::int64_t from_y, std::int64_t from_x) {
        return part_of(part_of(v, LM_AXIS_OUTER, from_y, rows_y), LM_AXIS_INNER, from_x, rows_x);
      };
      const lm_view time = cut(read_time_.view(), 0, 0);
      const std::uint32_t more = y == 0 && x == 0 ? 0u : std::uint32_t{LM_READ_ACCUMULATE};
      for (const StateRead& read : spectra)
        add_read(program, "read.samples",
                 {read.out, cut(state, y, x), cut(energy_.view(), y, x), part_of_map(read.mask, y, rows_y, x, rows_x)},
                 more, 1);
      add_whole_signal(program, cut(state, y, x), grid.half() ? cut(read_band_.view(), 0, 0) : lm_view{}, time);
      const lm_view shares = shares_.given() ? shares_.view() : lm_view{};
      for (const TimeRead& read : reads) {
        const bool nodes = std::string_view(read.kernel) == "read.nodes";
        const auto map = [&](const lm_view& v) { return part_of_map(v, y, rows_y, x, rows_x); };
        if (nodes)
          add_read(program, read.kernel, {map(read.out), time, shares}, read.flags, read.c);
        else
          add_read(program, read.kernel, {read.out, time, shares, map(read.mask)}, read.flags | more, read.c);
      }
    }
}

// The field in space of some frequencies, and what is read of it; then of the next ones.
void RouteEquation::add_space_reads(Program& program, const lm_view& state, const ReadWants& wants,
                                    const ReadViews& out) {
  const UppeTables& t = *tables_;
  const std::int64_t n = t.grid.samples, plane = t.inner * t.outer * t.components;
  std::int64_t width = read_together(device_, n, 16 * static_cast<std::uint64_t>(plane));
  if (width < n) width = std::min(n, std::max<std::int64_t>(8, width / 8 * 8));
  if (!read_space_.given())
    read_space_ = rows({width, t.inner, t.outer, t.components}, LM_C128, "reading", RowBlock::Kind::scratch);
  const bool on_grid = t.transverse->fourier();
  if (wants.axis && on_grid && !axis_row_.given())
    axis_row_ = rows({n, 1, 1, t.components}, LM_C128, "reading", RowBlock::Kind::scratch);
  for (std::int64_t first = 0; first < n; first += width) {
    const std::int64_t count = std::min(width, n - first);
    const auto some = [&](const lm_view& v) { return part_of(v, LM_AXIS_SAMPLE, first, count); };
    const lm_view space = part_of(read_space_.view(), LM_AXIS_SAMPLE, 0, count), counts = some(counts_.view());
    add_to_space(program, some(state), space);
    const std::uint32_t more = first > 0 ? std::uint32_t{LM_READ_ACCUMULATE} : 0u;
    if (wants.fluence) add_read(program, "read.nodes", {out.fluence, space, counts}, more, t.intensity * t.grid.window);
    for (std::size_t i = 0; i < wants.near.size(); ++i)
      add_read(program, "read.samples", {some(out.near[i].spectrum), space, counts, mask(wants.near[i], true)}, 0,
               t.intensity * t.grid.window);
    if (!wants.axis || !on_grid) continue;
    const lm_view axis = part_of(part_of(space, LM_AXIS_OUTER, t.outer / 2, 1), LM_AXIS_INNER, t.inner / 2, 1);
    program.add(device_.need("core.lincomb"), {some(axis_row_.view()), axis}, plain_sum(1));
    used_->add("core.lincomb", "stage");
  }
}

void RouteEquation::add_axis_reads(Program& program, const lm_view& state, const ReadViews& out) {
  const UppeTables& t = *tables_;
  const std::int64_t components = t.route == Route::modal ? t.space_components : t.components;
  lm_view row = state;  // of a mode average: its one node
  if (axis_.given()) {
    if (!axis_row_.given())
      axis_row_ = rows({t.grid.samples, 1, 1, components}, LM_C128, "reading", RowBlock::Kind::scratch);
    program.add(device_.need("spatial.matrix"), {axis_row_.view(), state, axis_.view()}, nullptr, 0, {});
    used_->add("spatial.matrix", "stage");
  }
  if (axis_row_.given()) row = axis_row_.view();
  if (!axis_time_.given()) {
    axis_time_ = rows({t.grid.times, 1, 1, components}, LM_C128, "reading", RowBlock::Kind::scratch);
    if (t.grid.half()) axis_band_ = rows({t.grid.times, 1, 1, components}, LM_C128, "reading", RowBlock::Kind::scratch);
  }
  add_whole_signal(program, row, t.grid.half() ? axis_band_.view() : lm_view{}, axis_time_.view());
  const lm_view shares = shares_.given() && t.transverse ? shares_.view() : lm_view{};
  add_read(program, "read.samples", {out.axis_power, axis_time_.view(), shares}, 0, 1);
  add_read(program, "read.samples", {out.axis_real, axis_time_.view()}, LM_READ_REAL, 1);
  add_read(program, "read.samples", {out.axis_spectrum, row, counts_.view()}, 0, 1);
}

}  // namespace lumarch
