// SPDX-License-Identifier: Apache-2.0
// What is made of the numbers read at a plane of a uppe state: spectrum, power, fluence, and the statistics of
// physics.md, 13.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lumarch/problem.hpp>

#include "march/readings.hpp"
#include "translate/uppe.hpp"

namespace lumarch {

class PlaneReading {
public:
  // `rows` as wants_of(problem, tables) asks for.
  PlaneReading(const Problem& problem, const UppeTables& tables, double z, PlaneRows rows);

  [[nodiscard]] const std::vector<double>& spectrum() const { return spectrum_; }     // J s, omega rising
  [[nodiscard]] const std::vector<double>& power() const { return rows_.power; }      // W
  [[nodiscard]] const std::vector<double>& fluence() const { return rows_.fluence; }  // J/m^2, [outer][inner]; or empty
  [[nodiscard]] const PlaneRows& rows() const { return rows_; }
  [[nodiscard]] double energy() const;  // J
  [[nodiscard]] double photons() const;

  // How far the field on the axis goes beyond the table of the ionisation rates: over 1 where it does; 0 without one.
  [[nodiscard]] double over_rates() const;

  // values_of() numbers; NaN where there is none.
  [[nodiscard]] std::vector<double> statistic(const StatisticRequest& request) const;

private:
  [[nodiscard]] std::vector<double> rising(const std::vector<double>& spectrum) const;  // J s
  [[nodiscard]] std::vector<double> spectral(const StatisticRequest& request, const std::vector<double>& density) const;
  [[nodiscard]] std::vector<double> temporal(const StatisticRequest& request, const std::vector<double>& power) const;
  [[nodiscard]] double peak_intensity() const;
  [[nodiscard]] double axis_sum() const;  // of |E|^2 on the axis over time, V^2/m^2
  [[nodiscard]] double axis_peak() const;
  [[nodiscard]] std::vector<double> axis_field() const;      // the size of the real field there
  [[nodiscard]] std::vector<double> axis_intensity() const;  // W/m^2 at each time
  [[nodiscard]] std::vector<double> axis_density() const;    // J s/m^2, omega rising
  [[nodiscard]] double electron_density() const;
  [[nodiscard]] double peak_ionisation_rate() const;
  [[nodiscard]] double zero_dispersion() const;
  [[nodiscard]] std::int64_t roundings(std::int64_t numbers) const;
  [[nodiscard]] std::vector<double> beam_radius(const std::string& name) const;
  [[nodiscard]] double ring_width(const std::string& name) const;

  const Problem& problem_;
  const UppeTables& tables_;
  double z_;
  double axis_scale_ = 1;  // of |E|^2 on the axis: a mode's own size, a taper's
  PlaneRows rows_;
  std::vector<double> spectrum_;
};

// The same numbers from rows on the host: state [component][outer][inner][omega], time as the equation's reading,
// [component][outer][reading nodes][time]. For backends that cannot read a state themselves.
[[nodiscard]] PlaneRows rows_on_host(const UppeTables& tables, const ReadWants& wants, std::span<const Complex> state,
                                     std::span<const Complex> time);

// The field of a state as a file has it: omega and k rise, phases refer to the window's centre and the axis.
[[nodiscard]] std::vector<Complex> rising_field(const UppeTables& tables, std::span<const Complex> state);

}  // namespace lumarch
