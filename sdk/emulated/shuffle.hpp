// SPDX-License-Identifier: Apache-2.0
// The order in which rows, samples, blocks and threads take their turns.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "options.hpp"

namespace lumarch::emulated {

class Shuffle {
public:
  explicit Shuffle(const Options& options) : order_(options.order), bits_(options.seed) {}

  // Indices 0 ... n - 1, in another order at each call where the order is shuffled.
  [[nodiscard]] std::vector<std::int64_t> indices(std::int64_t n) {
    std::vector<std::int64_t> out(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) out[static_cast<std::size_t>(i)] = order_ == Order::reversed ? n - 1 - i : i;
    if (order_ == Order::shuffled)
      for (std::size_t i = out.size(); i > 1; --i) std::swap(out[i - 1], out[bits_() % i]);
    return out;
  }
  [[nodiscard]] bool forward() const noexcept { return order_ == Order::forward; }

private:
  Order order_;
  std::mt19937_64 bits_;
};

}  // namespace lumarch::emulated
