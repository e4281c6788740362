// SPDX-License-Identifier: Apache-2.0
// What memory this machine still has for this process: the least of what the system, the control groups (both versions)
// and the limit on addresses (ulimit -v) leave. Core and backends whose memory is the host's ask the same functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace lumarch::machine {

// Where the system tells it; other places for tests.
struct Places {
  std::string proc = "/proc", groups = "/sys/fs/cgroup";
};

struct Memory {
  std::uint64_t total = UINT64_MAX, available = UINT64_MAX;  // UINT64_MAX where nothing limits
  void limit(std::uint64_t most, std::uint64_t left) {
    total = std::min(total, most);
    available = std::min(available, left);
  }
};

namespace detail {

// The number behind `key` in a file of lines "key number"; of the file's beginning where key is empty. UINT64_MAX where
// there is none.
inline std::uint64_t number(const std::string& path, const std::string& key = "") {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const std::size_t digit = line.find_first_not_of(" \t", key.size());
    if (digit == std::string::npos || line[digit] < '0' || line[digit] > '9') return UINT64_MAX;  // "max", "unlimited"
    return std::strtoull(line.c_str() + digit, nullptr, 10);
  }
  return UINT64_MAX;
}

inline std::uint64_t kibibytes(const std::string& path, const std::string& key) {
  const std::uint64_t n = number(path, key);
  return n == UINT64_MAX ? n : n * 1024;
}

struct GroupFiles {
  const char *limit, *used, *inactive, *active;  // the last two: keys in memory.stat
};

// A group and those above it: each may hold the limit. Files that the system keeps in memory count as used there, and
// go when memory is asked for.
inline void walk(Memory& least, const std::string& root, std::string path, const GroupFiles& files) {
  for (;;) {
    const std::string folder = root + (path == "/" ? "" : path) + "/";
    const std::uint64_t most = number(folder + files.limit), used = number(folder + files.used);
    if (most < (std::uint64_t{1} << 60)) {  // version 1 writes "no limit" as a huge number
      std::uint64_t cached = 0;
      for (const char* key : {files.inactive, files.active})
        if (const std::uint64_t n = number(folder + "memory.stat", key); n != UINT64_MAX) cached += n;
      const std::uint64_t held = used == UINT64_MAX ? 0 : used - std::min(used, cached);
      least.limit(most, most - std::min(most, held));
    }
    if (path.empty() || path == "/") return;
    path.erase(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
}

}  // namespace detail

// The control groups' part: `self` is the text of /proc/self/cgroup.
inline Memory of_groups(const std::string& root, const std::string& self) {
  Memory least;
  std::istringstream lines(self);
  for (std::string line; std::getline(lines, line);) {  // "hierarchy:controllers:path"
    const auto first = line.find(':'), second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    if (controllers.empty())
      detail::walk(least, root, path, {"memory.max", "memory.current", "inactive_file ", "active_file "});
    else if (("," + controllers + ",").find(",memory,") != std::string::npos)
      detail::walk(least, root + "/memory", path,
                   {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file ", "total_active_file "});
  }
  return least;
}

// Of this process; UINT64_MAX where the system tells nothing.
inline Memory memory(const Places& places = {}) {
  std::ifstream in(places.proc + "/self/cgroup");
  std::stringstream self;
  self << in.rdbuf();
  Memory least = of_groups(places.groups, self.str());
  least.limit(detail::kibibytes(places.proc + "/meminfo", "MemTotal:"),
              detail::kibibytes(places.proc + "/meminfo", "MemAvailable:"));
  const std::uint64_t addresses = detail::number(places.proc + "/self/limits", "Max address space");
  const std::uint64_t taken = detail::kibibytes(places.proc + "/self/status", "VmSize:");
  if (addresses != UINT64_MAX && taken != UINT64_MAX) least.limit(addresses, addresses - std::min(addresses, taken));
  return least;
}

}  // namespace lumarch::machine
