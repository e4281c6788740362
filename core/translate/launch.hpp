// SPDX-License-Identifier: Apache-2.0
// The field at the fibre's entrance, and the noise that goes with it (physics.md, 14 and 16).
#pragma once

#include <vector>

#include <lumarch/problem.hpp>

#include "translate/fibre.hpp"
#include "translate/grid.hpp"
#include "translate/pulse.hpp"

namespace lumarch {

// The state rows of docs/kernels.md: spectrum times 1/(n dt), in sqrt(W).
struct Launch {
  std::vector<Complex> state;
  std::vector<Complex> noise;  // empty unless noise enters the nonlinear operator
};

[[nodiscard]] Launch build_launch(const Problem& problem, const Grid& grid, const Transforms& transforms);

}  // namespace lumarch
