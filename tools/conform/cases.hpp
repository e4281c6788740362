// SPDX-License-Identifier: Apache-2.0
// The list of cases: each is run in a process of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "backend/plugin.hpp"
#include "verdict.hpp"

namespace lumarch::conform {

// What a case is given. Plugins are loaded when they are first asked for, in the case's own process.
struct Context {
  std::string path, folder, name;  // the plugin: its file, where that lies, and its name by the file name
  std::uint64_t seed = 1;          // of this case: the run's seed mixed with the case's name
  bool thorough = false;           // all sizes, and plans as the device makes them by default

  [[nodiscard]] const LoadedBackend& candidate() const;
  [[nodiscard]] const LoadedBackend& reference() const;
};

struct Case {
  std::string name;
  int seconds;  // time limit
  std::function<void(const Context&)> body;
};

[[nodiscard]] std::vector<Case> all_cases();

// The groups, one a file.
void add_load_cases(std::vector<Case>& to);
void add_table_cases(std::vector<Case>& to);
void add_memory_cases(std::vector<Case>& to);
void add_kernel_cases(std::vector<Case>& to);
void add_edge_cases(std::vector<Case>& to);
void add_error_cases(std::vector<Case>& to);
void add_bits_cases(std::vector<Case>& to);
void add_run_cases(std::vector<Case>& to);
void add_march_cases(std::vector<Case>& to);
void add_open_cases(std::vector<Case>& to);
void add_stop_cases(std::vector<Case>& to);

}  // namespace lumarch::conform
