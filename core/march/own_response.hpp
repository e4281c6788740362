// SPDX-License-Identifier: Apache-2.0
// A response of a plugin, found on the backend that was opened, with the values that its kernel gets.
#pragma once

#include <string>
#include <vector>

#include <lumarch/problem.hpp>

#include "backend/plugin.hpp"

namespace lumarch {

struct OwnResponse {
  lm_kernel_fn fn = nullptr;
  std::string name, from;  // from: path of the plugin
  std::uint32_t version = 0;
  std::vector<double> values;  // SI, in the order of the description
};

// Error(Fault::refused) where the backend has no such kernel, or none that is described; ProblemError with all that is
// wrong with its parameters.
[[nodiscard]] OwnResponse resolve(const LoadedBackend& backend, const PluginResponse& response);

}  // namespace lumarch
