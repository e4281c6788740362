// SPDX-License-Identifier: Apache-2.0
// Absorbers in time and space, in place on a state: there, times a table, and back.
#include "march/route_equation.hpp"

namespace lumarch {

void RouteEquation::add_norm(Program& program, const lm_view& state, std::uint32_t slot) {
  lm_p_combine p = plain_sum(1);
  p.slot = slot;
  program.add(device_.need("reduce.error"), {state, state}, p);
}

void RouteEquation::add_absorbers(Program& program, const lm_view& state, std::uint32_t slot) {
  add_norm(program, state, slot);
  if (!tables_->time_collar.empty()) add_time_collar(program, state);
  add_norm(program, state, slot + 2);
  if (!tables_->space_collar.empty()) add_space_collar(program, state);
  add_norm(program, state, slot + 4);
}

// It commutes with x and y, so that it needs no transform of those.
void RouteEquation::add_time_collar(Program& program, const lm_view& state) {
  const BandGrid& grid = tables_->grid;
  if (!time_collar_.given()) {
    time_collar_ = rows(RowShape{grid.times}, LM_F64, "absorber in time", RowBlock::Kind::shared);
    time_collar_.upload(device_, 0, 0, tables_->time_collar, "upload tables");
    // the way back: an analytic signal is twice the positive half of a real field
    std::vector<double> back(static_cast<std::size_t>(grid.samples));
    for (std::size_t k = 0; k < back.size(); ++k)
      back[k] = grid.weight[k] > 0 ? 1.0 / static_cast<double>(grid.times * (grid.half() ? 2 : 1)) : 0.0;
    band_back_ = rows(RowShape{grid.samples}, LM_F64, "absorber in time", RowBlock::Kind::shared);
    band_back_.upload(device_, 0, 0, back, "upload tables");
    reading_back_ = Plan::fft(device_, grid.times, LM_FFT_C2C, LM_FFT_BACKWARD, true);
    const RowShape all{grid.times, tables_->inner, tables_->outer, tables_->components};
    collar_time_ = rows(all, LM_C128, "field in time", RowBlock::Kind::scratch);
    collar_band_ = rows(all, LM_C128, "field in time", RowBlock::Kind::scratch);
  }
  lm_view band = collar_band_.view();
  add_whole_signal(program, state, band, collar_time_.view());
  program.add(device_.need("core.mul", 2), {collar_time_.view(), collar_time_.view(), time_collar_.view()}, nullptr, 0,
              {});
  program.add(device_.need("fft.exec"), {band, collar_time_.view()}, nullptr, 0, {&reading_back_});
  band.extent[LM_AXIS_SAMPLE] = grid.samples;  // the positive frequencies come first
  program.add(device_.need("core.mul", 2), {state, band, band_back_.view()}, nullptr, 0, {});
}

void RouteEquation::add_space_collar(Program& program, const lm_view& state) {
  const UppeTables& t = *tables_;
  const auto samples = static_cast<std::size_t>(t.grid.samples);
  if (!space_collar_.given()) {
    const double back = t.transverse->fourier() ? 1.0 / static_cast<double>(t.transverse->nodes()) : 1.0;
    space_collar_ = rows({t.grid.samples, t.inner, t.outer}, LM_F64, "absorber in space", RowBlock::Kind::shared);
    std::vector<double> table;
    if (!device_.counting()) table.reserve(t.space_collar.size() * samples);
    for (std::size_t i = 0; i < t.space_collar.size() && !device_.counting(); ++i)
      table.insert(table.end(), samples, back * t.space_collar[i]);
    space_collar_.upload(device_, 0, 0, table, "upload tables");
  }
  const lm_view space = space_view();
  add_to_space(program, state, space);
  program.add(device_.need("core.mul", 2), {space, space, space_collar_.view()}, nullptr, 0, {});
  add_to_state(program, space, state);
}

}  // namespace lumarch
