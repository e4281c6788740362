// SPDX-License-Identifier: Apache-2.0
// What writer and reader of a scan's file call the columns of /scan/points.
#pragma once

#include <algorithm>
#include <string>

namespace lumarch::scan_names {

inline constexpr const char *status = "status", *reason = "reason", *digest = "digest", *exit_state = "exit_state",
                            *seconds = "seconds", *energy_in = "energy_in", *energy_out = "energy_out";

// Of a point that is not marched, or has to be marched again.
inline constexpr const char* waiting = "waiting";

// The name of an axis: "/launch/0/peak_power" is launch.0.peak_power.
[[nodiscard]] inline std::string axis_name(const std::string& pointer) {
  std::string name = pointer.substr(1);
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

}  // namespace lumarch::scan_names
