// SPDX-License-Identifier: Apache-2.0
// A thread that does one task after another, so that a plane is written while the march goes on.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace lumarch {

inline constexpr std::size_t planes_waiting = 4;  // for a file, at most, beside the one that is written

class Worker {
public:
  // `most`: how many tasks wait before post() does.
  explicit Worker(std::size_t most);
  ~Worker();  // after all that was posted
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Takes a task and returns, after waiting for room. Throws what an earlier task threw; after that one none is done.
  void post(std::function<void()> task);
  // Waits for all earlier tasks and does this one whatever became of them; throws what it throws.
  void run(std::function<void()> task);
  // Throws what a posted task threw.
  void rethrow();

private:
  void work();
  void push(std::function<void()> task);

  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::exception_ptr failure_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace lumarch
