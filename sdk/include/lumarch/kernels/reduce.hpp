// SPDX-License-Identifier: Apache-2.0
// Sums over rows, by blocks of threads. A body is called once a thread with a Block (which thread of which block) and a
// Sync (barriers and exchanges inside the block); nothing in it knows whose threads they are. The order of additions
// depends on the number of samples and the warp's width alone: a member has the same sum alone and in any batch.
#pragma once

#include <lumarch/kernels/elementwise.hpp>

namespace lumarch::kernels {

// Threads of a reducing block. Shared memory: one double a warp and sum.
inline constexpr unsigned reduce_threads = 256;
inline constexpr int64_t reduce_piece = 2048;  // samples that one block sums
inline constexpr int64_t reduce_most = 256;    // blocks a row

LM_BODY unsigned reduce_blocks(int64_t samples) {
  const int64_t blocks = (samples + reduce_piece - 1) / reduce_piece;
  return static_cast<unsigned>(blocks < 1 ? 1 : blocks > reduce_most ? reduce_most : blocks);
}

// The sum of `value` over the threads of a block, in thread 0. shared: threads/width doubles, free again on return.
template <class Block, class Sync>
LM_HOST_DEVICE double block_sum(const Block& block, Sync& sync, double* shared, double value) {
  const unsigned width = sync.width();
  for (unsigned d = width / 2; d > 0; d /= 2) value += sync.down(value, d);
  if (block.thread() % width == 0) shared[block.thread() / width] = value;
  sync.barrier();
  double total = 0.0;
  if (block.thread() == 0)
    for (unsigned warp = 0; warp < block.threads() / width; ++warp) total += shared[warp];
  sync.barrier();
  return total;
}

// partial[row][block][2] = the block's part of sum |sum_j c_j h^p_j x_j|^2 and of sum |y|^2.
struct ErrorPartials {
  Rows<const c128> y;
  Combination terms;
  double* partial;

  template <class Block, class Sync>
  LM_HOST_DEVICE void operator()(const Grid& grid, const Block& block, Sync& sync, double* shared) const {
    Place at;
    // A block has one row, so all its threads leave here or none does.
    if (!grid.locate(block.row(), at)) return;
    double error = 0.0, field = 0.0;
    const int64_t stride = static_cast<int64_t>(block.blocks()) * block.threads();
    for (int64_t s = static_cast<int64_t>(block.index()) * block.threads() + block.thread(); s < grid.samples;
         s += stride) {
      error += intensity(terms.sum(grid, at, s, 0, terms.n));
      field += intensity(y(at)[s]);
    }
    error = block_sum(block, sync, shared, error);
    field = block_sum(block, sync, shared, field);
    if (block.thread() != 0) return;
    double* out = LM_DEVICE_ADDRESS(partial) + 2 * (static_cast<size_t>(block.row()) * block.blocks() + block.index());
    out[0] = error;
    out[1] = field;
  }
};

// numbers[slot], numbers[slot + 1] of a member = the sums of its rows' partials, in their order. One thread a member:
// the samples of the launch are members' two numbers.
struct ErrorTotals {
  const double* partial;
  int64_t partials_a_member;  // rows a member x blocks a row
  uint32_t slot;

  LM_MEMBER void operator()(const Grid& grid, const Place& at, int64_t s) const {
    const double* from =
        LM_DEVICE_ADDRESS(partial) + 2 * static_cast<int64_t>(at.scratch - grid.worker) * partials_a_member;
    double total = 0.0;
    for (int64_t i = 0; i < partials_a_member; ++i) total += from[2 * i + s];
    grid.numbers_of(at)[slot + s] = total;
  }
};

}  // namespace lumarch::kernels
