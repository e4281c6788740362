// SPDX-License-Identifier: Apache-2.0
// What this machine is and has, as the operating system says.
#pragma once

#include <cstdint>
#include <string>

namespace lumarch::cpu {

unsigned usable_threads();               // processors that this process may run on
std::string processor_name();            // "model name" of /proc/cpuinfo
std::uint64_t last_level_cache_bytes();  // of the largest cache
std::uint64_t memory_total();            // bytes of the machine, or of the control group where that is less
std::uint64_t memory_available();        // bytes that can still be taken before the machine or a group is full

// The control-group part of it, apart for tests: least of (limit - used) along the groups that `self` (the text of
// /proc/self/cgroup) names below `root` (/sys/fs/cgroup). UINT64_MAX where nothing limits.
struct GroupMemory {
  std::uint64_t limit = UINT64_MAX, available = UINT64_MAX;
};
GroupMemory group_memory(const std::string& root, const std::string& self);

}  // namespace lumarch::cpu
