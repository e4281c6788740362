// SPDX-License-Identifier: Apache-2.0
#include "lumarch/stop_signals.hpp"

#include <csignal>

namespace lumarch::cli {

namespace {

// A handler can reach nothing but globals: these two are the process's one.
std::atomic<bool> stop_requested{false};
std::atomic<int> which{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void on_signal(int number) {
  which.store(number);
  stop_requested.store(true);
}

void handle(int number, bool ours) {
  struct sigaction action {};
  action.sa_handler = ours ? on_signal : SIG_DFL;
  action.sa_flags = ours ? static_cast<int>(SA_RESETHAND | SA_RESTART) : 0;  // the second signal meets the default
  sigaction(number, &action, nullptr);
}

}  // namespace

StopSignals::StopSignals() {
  stop_requested.store(false);
  which.store(0);
  handle(SIGINT, true);
  handle(SIGTERM, true);
}

StopSignals::~StopSignals() {
  handle(SIGINT, false);
  handle(SIGTERM, false);
}

const std::atomic<bool>* StopSignals::requested() const { return &stop_requested; }

int StopSignals::signal() const { return which.load(); }

}  // namespace lumarch::cli
