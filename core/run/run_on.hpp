// SPDX-License-Identifier: Apache-2.0
// A run on a device that is open already.
#pragma once

#include <lumarch/run.hpp>

#include "backend/device.hpp"

namespace lumarch {

// How kernels are used; all as well as the backend can where nothing is said. For tests that compare the ways.
struct RunWays {
  bool fused = true;       // false: stage kernels only
  bool reads_here = true;  // false: planes are read of a downloaded field
};

// The problem checked, with the schedule of the run that it repeats, where it does.
[[nodiscard]] Problem ready_to_run(const Problem& problem);

struct Resumption;

// From the launch, or from where a run was.
RunSummary run_on(Device& device, const Problem& problem, Sink& sink, const RunOptions& options,
                  const RunWays& ways = {}, const Resumption* from = nullptr);

}  // namespace lumarch
