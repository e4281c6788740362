// SPDX-License-Identifier: Apache-2.0
// Statistics of what was read of a fibre's state at a plane, by the definitions of physics.md, 13. Pure functions of
// host rows.
#pragma once

#include <span>
#include <vector>

#include <lumarch/problem.hpp>

#include "march/readings.hpp"
#include "translate/grid.hpp"

namespace lumarch {

[[nodiscard]] bool needs_time(Quantity quantity);

// Of a fibre's reading: abs(S)^2 of the state (spectrum in FFT order times 1/(n dt)), and abs(A(t))^2, W; without the
// latter where no quantity needs it.
[[nodiscard]] PlaneRows squares_of(std::span<const Complex> state, std::span<const Complex> time);

// 2 values for width_20db (shortest and longest wavelength, m), else 1. NaN where a width has no crossing. `z` is where
// the rows were read, for the message of a width that is none.
[[nodiscard]] std::vector<double> statistic(const StatisticRequest& request, const Grid& grid, const PlaneRows& rows,
                                            double z);

[[nodiscard]] double energy(const Grid& grid, std::span<const double> spectrum);  // J
[[nodiscard]] double photon_number(const Grid& grid, std::span<const double> spectrum);

}  // namespace lumarch
