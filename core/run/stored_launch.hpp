// SPDX-License-Identifier: Apache-2.0
// Outputs of runs that a problem launches: found, judged and read.
#pragma once

#include <string>

#include <lumarch/problem.hpp>

#include "translate/stored_field.hpp"

namespace lumarch {

// Looks at every file that the launch names, without reading a field. Throws ProblemError with all that is wrong: a
// file that is missing or none of a run, a plane without a field, another route.
void check_stored(const Problem& problem, const FieldAxes& axes);

// Reads them where a launch asks for them; the problem must outlive it.
[[nodiscard]] StoredFields stored_fields(const Problem& problem);

// For people: "plane 4 of before.h5 (z = 0.1 m)".
[[nodiscard]] std::string describe_stored(const Pulse& pulse);

}  // namespace lumarch
