// SPDX-License-Identifier: Apache-2.0
// The levels of what RunOptions::log and BackendSearch::log are told. The values are those of LM_LOG_* in abi.h.
#pragma once

namespace lumarch::log_level {

inline constexpr int debug = 0, info = 1, warning = 2, error = 3;

}  // namespace lumarch::log_level
