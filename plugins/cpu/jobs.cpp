// SPDX-License-Identifier: Apache-2.0
#include "jobs.hpp"

#include <fftw3.h>

#include <mutex>

namespace lumarch::cpu {
namespace {
struct Jobs {
  bool set = false;
  Threads* threads = nullptr;
};
thread_local Jobs jobs_here;
}  // namespace

JobsIn::JobsIn(Threads* threads) noexcept : outermost_(!jobs_here.set) {
  if (outermost_) jobs_here = {true, threads};
}
JobsIn::~JobsIn() {
  if (outermost_) jobs_here = {};
}

Alone::Alone() noexcept : set_(jobs_here.set), threads_(jobs_here.threads) { jobs_here = {true, nullptr}; }
Alone::~Alone() { jobs_here = {set_, threads_}; }

Threads* threads_for_jobs() noexcept { return jobs_here.threads; }

// A job may hold jobs of its own; those run where they are.
void run_jobs(void* (*work)(char*), char* data, std::size_t size, int count, void*) noexcept {
  Threads* const threads = jobs_here.threads;
  const auto one = [&](std::uint32_t i) { work(data + size * i); };
  const auto all = static_cast<std::uint32_t>(count);
  if (!threads) {
    for (std::uint32_t i = 0; i < all; ++i) one(i);
    return;
  }
  threads->for_each(all, [&](std::uint32_t i, unsigned) {
    const Alone alone;  // the calling thread takes part
    one(i);
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
