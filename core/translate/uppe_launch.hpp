// SPDX-License-Identifier: Apache-2.0
// The field at the entrance of a uppe problem, on any route, and its noise (physics.md, 14 and 16).
#pragma once

#include <string>
#include <vector>

#include "translate/launch.hpp"
#include "translate/uppe.hpp"

namespace lumarch {

// State rows [component][outer][inner][omega] in the scale of docs/kernels.md; `transforms` are of grid.times samples,
// `stored` gives the fields of pulses of the shape run.
// Adds a warning for a pulse of which the band, or the modes, hold clearly less than all.
[[nodiscard]] Launch build_launch(const Problem& problem, const UppeTables& tables, const Transforms& transforms,
                                  std::vector<std::string>& warnings, const StoredFields& stored = {});

// What is wrong with a pulse's beam on these nodes, for a warning; empty where they hold it.
[[nodiscard]] std::string unresolved_beam(const Pulse& pulse, const Problem& problem, const UppeTables& tables);

}  // namespace lumarch
