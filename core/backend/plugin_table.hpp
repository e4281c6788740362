// SPDX-License-Identifier: Apache-2.0
// Is a plugin's table one that this core can use? Reads constant data, calls nothing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <lumarch/abi.h>

namespace lumarch {

// The 16 bytes that never change, as the first bytes of lm_plugin.
inline constexpr std::size_t plugin_head_bytes = 16;
[[nodiscard]] std::string head_fault(const std::byte* head);

// The whole table, of a plugin whose head is right: sizes as lower bounds, required pointers, the name.
[[nodiscard]] std::string table_fault(const lm_plugin& plugin, const std::string& file_name, bool kernels_only);

// The required kernels of docs/kernels.md, all of version 1.
[[nodiscard]] const std::vector<std::string>& required_kernels();

}  // namespace lumarch
