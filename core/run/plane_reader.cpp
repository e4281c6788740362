// SPDX-License-Identifier: Apache-2.0
#include "run/plane_reader.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "media/constants.hpp"
#include "reads/plane.hpp"
#include "reads/statistics.hpp"

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

template <class... Values>
std::string say(const char* format, Values... values) {
  char text[300];
  std::snprintf(text, sizeof text, format, values...);
  return text;
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
    Budget found{energy(grid_, state_), photon_number(grid_, state_), 0};
    for (const Complex& a : time_) found.peak_power = std::max(found.peak_power, std::norm(a));
    return found;
  }

  std::string largest(double) override {
    stepper_.read(0, state_, &time_);
    const auto at = std::max_element(time_.begin(), time_.end(),
                                     [](const Complex& a, const Complex& b) { return std::norm(a) < std::norm(b); });
    return say("the largest field is %.4g W at t = %.4g s", std::norm(*at), grid_.time(at - time_.begin()));
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

  // As the file has it: omega rises, sqrt(W) s, and the phase refers to the window's centre. The centre is sample n/2
  // of the backend's time axis, so the phase there is exp(-i Omega t_0) with t_0 the time of its first sample.
  [[nodiscard]] std::vector<Complex> rising_field() const {
    std::vector<Complex> field(state_.size());
    for (std::int64_t j = 0; j < grid_.n; ++j) {
      const std::int64_t k = grid_.rising(j), half = grid_.n / 2;
      // exp(+i Omega_k t_0) with Omega_k t_0 = -2 pi k half/n; k half is taken modulo n, so the angle stays small
      const std::int64_t turns = (k * half) % grid_.n;
      const Complex phase =
          2 * half == grid_.n
              ? Complex(k % 2 ? -1 : 1)
              : std::polar(1.0, -2 * constants::pi * static_cast<double>(turns) / static_cast<double>(grid_.n));
      field[static_cast<std::size_t>(j)] = grid_.window * phase * state_[static_cast<std::size_t>(k)];
    }
    return field;
  }

  const Grid& grid_;
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
    return {reading.energy(), reading.photons(), *std::max_element(power.begin(), power.end())};
  }

  std::string largest(double z) override {
    stepper_.read(0, state_, &time_);
    const PlaneReading reading(tables_, z, state_, time_);
    const auto& power = reading.power();
    const auto at = std::max_element(power.begin(), power.end());
    return say("the largest field is %.4g W/m^2, the largest power %.4g W at t = %.4g s",
               reading.statistic({"", Quantity::peak_intensity, 0, 0}).front(), *at,
               tables_.grid.time(at - power.begin()));
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
