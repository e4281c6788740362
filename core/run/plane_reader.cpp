// SPDX-License-Identifier: Apache-2.0
#include "run/plane_reader.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <utility>

#include "reads/edge.hpp"
#include "reads/plane.hpp"
#include "reads/statistics.hpp"
#include "reads/wants.hpp"
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

template <class... Values>
std::string say(const char* format, Values... values) {
  char text[300];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

// What the message of a march that failed tells of the field.
ReadWants peak_wants(const UppeTables& tables) {
  ReadWants wants;
  wants.peak = tables.transverse != nullptr;
  wants.axis = !wants.peak || tables.route == Route::radial;
  return wants;
}

class FibreReader final : public PlaneReader {
public:
  FibreReader(const Problem& problem, const Grid& grid, Stepper& stepper, Sink& sink)
      : PlaneReader(problem, sink), grid_(grid), stepper_(stepper), edge_(problem, grid) {
    rims_ = edge_.names();
    strips_ = edge_.strips();
  }

  std::vector<EdgeRim> edge(double z) override {
    const std::optional<EdgeRim> time = stepper_.read_time_rim(0);
    if (!time)
      need_power(z);
    else if (!read_at_ || *read_at_ != z)
      rows_ = rows(spectrum_alone);
    read_at_ = z;
    return edge_.read(rows_, time);
  }

  Budget budget(double z) override {
    need_power(z);
    std::vector<double> spectrum(rows_.spectrum.size());
    for (std::size_t j = 0; j < spectrum.size(); ++j)
      spectrum[j] = rows_.spectrum[static_cast<std::size_t>(grid_.rising(static_cast<std::int64_t>(j)))];
    return {energy(grid_, rows_.spectrum), photon_number(grid_, rows_.spectrum),
            *std::max_element(rows_.power.begin(), rows_.power.end()), share_at_ends(spectrum)};
  }

  std::string largest(double z) override {
    need_power(z);
    const auto at = std::max_element(rows_.power.begin(), rows_.power.end());
    return say("the largest field is %.4g W at t = %.4g s", *at, grid_.time(at - rows_.power.begin()));
  }

private:
  PlaneRecord read(double z) override {
    if (!problem_.statistics.empty()) {
      rows_ = rows(as_asked);
      read_at_ = z;
    }
    PlaneRecord record;
    for (const StatisticRequest& request : problem_.statistics)
      record.statistics.push_back(statistic(request, grid_, rows_, z));
    if (problem_.output.fields != Fields::none) {
      if (stepper_.reads_here() || problem_.statistics.empty()) stepper_.read(0, state_, nullptr);
      record.field = rising_field();
    }
    return record;
  }

  void need_power(double z) {
    if (!read_at_ || *read_at_ != z || rows_.power.empty()) rows_ = rows(with_power);
    read_at_ = z;
  }

  [[nodiscard]] PlaneRows rows(std::size_t which) {
    if (stepper_.reads_here()) return stepper_.read(0, which);
    stepper_.read(0, state_, &time_);
    return squares_of(state_, time_);
  }

  // As the file has it: omega rises, sqrt(W) s, and the phase refers to the window's centre.
  [[nodiscard]] std::vector<Complex> rising_field() const {
    std::vector<Complex> field(state_.size());
    for (std::int64_t j = 0; j < grid_.n; ++j)
      field[static_cast<std::size_t>(j)] =
          phases_[static_cast<std::size_t>(j)] * state_[static_cast<std::size_t>(grid_.rising(j))];
    return field;
  }

  static constexpr std::size_t as_asked = 0, with_power = 1, spectrum_alone = 2;  // of reads_of()
  const Grid& grid_;
  std::vector<Complex> phases_ = file_phases(grid_);
  Stepper& stepper_;
  EdgeReading edge_;
  std::optional<double> read_at_;  // z of rows_
  PlaneRows rows_;
  std::vector<Complex> state_, time_;
};

class RouteReader final : public PlaneReader {
public:
  RouteReader(const Problem& problem, const UppeTables& tables, Stepper& stepper, Sink& sink)
      : PlaneReader(problem, sink), tables_(tables), stepper_(stepper), edge_(problem, tables) {
    rims_ = edge_.names();
    strips_ = edge_.strips();
  }

  std::vector<EdgeRim> edge(double z) override {
    if (!last_ || last_z_ != z) take(z, rims_of);
    return edge_.read(last_->rows(), stepper_.read_time_rim(0));
  }

  // The last plane, or look, is read already.
  Budget budget(double z) override {
    if (!last_ || last_z_ != z) take(z, as_asked);
    const auto& power = last_->power();
    return {last_->energy(), last_->photons(), *std::max_element(power.begin(), power.end()),
            share_at_ends(propagated(last_->spectrum()))};
  }

  std::string largest(double z) override {
    const PlaneReading reading(problem_, tables_, z, rows(peaks));
    const auto& power = reading.power();
    const auto at = std::max_element(power.begin(), power.end());
    return say("the largest field is %.4g W/m^2, the largest power %.4g W at t = %.4g s",
               reading.statistic({"", Quantity::peak_intensity}).front(), *at, tables_.grid.time(at - power.begin()));
  }

private:
  PlaneRecord read(double z) override {
    take(z, as_asked);
    PlaneRecord record;
    for (const StatisticRequest& request : problem_.statistics) record.statistics.push_back(last_->statistic(request));
    warn_of_rates(last_->over_rates(), z);
    record.spectrum = last_->spectrum();
    record.power = last_->power();
    record.fluence = last_->fluence();
    if (problem_.output.fields != Fields::none) {
      if (stepper_.reads_here()) stepper_.read(0, state_, nullptr);
      record.field = rising_field(tables_, state_);
    }
    return record;
  }

  void take(double z, std::size_t which) {
    last_.reset();
    last_z_ = z;
    last_.emplace(problem_, tables_, z, rows(which));
  }

  // `which` of reads_of(); the state and its field in time are downloaded where the backend does not read them itself.
  [[nodiscard]] PlaneRows rows(std::size_t which) {
    if (stepper_.reads_here()) return stepper_.read(0, which);
    stepper_.read(0, state_, &time_);
    return rows_on_host(tables_, stepper_.wants(which), state_, time_);
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

  static constexpr std::size_t as_asked = 0, rims_of = 1, peaks = 2;  // of reads_of()
  const UppeTables& tables_;
  Stepper& stepper_;
  EdgeReading edge_;
  std::optional<PlaneReading> last_;
  double last_z_ = 0;
  std::vector<Complex> state_, time_;
};

}  // namespace

std::vector<ReadWants> reads_of(const Problem& problem, const UppeTables* tables) {
  if (tables) return {wants_of(problem, *tables), EdgeReading(problem, *tables).wants(), peak_wants(*tables)};
  ReadWants with_power, spectrum_alone;
  spectrum_alone.power = false;
  return {wants_of(problem), with_power, spectrum_alone};
}

std::unique_ptr<PlaneReader> read_fibre(const Problem& problem, const Grid& grid, Stepper& stepper, Sink& sink) {
  return std::make_unique<FibreReader>(problem, grid, stepper, sink);
}

std::unique_ptr<PlaneReader> read_route(const Problem& problem, const UppeTables& tables, Stepper& stepper,
                                        Sink& sink) {
  return std::make_unique<RouteReader>(problem, tables, stepper, sink);
}

}  // namespace lumarch
