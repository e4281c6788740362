// SPDX-License-Identifier: Apache-2.0
// A single member on all threads of the device: parts of a kernel's work that need nothing of each other. Which thread
// does a part changes no bits.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>

#include <lumarch/sdk/call.hpp>

#include "jobs.hpp"

namespace lumarch::cpu {

// Of the parts that threw, what the lowest one did.
class LowestThrow {
public:
  [[nodiscard]] bool before(std::uint32_t part) const noexcept {
    return lowest_.load(std::memory_order_relaxed) < part;
  }
  void add(std::uint32_t part) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (before(part)) return;
    lowest_ = part;
    thrown_ = std::current_exception();
  }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

private:
  std::mutex mutex_;
  std::atomic<std::uint32_t> lowest_{UINT32_MAX};
  std::exception_ptr thrown_;
};

// body(part, worker) for each part below `parts`; it may throw.
template <class Body>
void split(std::uint32_t parts, unsigned worker, const Body& body) {
  if (parts < 2 || !threads_for_jobs()) {
    for (std::uint32_t i = 0; i < parts; ++i) body(i, worker);
    return;
  }
  LowestThrow thrown;
  split_jobs(parts, worker, [&](std::uint32_t i, unsigned by) {
    const Alone alone;
    if (thrown.before(i)) return;
    try {
      body(i, by);
    } catch (...) {
      thrown.add(i);
    }
  });
  thrown.rethrow();
}

// From so many samples on a member's work is worth the waking of threads, and so many are a part of it.
inline constexpr std::int64_t split_from = 1 << 15, samples_a_part = 1 << 12;

// body(RowIndex, row, worker) for each row of a member of view `shape`; row counts them as they lie.
template <class Body>
void for_member_rows(const sdk::Call& call, sdk::RowIndex at, std::uint32_t shape, const Body& body) {
  const lm_view& view = call.raw().views[shape];
  const std::int64_t inner = view.extent[LM_AXIS_INNER], outer = view.extent[LM_AXIS_OUTER],
                     rows = view.extent[LM_AXIS_COMPONENT] * outer * inner, samples = view.extent[LM_AXIS_SAMPLE];
  const unsigned worker = call.raw().exec->worker;
  if (rows == 1) return body(at, std::int64_t{0}, worker);
  const std::int64_t many = samples < samples_a_part ? samples_a_part / (samples > 0 ? samples : 1) : 1;
  const std::int64_t block = rows * samples < split_from ? rows : many;
  if (rows == 0) return;
  split(static_cast<std::uint32_t>((rows + block - 1) / block), worker, [&](std::uint32_t part, unsigned by) {
    sdk::RowIndex row = at;
    for (std::int64_t r = part * block; r < rows && r < (part + 1) * block; ++r) {
      row.inner = r % inner;
      row.outer = r / inner % outer;
      row.component = r / (inner * outer);
      body(static_cast<const sdk::RowIndex&>(row), r, by);
    }
  });
}

// body(RowIndex, worker) for each row of view `shape` of each member that is active and RUNNING.
template <class Body>
void for_rows(const sdk::Call& call, std::uint32_t shape, const Body& body) {
  call.for_each_member([&](const sdk::RowIndex& at) {
    for_member_rows(call, at, shape,
                    [&](const sdk::RowIndex& row, std::int64_t, unsigned worker) { body(row, worker); });
  });
}

}  // namespace lumarch::cpu
