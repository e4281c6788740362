// SPDX-License-Identifier: Apache-2.0
#include "run/plane_reader.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <utility>

#include "reads/plane.hpp"
#include "reads/statistics.hpp"
#include "translate/stored_field.hpp"

namespace lumarch {

void PlaneReader::operator()(std::int64_t index, double z) {
  PlaneRecord record = read(z);
  record.index = index;
  record.z = z;
  if (problem_.output.fields != Fields::last) return sink_.plane(std::move(record));
  flush(false);
  held_ = std::move(record);  // it may be the last one that this run reaches
}

void PlaneReader::flush(bool with_field) {
  if (!held_) return;
  if (!with_field) held_->field.clear();
  sink_.plane(std::move(*held_));
  held_.reset();
}

namespace {

// The share of a spectrum that lies in the outer twentieths of its band.
double share_at_ends(const std::vector<double>& spectrum) {
  const auto rim = static_cast<std::ptrdiff_t>(spectrum.size() / 20 + 1);
  if (static_cast<std::size_t>(2 * rim) >= spectrum.size()) return 0;
  const double inside = std::accumulate(spectrum.begin() + rim, spectrum.end() - rim, 0.0);
  const double all = std::accumulate(spectrum.begin(), spectrum.end(), 0.0);
  return all > 0 ? 1 - inside / all : 0;
}

class FibreReader final : public PlaneReader {
public:
  FibreReader(const Problem& problem, const Grid& grid, Stepper& stepper, Sink& sink)
      : PlaneReader(problem, sink), grid_(grid), stepper_(stepper) {
    for (const StatisticRequest& request : problem.statistics)
      time_needed_ = time_needed_ || needs_time(request.quantity);
  }

  Budget budget(double) override {
    stepper_.read(0, state_, &time_);
    std::vector<double> spectrum(state_.size());
    for (std::size_t j = 0; j < spectrum.size(); ++j)
      spectrum[j] = std::norm(state_[static_cast<std::size_t>(grid_.rising(static_cast<std::int64_t>(j)))]);
    Budget found{energy(grid_, state_), photon_number(grid_, state_), 0, share_at_ends(spectrum)};
    for (const Complex& a : time_) found.peak_power = std::max(found.peak_power, std::norm(a));
    return found;
  }

private:
  PlaneRecord read(double) override {
    if (!problem_.statistics.empty() || problem_.output.fields != Fields::none)
      stepper_.read(0, state_, time_needed_ ? &time_ : nullptr);
    const PlaneRows rows{state_, time_};
    PlaneRecord record;
    for (const StatisticRequest& request : problem_.statistics)
      record.statistics.push_back(statistic(request, grid_, rows));
    if (problem_.output.fields != Fields::none) record.field = rising_field();
    return record;
  }

  // As the file has it: omega rises, sqrt(W) s, and the phase refers to the window's centre.
  [[nodiscard]] std::vector<Complex> rising_field() const {
    std::vector<Complex> field(state_.size());
    for (std::int64_t j = 0; j < grid_.n; ++j)
      field[static_cast<std::size_t>(j)] =
          phases_[static_cast<std::size_t>(j)] * state_[static_cast<std::size_t>(grid_.rising(j))];
    return field;
  }

  const Grid& grid_;
  std::vector<Complex> phases_ = file_phases(grid_);
  Stepper& stepper_;
  bool time_needed_ = false;
  std::vector<Complex> state_, time_;
};

class RouteReader final : public PlaneReader {
public:
  RouteReader(const Problem& problem, const UppeTables& tables, Stepper& stepper, Sink& sink)
      : PlaneReader(problem, sink), tables_(tables), stepper_(stepper) {}

  Budget budget(double z) override {
    stepper_.read(0, state_, &time_);
    const PlaneReading reading(tables_, z, state_, time_);
    const auto& power = reading.power();
    return {reading.energy(), reading.photons(), *std::max_element(power.begin(), power.end()),
            share_at_ends(propagated(reading.spectrum()))};
  }

private:
  PlaneRecord read(double z) override {
    stepper_.read(0, state_, &time_);
    const PlaneReading reading(tables_, z, state_, time_);
    PlaneRecord record;
    for (const StatisticRequest& request : problem_.statistics) record.statistics.push_back(reading.statistic(request));
    warn_of_rates(reading.over_rates(), z);
    record.spectrum = reading.spectrum();
    record.power = reading.power();
    record.fluence = reading.fluence();
    if (problem_.output.fields != Fields::none) record.field = rising_field(tables_, state_);
    return record;
  }

  // Of what is propagated; frequencies rise.
  [[nodiscard]] std::vector<double> propagated(const std::vector<double>& spectrum) const {
    std::vector<double> band;
    for (std::size_t j = 0; j < spectrum.size(); ++j)
      if (tables_.grid.weight[static_cast<std::size_t>(tables_.grid.rising(static_cast<std::int64_t>(j)))] > 0)
        band.push_back(spectrum[j]);
    return band;
  }

  // Once a run: a stronger field has the last rate of the table.
  void warn_of_rates(double over, double z) {
    if (!(over > 1) || !warnings_.empty()) return;
    char text[200];
    std::snprintf(
        text, sizeof text,
        "the field on the axis at z = %.4g m is %.3g times what the ionisation rates are tabulated for (twice the "
        "barrier's suppression): lower the energy, or the focusing",
        z, over);
    warnings_.emplace_back(text);
  }

  const UppeTables& tables_;
  Stepper& stepper_;
  std::vector<Complex> state_, time_;
};

}  // namespace

std::unique_ptr<PlaneReader> read_fibre(const Problem& problem, const Grid& grid, Stepper& stepper, Sink& sink) {
  return std::make_unique<FibreReader>(problem, grid, stepper, sink);
}

std::unique_ptr<PlaneReader> read_route(const Problem& problem, const UppeTables& tables, Stepper& stepper,
                                        Sink& sink) {
  return std::make_unique<RouteReader>(problem, tables, stepper, sink);
}

}  // namespace lumarch
