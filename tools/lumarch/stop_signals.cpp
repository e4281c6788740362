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

constexpr int stops[] = {SIGINT, SIGTERM, SIGHUP};

// A signal that whoever started us has set to be ignored (nohup, a shell's background job) stays ignored.
void handle(int number, bool ours) {
  struct sigaction action {};
  sigaction(number, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = ours ? on_signal : SIG_DFL;
  action.sa_flags = ours ? static_cast<int>(SA_RESETHAND | SA_RESTART) : 0;  // the second signal meets the default
  sigaction(number, &action, nullptr);
}

}  // namespace

StopSignals::StopSignals() {
  stop_requested.store(false);
  which.store(0);
  for (const int number : stops) handle(number, true);
}

StopSignals::~StopSignals() {
  for (const int number : stops) handle(number, false);
}

const std::atomic<bool>* StopSignals::requested() const { return &stop_requested; }

int StopSignals::signal() const { return which.load(); }

}  // namespace lumarch::cli
