// SPDX-License-Identifier: Apache-2.0
// What a plugin tells of its responses (LM_EXT_RESPONSES), copied and judged once, when it is loaded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lumarch/abi.h>
#include <lumarch/backends.hpp>

namespace lumarch {

struct ResponseDescription {
  std::string name;
  std::uint32_t version = 0;
  std::string text;
  std::vector<ParameterEntry> parameters;  // in the order in which the kernel gets their values
};

// The plugin's descriptions; none where it has no such extension. What is wrong with them goes into `fault`, as the
// reason to refuse the plugin.
[[nodiscard]] std::vector<ResponseDescription> described_by(const lm_plugin& plugin, std::string& fault);

}  // namespace lumarch
