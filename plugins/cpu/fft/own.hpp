// SPDX-License-Identifier: Apache-2.0
// Our own transform of n = 2^a 3^b 5^c 7^d complex numbers. Which operations make an element of the result, and in
// which order, depends on n alone: a row has the same bits alone, in a panel, in blocks and at any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "passes.hpp"

namespace lumarch::cpu {

// Doubles from a multiple of 64 bytes on, as the loads of whole vectors want them.
template <class T>
struct OnCacheLines {
  using value_type = T;
  static constexpr std::size_t line = 64;
  OnCacheLines() = default;
  template <class U>
  explicit OnCacheLines(const OnCacheLines<U>&) noexcept {}
  T* allocate(std::size_t n) {
    void* const at = std::aligned_alloc(line, (n * sizeof(T) + line - 1) / line * line);
    if (!at) throw std::bad_alloc();
    return static_cast<T*>(at);
  }
  void deallocate(T* at, std::size_t) noexcept { std::free(at); }
  bool operator==(const OnCacheLines&) const noexcept { return true; }
};
using Twiddles = std::vector<double, OnCacheLines<double>>;

// Rows of doubles at multiples of 64 bytes, for what a transform has between its passes: a part for each worker of a
// device, grown where a plan is made, never where it runs.
class FftScratch {
public:
  explicit FftScratch(unsigned workers) : parts_(workers) {}
  void reserve(std::size_t doubles);
  [[nodiscard]] double* of(unsigned worker) const noexcept { return parts_[worker].get(); }

private:
  struct Free {
    void operator()(double* p) const noexcept;
  };
  std::vector<std::unique_ptr<double[], Free>> parts_;
  std::size_t doubles_ = 0;
};

// What the first and the last pass do beside. At most one of `times` and `field` is given.
struct Ends {
  bool backward = false;
  bool squares = false;           // the input is |A|^2 of a field A of 2 n samples, in pairs
  const double* times = nullptr;  // the result times this table (backward only)
  const double* field = nullptr;  // the result is R in pairs; instead of it A (c |A|^2 + R) is written (backward only)
  bool with_kerr = false;
  double c = 0.0;
};

// n numbers at `pitch`, `width` of them side by side: a row is a panel of width 1.
struct Panel {
  const double* in;
  std::size_t in_pitch;
  double* out;
  std::size_t out_pitch, width;
};

class OwnFft {
public:
  static bool serves(std::int64_t n) noexcept;
  OwnFft(const FftPasses& passes, std::size_t n);

  [[nodiscard]] std::size_t size() const noexcept { return n_; }
  // What row() and panel() need of a worker's scratch.
  [[nodiscard]] std::size_t row_work() const noexcept { return (blocked_ ? 1 : 2) * row_ + 2 * block_buffer_; }
  // Whether `squares` is possible.
  [[nodiscard]] bool fuses() const noexcept { return split_ > 0; }
  [[nodiscard]] std::size_t panel_work(std::size_t width) const noexcept;

  // In place or not; as this worker. Blocks of long rows go to the jobs of this thread.
  void row(const double* in, double* out, const Ends& ends, const FftScratch& scratch, unsigned worker) const;
  void panel(const Panel& panel, bool backward, const FftScratch& scratch, unsigned worker) const;
  // The same for lengths that have panels (not the longest), with the caller's memory of panel_bytes(width), on a
  // multiple of 64 bytes.
  [[nodiscard]] bool has_panels() const noexcept { return !blocked_; }
  [[nodiscard]] std::size_t panel_bytes(std::size_t width) const noexcept { return 32 * n_ * padded(width); }
  void panel(const Panel& panel, bool backward, double* work) const;

private:
  [[nodiscard]] std::size_t padded(std::size_t lanes) const noexcept { return (lanes + W_ - 1) / W_ * W_; }
  void choose_radices();
  void choose_split();
  void make_twiddles();
  void columns(std::size_t first, const double* in, const Ends& ends, double* turned, double* a, double* b) const;
  void shared(std::size_t from, const Panel& panel, bool blocks, const Ends& ends, double* a, double* b) const;

  const FftPasses& passes_;
  std::size_t n_, W_;
  std::vector<unsigned> radices_;
  std::size_t split_ = 0;  // the passes before it work on columns, with twiddles for each lane
  std::size_t n1_ = 1, n2_ = 1;
  bool blocked_ = false;  // columns and rows in blocks that stay in the second cache
  std::size_t row_ = 0, block_ = 0, block_buffer_ = 0;
  std::vector<Twiddles> lane_twiddles_, twiddles_;  // a pass
};

// -i exp(-2 pi i k / n) for k = 0 ... n/4, what the two halves of a real row are joined with (real.cpp).
Twiddles real_twiddles(std::size_t n);

}  // namespace lumarch::cpu
