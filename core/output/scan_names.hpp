// SPDX-License-Identifier: Apache-2.0
// What writer and reader of a scan's file call the columns of /scan/points.
#pragma once

namespace lumarch::scan_names {

inline constexpr const char *status = "status", *reason = "reason", *digest = "digest", *exit_state = "exit_state",
                            *seconds = "seconds", *energy_in = "energy_in", *energy_out = "energy_out";

// Of a point that is not marched, or has to be marched again.
inline constexpr const char* waiting = "waiting";

}  // namespace lumarch::scan_names
