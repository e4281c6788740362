// SPDX-License-Identifier: Apache-2.0
// Index of glasses and crystals at room temperature. Frequencies are angular, in rad/s.
#pragma once

#include <optional>

#include <lumarch/substances.hpp>

#include "media/range.hpp"

namespace lumarch {

// The published Sellmeier formula (glass.cpp names it), also outside of glass_range. NaN where the formula has no real
// index, between a resonance and where n^2 becomes positive again. omega > 0; throws nothing.
[[nodiscard]] double glass_index(Glass glass, double omega);

// Vacuum wavelengths for which the formula was published. Throws nothing.
[[nodiscard]] Range glass_range(Glass glass);

// glass_index inside of glass_range; beyond it the value at its nearer end: for walls of guides, whose index counts
// little, on grids that reach further than the formula. omega > 0; throws nothing.
[[nodiscard]] double wall_index(Glass glass, double omega);

// Nonlinear index, m^2/W, where there is a number with a source: fused silica 2.7e-20 (800 nm to 1030 nm), magnesium
// fluoride 5.79e-21 (R. DeSalvo et al., IEEE J. Quantum Electron. 32, 1324 (1996)), calcite 3.22e-20 (P. Kabacinski et
// al., Opt. Express 27, 11018 (2019)). Throws nothing.
[[nodiscard]] std::optional<double> glass_n2(Glass glass);

}  // namespace lumarch
