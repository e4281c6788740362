// SPDX-License-Identifier: Apache-2.0
// A run on a device that is open already.
#pragma once

#include <lumarch/run.hpp>

#include "backend/device.hpp"

namespace lumarch {

RunSummary run_on(Device& device, const Problem& problem, Sink& sink, const RunOptions& options,
                  bool fused_kernels = true);

}  // namespace lumarch
