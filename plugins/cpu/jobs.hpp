// SPDX-License-Identifier: Apache-2.0
// Who runs the jobs of a long transform. FFTW's callback is one a process, so what it does is set a thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "threads.hpp"

namespace lumarch::cpu {

// While it lives, jobs of transforms that this thread executes or measures run on `threads`; NULL: one after the other.
// Where one lives already, it stays in force: a kernel in a list over members does not call for more threads.
class JobsIn {
public:
  explicit JobsIn(Threads* threads) noexcept;
  ~JobsIn();
  JobsIn(const JobsIn&) = delete;
  JobsIn& operator=(const JobsIn&) = delete;

private:
  bool outermost_;
};

// While it lives, what this thread calls runs on it alone, whatever JobsIn said: it is one of several that have jobs.
class Alone {
public:
  Alone() noexcept;
  ~Alone();
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

private:
  bool set_;
  Threads* threads_;
};

// Those that jobs of this thread go to; NULL: none.
[[nodiscard]] Threads* threads_for_jobs() noexcept;

// The callback, in the form that FFTW wants it. Threads that are in no JobsIn run their jobs one after the other.
void run_jobs(void* (*work)(char*), char* data, std::size_t size, int count, void* context) noexcept;

// body(i, worker) for every i below count: spread over the threads that jobs of this thread run on, in their order as
// this worker where there are none. It must not throw.
template <class Body>
void split_jobs(std::uint32_t count, unsigned worker, const Body& body) {
  if (Threads* const threads = threads_for_jobs())
    threads->for_each(count, [&](std::uint32_t i, unsigned by) { body(i, by); });
  else
    for (std::uint32_t i = 0; i < count; ++i) body(i, worker);
}

// FFTW, with this callback: set up once a process, before its first plan. (with the planner lock)
void prepare_fftw();

}  // namespace lumarch::cpu
