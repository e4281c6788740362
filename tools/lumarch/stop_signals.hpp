// SPDX-License-Identifier: Apache-2.0
// SIGINT, SIGTERM and SIGHUP as a request to stop: the first one asks, a second one ends the process at once.
#pragma once

#include <atomic>

namespace lumarch::cli {

class StopSignals {
public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  [[nodiscard]] const std::atomic<bool>* requested() const;
  [[nodiscard]] int signal() const;          // which one came; 0: none
  [[nodiscard]] double seconds_ago() const;  // since it came
};

}  // namespace lumarch::cli
