// SPDX-License-Identifier: Apache-2.0
// The field at the fibre's entrance, and the noise that goes with it (physics.md, 14 and 16).
#pragma once

#include <functional>
#include <vector>

#include <lumarch/problem.hpp>

#include "translate/fibre.hpp"
#include "translate/grid.hpp"

namespace lumarch {

// Core has no FFT of its own: these are the backend's, in place, not normalised, FFT order.
struct Transforms {
  std::function<void(std::vector<Complex>&)> to_time;       // exp(-i omega t), sum over omega
  std::function<void(std::vector<Complex>&)> to_frequency;  // exp(+i omega t), sum over t
};

// The state rows of docs/kernels.md: spectrum times 1/(n dt), in sqrt(W).
struct Launch {
  std::vector<Complex> state;
  std::vector<Complex> noise;  // empty unless noise enters the nonlinear operator
};

[[nodiscard]] Launch build_launch(const Problem& problem, const Grid& grid, const Transforms& transforms);

// T0 of a pulse's shape, s: exp(-(t/T0)^2), sech^2(t/T0), exp(-(t/T0)^(2m)) of the power; 0 for cw and file.
[[nodiscard]] double natural_width(const Pulse& pulse);

}  // namespace lumarch
