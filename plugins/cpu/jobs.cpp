// SPDX-License-Identifier: Apache-2.0
#include "jobs.hpp"

#include <fftw3.h>
#include <oneapi/tbb/parallel_for.h>

#include <mutex>

namespace lumarch::cpu {
namespace {
thread_local tbb::task_arena* arena_of_jobs = nullptr;
}

JobsIn::JobsIn(tbb::task_arena* arena) noexcept : before_(arena_of_jobs) { arena_of_jobs = arena; }
JobsIn::~JobsIn() { arena_of_jobs = before_; }

// A job may hold jobs of its own; those run where they are (the thread of TBB that has it is in no JobsIn).
void run_jobs(void* (*work)(char*), char* data, std::size_t size, int count, void*) noexcept {
  tbb::task_arena* const arena = arena_of_jobs;
  const auto one = [&](int i) { work(data + size * static_cast<std::size_t>(i)); };
  if (!arena) {
    for (int i = 0; i < count; ++i) one(i);
    return;
  }
  arena->execute([&] {
    tbb::parallel_for(
        0, count,
        [&](int i) {
          const JobsIn serial(nullptr);
          one(i);
        },
        tbb::simple_partitioner{});
  });
}

void prepare_fftw() {
  static std::once_flag once;
  std::call_once(once, [] {
    fftw_init_threads();  // before any plan: it adds to what a plan may be made of, and wisdom names all of that
    fftw_threads_set_callback(&run_jobs, nullptr);
  });
}

}  // namespace lumarch::cpu
