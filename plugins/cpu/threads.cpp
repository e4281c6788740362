// SPDX-License-Identifier: Apache-2.0
#include "threads.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <optional>

#include "machine.hpp"

namespace lumarch::cpu {
namespace {
std::atomic<bool> used{false};
}

struct Threads::Arena {
  explicit Arena(unsigned count) : threads(static_cast<int>(count)) {
    if (count > usable_threads()) more.emplace(tbb::global_control::max_allowed_parallelism, count);
  }
  std::optional<tbb::global_control> more;
  tbb::task_arena threads;
};

Threads::Threads(unsigned count) : arena_(std::make_unique<Arena>(count)) { used = true; }
Threads::~Threads() = default;

void Threads::each(std::uint32_t n, void (*body)(const void*, std::uint32_t, unsigned) noexcept, const void* context) {
  arena_->threads.execute([&] {
    tbb::parallel_for(
        std::uint32_t{0}, n,
        [&](std::uint32_t i) {
          tbb::this_task_arena::isolate(
              [&] { body(context, i, static_cast<unsigned>(tbb::this_task_arena::current_thread_index())); });
        },
        tbb::simple_partitioner{});
  });
}

// The library stays mapped, so a refusal is harmless.
void Threads::end_all() noexcept {
  if (!used) return;
  try {
    tbb::task_scheduler_handle handle{tbb::attach{}};
    (void)tbb::finalize(handle, std::nothrow);
  } catch (...) {
  }
}

}  // namespace lumarch::cpu
