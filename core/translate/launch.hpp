// SPDX-License-Identifier: Apache-2.0
// The field at the fibre's entrance, and the noise that goes with it (physics.md, 14 and 16).
#pragma once

#include <random>
#include <string>
#include <vector>

#include <lumarch/problem.hpp>

#include "translate/fibre.hpp"
#include "translate/grid.hpp"
#include "translate/pulse.hpp"
#include "translate/stored_field.hpp"

namespace lumarch {

// The state rows of docs/kernels.md: spectrum times 1/(n dt), in sqrt(W).
struct Launch {
  std::vector<Complex> state;
  std::vector<Complex> noise;  // empty unless noise enters the nonlinear operator
};

// A phase between 0 and 2 pi; the generator's sequence is fixed by the standard, and so is the way to a double.
[[nodiscard]] double random_phase(std::mt19937_64& random);

// The values of the pulse's stored field on these axes, as a file has them. Throws ProblemError at the pulse's place.
[[nodiscard]] std::vector<Complex> stored_values(std::size_t pulse, const FieldAxes& axes, const StoredFields& stored,
                                                 std::vector<std::string>& warnings);

// Puts noise where the problem wants it: beside the state, for the nonlinear operator, or into it.
void put_noise(const Noise& wanted, std::vector<Complex> noise, Launch& launch);

// `stored` gives the fields of pulses of the shape run. Adds a warning for what the grid does not hold of one.
[[nodiscard]] Launch build_launch(const Problem& problem, const Grid& grid, const Transforms& transforms,
                                  std::vector<std::string>& warnings, const StoredFields& stored = {});

}  // namespace lumarch
