// SPDX-License-Identifier: Apache-2.0
// Statistics of a fibre's state at a plane, by the definitions of physics.md, 13. Pure functions of host rows.
#pragma once

#include <span>
#include <vector>

#include <lumarch/problem.hpp>

#include "translate/fibre.hpp"
#include "translate/grid.hpp"

namespace lumarch {

// Both rows as the backend holds them: the state (spectrum in FFT order times 1/(n dt)), and A(t), sqrt(W).
struct PlaneRows {
  std::span<const Complex> state;
  std::span<const Complex> time;  // may be empty where no quantity needs it
};

[[nodiscard]] bool needs_time(Quantity quantity);

// 2 values for width_20db (shortest and longest wavelength, m), else 1. NaN where a width has no crossing.
[[nodiscard]] std::vector<double> statistic(const StatisticRequest& request, const Grid& grid, const PlaneRows& rows);

[[nodiscard]] double energy(const Grid& grid, std::span<const Complex> state);  // J
[[nodiscard]] double photon_number(const Grid& grid, std::span<const Complex> state);

}  // namespace lumarch
