// SPDX-License-Identifier: Apache-2.0
#include "lumarch/stop_signals.hpp"

#include <csignal>
#include <cstdint>
#include <ctime>

namespace lumarch::cli {

namespace {

// A handler can reach nothing but globals: these are the process's.
std::atomic<bool> stop_requested{false};
std::atomic<int> which{0};
std::atomic<std::int64_t> came_at{0};  // ns of the monotonic clock
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free &&
              std::atomic<std::int64_t>::is_always_lock_free);

std::int64_t monotonic_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);  // may be called in a handler
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

constexpr int stops[] = {SIGINT, SIGTERM, SIGHUP};

// A signal that whoever started us has set to be ignored (nohup, a shell's background job) stays ignored.
void handle(int number, void (*handler)(int)) {
  struct sigaction action {};
  sigaction(number, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, nullptr);
}

// The second one, whichever it is, meets the default.
extern "C" void on_signal(int number) {
  came_at.store(monotonic_now());
  which.store(number);
  for (const int other : stops) handle(other, SIG_DFL);
  stop_requested.store(true);
}

}  // namespace

StopSignals::StopSignals() {
  stop_requested.store(false);
  which.store(0);
  for (const int number : stops) handle(number, on_signal);
}

StopSignals::~StopSignals() {
  for (const int number : stops) handle(number, SIG_DFL);
}

const std::atomic<bool>* StopSignals::requested() const { return &stop_requested; }

int StopSignals::signal() const { return which.load(); }

double StopSignals::seconds_ago() const { return 1e-9 * static_cast<double>(monotonic_now() - came_at.load()); }

}  // namespace lumarch::cli
