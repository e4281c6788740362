// SPDX-License-Identifier: Apache-2.0
// Bodies of what is read of a state (docs/kernels.md, since 1.3): sums of squares over nodes, by pieces, and over the
// samples of a node.
#pragma once

#include <lumarch/kernels/reduce.hpp>

namespace lumarch::kernels {

LM_BODY double read_square(c128 x, uint32_t flags) { return flags & LM_READ_REAL ? x.re * x.re : intensity(x); }

// The larger one; what is no number stays.
LM_BODY double larger(double a, double b) { return a != a || a >= b ? a : b; }

// The nodes of a map lie in one row an outer node.
LM_BODY Place map_place(Place node) {
  node.component = 0;
  node.inner = node.outer;
  node.outer = 0;
  return node;
}

// How many pieces the rows of a member are cut into: their number depends on the rows alone.
inline constexpr int64_t least_read_piece = 32, most_read_pieces = 256;
LM_BODY int64_t read_piece(int64_t rows) {
  const int64_t piece = (rows + most_read_pieces - 1) / most_read_pieces;
  return piece < least_read_piece ? least_read_piece : piece;
}

// partial[entry][piece][sample]: a row of the grid is a piece of the member's rows.
struct ReadPartials {
  Rows<const c128> x;
  Rows<const double> weight, map;
  double* partial;
  int64_t components, outer, inner, piece;
  uint32_t flags;

  LM_MEMBER void operator()(const Grid& grid, const Place& at, int64_t s) const {
    const int64_t rows = components * outer * inner;
    double sum = 0.0;
    Place node = at;
    for (int64_t r = at.inner * piece; r < rows && r < (at.inner + 1) * piece; ++r) {
      node.inner = r % inner;
      node.outer = r / inner % outer;
      node.component = r / (inner * outer);
      double value = read_square(x(node)[s], flags);
      if (weight.given()) value *= weight(node)[s];
      if (map.given()) value *= map(map_place(node))[node.inner];
      sum += value;
    }
    LM_DEVICE_ADDRESS(partial)
    [(static_cast<int64_t>(at.scratch - grid.worker) * grid.inner + at.inner) * grid.samples + s] = sum;
  }
};

struct ReadTotals {
  Rows<double> out;
  const double* partial;
  int64_t pieces;
  double c;
  uint32_t flags;

  LM_MEMBER void operator()(const Grid& grid, const Place& at, int64_t s) const {
    const double* from =
        LM_DEVICE_ADDRESS(partial) + static_cast<int64_t>(at.scratch - grid.worker) * pieces * grid.samples + s;
    double sum = 0.0;
    for (int64_t i = 0; i < pieces; ++i) sum += from[i * grid.samples];
    double& to = out(at)[s];
    to = (flags & LM_READ_ACCUMULATE ? to : 0.0) + c * sum;
  }
};

// A node of a map: what its components hold at sample s, and what becomes of it.
struct NodeSquares {
  Rows<double> out;
  Rows<const c128> x;
  Rows<const double> weight;
  int64_t components, samples;
  double c;
  uint32_t flags;

  [[nodiscard]] LM_MEMBER double at_sample(Place node, int64_t s) const {
    double all = 0.0;
    for (node.component = 0; node.component < components; ++node.component) {
      const double value = read_square(x(node)[s], flags);
      all += weight.given() ? value * weight(node)[s] : value;
    }
    return all;
  }
  [[nodiscard]] LM_MEMBER double taken(double sum, double value) const {
    return flags & LM_READ_PEAK ? larger(sum, value) : sum + value;
  }
  LM_MEMBER void put(const Place& node, double sum) const {
    double& to = out(map_place(node))[node.inner];
    const double value = c * sum;
    to = flags & LM_READ_ACCUMULATE ? taken(to, value) : value;
  }
};

// One thread a node, for rows of few samples: the grid's samples are the inner nodes.
struct ReadShortNodes {
  NodeSquares of;

  LM_MEMBER void operator()(const Grid&, const Place& at, int64_t x) const {
    Place node = at;
    node.inner = x;
    double sum = 0.0;
    for (int64_t s = 0; s < of.samples; ++s) sum = of.taken(sum, of.at_sample(node, s));
    of.put(node, sum);
  }
};

// A block of threads a node.
struct ReadLongNodes {
  NodeSquares of;

  template <class Block, class Sync>
  LM_HOST_DEVICE void operator()(const Grid& grid, const Block& block, Sync& sync, double* shared) const {
    Place node;
    if (!grid.locate(block.row(), node)) return;
    double sum = 0.0;
    for (int64_t s = block.thread(); s < of.samples; s += block.threads()) sum = of.taken(sum, of.at_sample(node, s));
    const unsigned width = sync.width();
    for (unsigned d = width / 2; d > 0; d /= 2) {
      const double other = sync.down(sum, d);
      if (block.thread() % width < d) sum = of.taken(sum, other);
    }
    if (block.thread() % width == 0) shared[block.thread() / width] = sum;
    sync.barrier();
    if (block.thread() == 0) {
      for (unsigned warp = 1; warp < block.threads() / width; ++warp) sum = of.taken(sum, shared[warp]);
      of.put(node, sum);
    }
    sync.barrier();
  }
};

}  // namespace lumarch::kernels
