// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>

#include <lumarch/machine_memory.hpp>

namespace lumarch::cpu {

unsigned usable_threads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return static_cast<unsigned>(CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());  // more processors than a cpu_set_t holds
}

std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.compare(0, 10, "model name") == 0 && line.find(':') + 2 < line.size())
      return line.substr(line.find(':') + 2);
  return "unknown processor";
}

std::uint64_t last_level_cache_bytes() {
  std::uint64_t most = 0;
  for (const int name : {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL4_CACHE_SIZE}) {
    const long bytes = sysconf(name);
    if (bytes > 0) most = std::max(most, static_cast<std::uint64_t>(bytes));
  }
  return most ? most : std::uint64_t{8} << 20;
}

std::uint64_t memory_total() { return machine::memory().total; }

std::uint64_t memory_available() { return machine::memory().available; }

}  // namespace lumarch::cpu
