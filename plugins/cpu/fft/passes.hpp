// SPDX-License-Identifier: Apache-2.0
// The passes of our own transform, as a table of functions that each instruction set fills. docs/own-fft.md has the
// algorithm. A pass works on rows of lanes: neighbours that go through the same operations, each for itself.
#pragma once

#include <cstddef>

namespace lumarch::cpu {

// Inside a transform numbers lie in blocks: W real parts, then W imaginary parts, W the lanes of a vector. Of the
// elements of a block, lane l holds number lane_order(l, W): the order in which pairs come apart at least cost.
// (static: each file keeps its own copy, made for its own instruction set)
[[maybe_unused]] static constexpr std::size_t lane_order(std::size_t lane, std::size_t W) {
  return lane / 2 + lane % 2 * (W / 2);
}

// Of an input row t has `width` numbers at src + t src_pitch (complex numbers), of an output row likewise. The pass
// reads rows q + s (p + k m) and writes rows q + s (r p + j): p < m, q < s, and j, k < r, the radix.
struct Pass {
  const double* src;
  double* dst;
  const double* twiddles;
  std::size_t m, s, width, src_pitch, dst_pitch;
  std::size_t twiddle_pitch;  // lanes of a row of twiddles, where each lane has its own
  const double* field;        // what a fused end needs beside: a table, or the field A
  double c;                   // Kerr's coefficient
};
using PassFn = void (*)(const Pass&);

inline constexpr unsigned radices = 9;  // 1, 2, 3, 4, 5, 7 and 8 are there; 1 only moves

struct FftPasses {
  std::size_t W;  // lanes
  // From pairs into blocks, blocks to blocks, and, without twiddles, from blocks to pairs. [swapped]: real and
  // imaginary parts change places, which at both ends makes the transform the one of the other sign.
  PassFn first[2][radices], middle[radices], last[2][radices];
  // The same with twiddles of their own for each lane; `corner` is the pass of radix 8 that also turns rows into lanes.
  PassFn lanes_first[2][radices], lanes_middle[radices], corner[2];
  // Fused ends. From |A|^2: pairs are formed of the intensities of two samples. Times a table (swapped). The response
  // A (c |A|^2 + R) or A R, of pairs R (swapped).
  PassFn squares_lanes_first[radices], squares_corner;
  PassFn last_times[radices], last_response[2][radices];
  // Rows of `lanes` numbers into rows of `rows` numbers, blocks to blocks; `columns` of the lanes are wanted.
  void (*turn)(double* dst, std::size_t dst_pitch, const double* src, std::size_t rows, std::size_t lanes,
               std::size_t columns);
  // Between the transform Z of pairs of real numbers, n/2 = m of them, and the spectrum X of m + 1; t as in real.cpp.
  void (*untangle)(double* X, const double* Z, const double* t, std::size_t m);
  void (*tangle)(double* Z, const double* X, const double* t, std::size_t m);
  void (*filter)(double* Z, const double* H, const double* t, std::size_t m);  // tangle(H untangle(Z)), in place
};

}  // namespace lumarch::cpu
