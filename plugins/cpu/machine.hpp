// SPDX-License-Identifier: Apache-2.0
// What this machine is and has, as the operating system says.
#pragma once

#include <cstdint>
#include <string>

namespace lumarch::cpu {

unsigned usable_threads();               // processors that this process may run on
std::string processor_name();            // "model name" of /proc/cpuinfo
std::uint64_t last_level_cache_bytes();  // of the largest cache
std::uint64_t memory_total();            // bytes, as lumarch/machine_memory.hpp finds them
std::uint64_t memory_available();        // likewise: that can still be taken

}  // namespace lumarch::cpu
