// SPDX-License-Identifier: Apache-2.0
#include "jobs.hpp"

#include <fftw3.h>
#include <oneapi/tbb/parallel_for.h>

#include <mutex>

#include "tsan.hpp"

namespace lumarch::cpu {
namespace {
struct Jobs {
  bool set = false;
  tbb::task_arena* arena = nullptr;
};
thread_local Jobs jobs_here;
}  // namespace

JobsIn::JobsIn(tbb::task_arena* arena) noexcept : outermost_(!jobs_here.set) {
  if (outermost_) jobs_here = {true, arena};
}
JobsIn::~JobsIn() {
  if (outermost_) jobs_here = {};
}

// A job may hold jobs of its own; those run where they are.
void run_jobs(void* (*work)(char*), char* data, std::size_t size, int count, void*) noexcept {
  tbb::task_arena* const arena = jobs_here.arena;
  const auto one = [&](int i) { work(data + size * static_cast<std::size_t>(i)); };
  if (!arena) {
    for (int i = 0; i < count; ++i) one(i);
    return;
  }
  Region region;
  arena->execute([&] {
    tbb::parallel_for(
        0, count,
        [&](int i) {
          region.enter();
          const Jobs before = jobs_here;  // the calling thread takes part
          jobs_here = {true, nullptr};
          one(i);
          jobs_here = before;
          region.leave();
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
