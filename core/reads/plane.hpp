// SPDX-License-Identifier: Apache-2.0
// What is read of a uppe state at a plane: spectrum, power, fluence, and the statistics made of them (physics.md, 13).
#pragma once

#include <span>
#include <vector>

#include <lumarch/problem.hpp>

#include "translate/fibre.hpp"
#include "translate/uppe.hpp"

namespace lumarch {

class PlaneReading {
public:
  // state: [component][outer][inner][omega]; time: the equation's reading, [component][outer][reading nodes][time].
  // Both must outlive the reading.
  PlaneReading(const UppeTables& tables, double z, std::span<const Complex> state, std::span<const Complex> time);

  [[nodiscard]] const std::vector<double>& spectrum() const { return spectrum_; }  // J s, omega rising
  [[nodiscard]] const std::vector<double>& power() const { return power_; }        // W
  [[nodiscard]] const std::vector<double>& fluence() const { return fluence_; }    // J/m^2, [outer][inner]; or empty
  [[nodiscard]] double energy() const;                                             // J
  [[nodiscard]] double photons() const;

  // How far the field on the axis goes beyond the table of the ionisation rates: over 1 where it does; 0 without one.
  [[nodiscard]] double over_rates() const;

  // values_of() numbers; NaN where there is none.
  [[nodiscard]] std::vector<double> statistic(const StatisticRequest& request) const;

private:
  [[nodiscard]] double peak_intensity() const;
  [[nodiscard]] std::vector<double> axis_field2()
      const;  // |E|^2 on the axis at each time, all components as if in the reference's index
  [[nodiscard]] std::vector<double> axis_field() const;  // the real field there, of a real-field problem
  [[nodiscard]] double electron_density() const;
  [[nodiscard]] double zero_dispersion() const;
  [[nodiscard]] std::vector<double> beam_radius() const;
  [[nodiscard]] double ring_width() const;
  [[nodiscard]] Complex axis(std::int64_t component, std::int64_t j) const;
  [[nodiscard]] std::int64_t axis_components() const;
  [[nodiscard]] std::span<const Complex> row(std::int64_t component, std::int64_t y, std::int64_t x) const;

  const UppeTables& tables_;
  double z_;
  double mode_field_ = 0;  // mode-averaged: V/m per sqrt(W)
  std::span<const Complex> state_, time_;
  std::vector<double> spectrum_, power_, fluence_, mode_energy_;
};

// The field of a state as a file has it: omega and k rise, phases refer to the window's centre and the axis.
[[nodiscard]] std::vector<Complex> rising_field(const UppeTables& tables, std::span<const Complex> state);

}  // namespace lumarch
