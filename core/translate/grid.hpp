// SPDX-License-Identifier: Apache-2.0
// The fibre user's grid: window and points taken literally, the band follows (physics.md, 2; design.md, 4).
#pragma once

#include <cstdint>
#include <vector>

#include <lumarch/problem.hpp>

namespace lumarch {

struct Grid {
  std::int64_t n = 0;
  double window = 0;  // s
  double dt = 0;      // s
  double domega = 0;  // rad/s
  double omega0 = 0;  // rad/s

  Grid() = default;
  explicit Grid(const Problem& problem);

  // Offset from omega0 of index k in FFT order: k domega up to n/2 - 1 (even n) or (n - 1)/2 (odd), then negative.
  [[nodiscard]] double offset(std::int64_t k) const { return static_cast<double>(signed_index(k)) * domega; }
  [[nodiscard]] double omega(std::int64_t k) const { return omega0 + offset(k); }
  [[nodiscard]] std::int64_t signed_index(std::int64_t k) const { return k < (n + 1) / 2 ? k : k - n; }
  // Index in FFT order of the j-th frequency in rising order.
  [[nodiscard]] std::int64_t rising(std::int64_t j) const { return (j + (n + 1) / 2) % n; }
  // Time of sample j; index n/2 is the window's centre, t = 0.
  [[nodiscard]] double time(std::int64_t j) const { return static_cast<double>(j - n / 2) * dt; }

  [[nodiscard]] std::vector<double> rising_omega() const;
  [[nodiscard]] std::vector<double> times() const;
};

}  // namespace lumarch
