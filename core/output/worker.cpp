// SPDX-License-Identifier: Apache-2.0
#include "output/worker.hpp"

#include <pthread.h>

#include <csignal>
#include <future>
#include <memory>
#include <utility>

namespace lumarch {

namespace {

// A thread inherits what is blocked where it is made. Blocked in the writer: every signal but those of a fault. Ctrl-C
// is for the threads of the application, and SIGXFSZ (a file past its limit) would end the process where write() can
// fail.
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t blocked;
    sigfillset(&blocked);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) sigdelset(&blocked, fault);
    pthread_sigmask(SIG_SETMASK, &blocked, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
  sigset_t before_{};
};

}  // namespace

Worker::Worker(std::size_t most) : most_(most) {
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { work(); });
}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Worker::push(std::function<void()> task) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return tasks_.size() < most_; });
    tasks_.push_back(std::move(task));
  }
  changed_.notify_all();
}

void Worker::rethrow() {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

void Worker::post(std::function<void()> task) {
  rethrow();
  push([this, task = std::move(task)] {
    {
      const std::lock_guard lock(mutex_);
      if (failure_) return;
    }
    try {
      task();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
  });
}

void Worker::run(std::function<void()> task) {
  auto done = std::make_shared<std::packaged_task<void()>>(std::move(task));
  std::future<void> result = done->get_future();
  push([done] { (*done)(); });
  result.get();
}

void Worker::work() {
  for (;;) {
    std::function<void()> task;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    changed_.notify_all();
    task();
  }
}

}  // namespace lumarch
