// SPDX-License-Identifier: Apache-2.0
// The right-hand side of a route: to nodes in space, columns of time, and back; fused or composed (docs/kernels.md).
#include <algorithm>

#include "march/route_equation.hpp"

namespace lumarch {

namespace {

const void* address(const UppeParams& params) {
  return std::visit([](const auto& p) -> const void* { return &p; }, params);
}
lm_view view_or_none(const RowBlock& block) { return block.given() ? block.view() : lm_view{}; }

std::uint32_t size(const UppeParams& params) {
  return std::visit([](const auto& p) { return static_cast<std::uint32_t>(sizeof(p)); }, params);
}

}  // namespace

// The parameters at a place in the step: the same but for the entries of the factors along z. Of each output the first
// response overwrites it.
const RouteEquation::Stage& RouteEquation::stage_at(double place) {
  for (const auto& [at, stage] : stages_)
    if (at == place) return stage;
  Stage& stage = stages_.emplace_back(place, Stage{}).second;
  bool begun[2] = {false, false};
  for (const Part& part : parts_) {
    UppeParams params = part.given->params;
    if (auto* own = std::get_if<lm_p_own_response>(&params)) {
      own->n = static_cast<std::uint32_t>(part.own->values.size());
      own->values = part.own->values.data();
    }
    std::visit(
        [&](auto& p) {
          if (begun[part.given->output]) p.flags |= LM_RESPONSE_ACCUMULATE;
          if constexpr (requires { p.scale; }) p.scale = slot(*part.given, place);
        },
        params);
    begun[part.given->output] = true;
    stage.params.push_back(params);
  }
  stage.pre_scale = slot(tables_->pre_scale, place);
  stage.post_scale = slot(tables_->post_scale, place);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    lm_response r{};
    r.fn = part.fn;
    r.params = address(stage.params[i]);
    r.params_size = size(stage.params[i]);
    r.tables = part.tables.data();
    r.n_tables = static_cast<std::uint32_t>(part.tables.size());
    r.plans = part.plans.data();
    r.n_plans = static_cast<std::uint32_t>(part.plans.size());
    r.output = part.given->output;
    r.work_bytes = part.work_bytes;
    stage.responses.push_back(r);
  }
  return stage;
}

void RouteEquation::add_rhs(Program& program, const lm_view& in, const lm_view& out, const lm_view* noise,
                            double place) {
  if (parts_.empty()) {  // a linear medium: there is no source
    program.add(device_.need("core.fill"), {out}, lm_p_fill{sizeof(lm_p_fill), 0, 0, 0});
    used_->add("core.fill", "stage");
    return;
  }
  lm_view from = in;
  if (noise) {
    if (!noisy_.given()) noisy_ = rows(shape(), LM_C128, "noise", RowBlock::Kind::scratch);
    program.add(device_.need("core.lincomb"), {noisy_.view(), from, *noise}, plain_sum(2));
    used_->add("core.lincomb", "stage");
    from = noisy_.view();
  }
  if (local()) {
    add_columns(program, from, out, place);
    return;
  }
  const lm_view space = space_view();
  add_to_space(program, from, space);
  add_columns(program, space, space, place);
  add_to_state(program, space, out);
  if (!source_.given()) return;
  program.add(device_.need("core.mul", 2), {out, out, source_.view()}, nullptr, 0, {});
  used_->add("core.mul", "stage", 2);
}

void RouteEquation::add_transform(Program& program, const lm_view& in, const lm_view& out, int axis, const Plan& plan) {
  const lm_p_axis p{sizeof(lm_p_axis), axis};
  const std::int64_t n = axis == LM_AXIS_INNER ? tables_->inner : tables_->outer;
  program.add(device_.need("spatial.fft"), {out, in}, &p, sizeof(p), {&plan},
              2 * bytes_of(n * in.extent[LM_AXIS_SAMPLE], 16));
  used_->add("spatial.fft", "stage");
}

void RouteEquation::add_to_space(Program& program, const lm_view& in, const lm_view& out) {
  if (to_space_.given()) {
    program.add(device_.need("spatial.matrix"), {out, in, to_space_.view()}, nullptr, 0, {});
    used_->add("spatial.matrix", "stage");
    return;
  }
  if (tables_->route == Route::cartesian) {
    add_transform(program, in, out, LM_AXIS_OUTER, y_there_);
    add_transform(program, out, out, LM_AXIS_INNER, x_there_);
  } else {
    add_transform(program, in, out, LM_AXIS_INNER, x_there_);
  }
}

void RouteEquation::add_to_state(Program& program, const lm_view& in, const lm_view& out) {
  if (to_state_.given()) {
    program.add(device_.need("spatial.matrix"), {out, in, to_state_.view()}, nullptr, 0, {});
    return;
  }
  add_transform(program, in, out, LM_AXIS_INNER, x_back_);
  if (tables_->route == Route::cartesian) add_transform(program, out, out, LM_AXIS_OUTER, y_back_);
}

std::uint64_t RouteEquation::columns_work(const Stage& stage) const {
  const std::uint64_t rows = has_current() ? 4 : 3;
  std::uint64_t most = std::max(to_time_.work_bytes(), to_frequency_.work_bytes());
  for (const lm_response& r : stage.responses) most = std::max(most, r.work_bytes);
  return rows * bytes_of(tables_->grid.fine, 16) * static_cast<std::uint64_t>(tables_->space_components) * together_ +
         bytes_of(static_cast<std::int64_t>(most), 1);
}

void RouteEquation::add_columns(Program& program, const lm_view& in, const lm_view& out, double place) {
  const Stage& stage = stage_at(place);
  if (!columns_) return add_composed_columns(program, in, out, stage);
  lm_p_columns p{};
  p.struct_size = sizeof(p);
  p.n_responses = static_cast<std::uint32_t>(stage.responses.size());
  p.responses = stage.responses.data();
  p.n = tables_->grid.fine;
  p.kind = tables_->analytic ? std::uint32_t{LM_BAND_ANALYTIC} : tables_->grid.kind;
  p.together = together_;
  p.pre_scale = stage.pre_scale;
  p.post_scale = stage.post_scale;
  program.add(columns_, {in, out, pre_.view(), view_or_none(window_), post_.view(), view_or_none(current_)}, &p,
              sizeof(p), {&to_time_, &to_frequency_}, columns_work(stage));
  used_->add("rhs.columns", "fused");
}

void RouteEquation::add_composed_columns(Program& program, const lm_view& in, const lm_view& out, const Stage& stage) {
  const BandGrid& grid = tables_->grid;
  const bool real = grid.half(), real_field = real && !tables_->analytic;
  if (!spectrum_.given()) {
    const auto time_rows = [&](std::int64_t samples, int dtype, const char* name) {
      return rows({samples, tables_->space_inner, tables_->outer, tables_->space_components}, dtype, name,
                  RowBlock::Kind::scratch);
    };
    spectrum_ = time_rows(real_field ? grid.fine / 2 + 1 : grid.fine, LM_C128, "spectrum of a column");
    field_ = time_rows(grid.fine, real_field ? LM_F64 : LM_C128, "field in time");
    wave_ = time_rows(grid.fine, real ? LM_F64 : LM_C128, "polarisation in time");
    if (has_current()) current_time_ = time_rows(grid.fine, LM_F64, "current in time");
    if (real && !real_field) half_ = time_rows(grid.fine / 2 + 1, LM_C128, "spectrum of a column");
  }
  lm_p_band pad{sizeof(lm_p_band), 0, tables_->analytic ? std::uint32_t{LM_BAND_ANALYTIC} : grid.kind, stage.pre_scale};
  program.add(device_.need("fft.pad"), {spectrum_.view(), in, pre_.view()}, pad);
  program.add(device_.need("fft.exec"), {field_.view(), spectrum_.view()}, nullptr, 0, {&to_time_});
  bool given[2] = {false, false};
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    given[part.given->output] = true;
    std::vector<lm_view> views = {field_.view(),
                                  part.given->output == LM_CURRENT ? current_time_.view() : wave_.view()};
    views.insert(views.end(), part.tables.begin(), part.tables.end());
    program.add(part.fn, std::move(views), address(stage.params[i]), size(stage.params[i]), part.plans,
                part.work_bytes);
  }
  for (const bool current : {false, true}) {
    if (!window_.given() || !given[current ? LM_CURRENT : LM_POLARISATION]) continue;
    const lm_view rows = current ? current_time_.view() : wave_.view();
    program.add(device_.need("core.mul", 2), {rows, rows, window_.view()}, nullptr, 0, {});
    used_->add("core.mul", "stage", 2);
  }
  const lm_view spectrum = half_.given() ? half_.view() : spectrum_.view();
  lm_p_band crop{sizeof(lm_p_band), 0, grid.kind, stage.post_scale};
  if (given[LM_POLARISATION]) {
    program.add(device_.need("fft.exec"), {spectrum, wave_.view()}, nullptr, 0, {&to_frequency_});
    program.add(device_.need("fft.crop"), {out, spectrum, post_.view()}, crop);
    crop.flags = LM_CROP_ACCUMULATE;
  }
  if (given[LM_CURRENT]) {
    program.add(device_.need("fft.exec"), {spectrum, current_time_.view()}, nullptr, 0, {&to_frequency_});
    program.add(device_.need("fft.crop"), {out, spectrum, current_.view()}, crop);
  }
  for (const char* name : {"fft.pad", "fft.exec", "fft.crop"}) used_->add(name, "stage");
}

// Field in time at the nodes of a reading: a whole analytic signal also where the field is real.
void RouteEquation::add_reading(Program& program, const lm_view& state, const lm_view& out) {
  const UppeTables& t = *tables_;
  lm_view from = state;
  if (to_reading_.given()) {
    if (!reading_modes_.given())
      reading_modes_ =
          rows({t.grid.samples, t.reading_inner, t.outer, t.components}, LM_C128, "reading", RowBlock::Kind::scratch);
    program.add(device_.need("spatial.matrix"), {reading_modes_.view(), state, to_reading_.view()}, nullptr, 0, {});
    from = reading_modes_.view();
  } else if (t.transverse) {
    from = space_view();
    add_to_space(program, state, from);
  }
  if (t.grid.half() && !reading_band_.given())
    reading_band_ =
        rows({t.grid.times, t.reading_inner, t.outer, t.components}, LM_C128, "reading", RowBlock::Kind::scratch);
  add_whole_signal(program, from, view_or_none(reading_band_), out);
}

// A field in time as a reading has it: an analytic signal of a real field, by way of the rows `band`.
void RouteEquation::add_whole_signal(Program& program, const lm_view& in, const lm_view& band, const lm_view& out) {
  lm_view from = in;
  if (tables_->grid.half()) {
    const lm_p_band pad{sizeof(lm_p_band), 0, LM_BAND_ANALYTIC, 0};
    program.add(device_.need("fft.pad"), {band, from, lm_view{}}, pad);
    used_->add("fft.pad", "stage");
    from = band;
  }
  program.add(device_.need("fft.exec"), {out, from}, nullptr, 0, {&reading_});
  used_->add("fft.exec", "stage");
}

// The field at nodes in space: rows that the right-hand side, readings and absorbers have in turn.
lm_view RouteEquation::space_view() {
  const UppeTables& t = *tables_;
  if (!space_.given())
    space_ = rows({t.grid.samples, t.space_inner, t.outer, t.space_components}, LM_C128, "field in space",
                  RowBlock::Kind::scratch);
  return space_.view();
}

}  // namespace lumarch
