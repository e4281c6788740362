// SPDX-License-Identifier: Apache-2.0
// Work on the blocks of a range in threads. The blocks are the same whatever the number of threads, so that sums of
// what they find, taken in the order of the blocks, have the same bits.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace lumarch {

inline constexpr std::int64_t block_size = 64;

[[nodiscard]] inline std::int64_t blocks_of(std::int64_t n) { return (n + block_size - 1) / block_size; }

// Calls work(block, from, to) of each; `threads` 0: as many as the machine has. Throws what a block threw.
template <class Work>
void in_blocks(std::int64_t n, int threads, const Work& work) {
  const std::int64_t blocks = blocks_of(n);
  const auto machine = static_cast<std::int64_t>(std::max(1u, std::thread::hardware_concurrency()));
  const std::int64_t wanted = std::min<std::int64_t>(threads > 0 ? threads : machine, blocks);
  std::atomic<std::int64_t> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto run = [&] {
    try {
      for (std::int64_t block = next++; block < blocks; block = next++)
        work(block, block * block_size, std::min(n, (block + 1) * block_size));
    } catch (...) {
      next = blocks;
      const std::lock_guard<std::mutex> guard(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::int64_t i = 1; i < wanted; ++i) others.emplace_back(run);
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace lumarch
