// SPDX-License-Identifier: Apache-2.0
// Who runs the jobs of a long transform. FFTW's callback is one a process, so what it does is set a thread.
#pragma once

#include <cstddef>

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

// The callback, in the form that FFTW wants it. Threads that are in no JobsIn run their jobs one after the other.
void run_jobs(void* (*work)(char*), char* data, std::size_t size, int count, void* context) noexcept;

// FFTW, with this callback: set up once a process, before its first plan. (with the planner lock)
void prepare_fftw();

}  // namespace lumarch::cpu
