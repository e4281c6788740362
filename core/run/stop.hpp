// SPDX-License-Identifier: Apache-2.0
// Whether a run is to end early, and what asked for it: one answer for the march, the set-up and a backend's planning.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include <lumarch/run.hpp>

namespace lumarch {

// Asked by one thread at a time.
class Stop {
public:
  explicit Stop(const RunOptions& options) : options_(options) {}

  [[nodiscard]] bool asked() {
    if (options_.stop && options_.stop->load(std::memory_order_relaxed)) return true;
    if (by_.empty() && options_.time_limit > 0 && seconds() >= options_.time_limit) {
      char text[80];
      std::snprintf(text, sizeof text, "the time limit of %.4g s was reached", options_.time_limit);
      by_ = text;
    }
    if (by_.empty() && options_.ask_stop && options_.ask_stop()) by_ = "the application asked for it";
    return !by_.empty();
  }
  // What asked, where it was no signal: the rest of a message, or nothing.
  [[nodiscard]] std::string by() const { return by_.empty() ? by_ : ": " + by_; }

private:
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  using Clock = std::chrono::steady_clock;
  const RunOptions& options_;
  const Clock::time_point start_ = Clock::now();
  std::string by_;
};

}  // namespace lumarch
