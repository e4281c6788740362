// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

namespace lumarch::cpu {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// The number a file begins with; UINT64_MAX where there is none ("max").
std::uint64_t number_of(const std::string& path) {
  const std::string text = text_of(path);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end != text.data() ? value : UINT64_MAX;
}

std::uint64_t meminfo(const std::string& key) {
  std::ifstream in("/proc/meminfo");
  for (std::string line; std::getline(in, line);)
    if (line.compare(0, key.size(), key) == 0) return std::strtoull(line.c_str() + key.size(), nullptr, 10) * 1024;
  return 0;
}

// A group and those above it: each may hold the limit.
void walk(GroupMemory& least, const std::string& root, std::string path, const char* limit_file,
          const char* used_file) {
  for (;;) {
    const std::string folder = root + (path == "/" ? "" : path);
    const std::uint64_t limit = number_of(folder + "/" + limit_file), used = number_of(folder + "/" + used_file);
    if (limit < (std::uint64_t{1} << 60)) {  // version 1 writes "no limit" as a huge number
      least.limit = std::min(least.limit, limit);
      if (used != UINT64_MAX) least.available = std::min(least.available, limit > used ? limit - used : 0);
    }
    if (path.empty() || path == "/") return;
    path.erase(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
}

}  // namespace

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

GroupMemory group_memory(const std::string& root, const std::string& self) {
  GroupMemory least;
  std::istringstream lines(self);
  for (std::string line; std::getline(lines, line);) {  // "hierarchy:controllers:path"
    const auto first = line.find(':'), second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    if (controllers.empty())
      walk(least, root, path, "memory.max", "memory.current");
    else if (("," + controllers + ",").find(",memory,") != std::string::npos)
      walk(least, root + "/memory", path, "memory.limit_in_bytes", "memory.usage_in_bytes");
  }
  return least;
}

std::uint64_t memory_total() {
  const std::uint64_t machine = meminfo("MemTotal:");
  return std::min(machine ? machine : UINT64_MAX, group_memory("/sys/fs/cgroup", text_of("/proc/self/cgroup")).limit);
}

std::uint64_t memory_available() {
  const std::uint64_t machine = meminfo("MemAvailable:");
  return std::min(machine ? machine : UINT64_MAX,
                  group_memory("/sys/fs/cgroup", text_of("/proc/self/cgroup")).available);
}

}  // namespace lumarch::cpu
