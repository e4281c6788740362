// SPDX-License-Identifier: Apache-2.0
// How a GPU runs bodies: the same source for nvcc and hipcc. Included by .cu and .hip files alone; kernels have
// internal linkage, so that two plugins in one process never share one.
#pragma once

#include <algorithm>
#include <cstdint>

#include <lumarch/kernels/reduce.hpp>

#if !defined(__CUDACC__) && !defined(__HIPCC__)
#error "lumarch/launch/gpu.hpp is for nvcc and hipcc"
#endif

namespace lumarch::launch::gpu {
namespace {

using kernels::Grid;
using kernels::Place;

constexpr unsigned element_threads = 256;
constexpr std::int64_t most_rows = 65535;  // of gridDim.y

template <class Body>
__global__ void __launch_bounds__(element_threads) over_elements(const Grid grid, const Body body) {
  const auto stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t row = blockIdx.y; row < grid.rows(); row += gridDim.y) {
    Place at;
    if (!grid.locate(row, at)) continue;
    for (std::int64_t s = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; s < grid.samples;
         s += stride)
      body(grid, at, s);
  }
}

struct Block {
  std::int64_t row_;
  [[nodiscard]] __device__ unsigned thread() const { return threadIdx.x; }
  [[nodiscard]] __device__ unsigned threads() const { return blockDim.x; }
  [[nodiscard]] __device__ unsigned index() const { return blockIdx.x; }
  [[nodiscard]] __device__ unsigned blocks() const { return gridDim.x; }
  [[nodiscard]] __device__ std::int64_t row() const { return row_; }
};

struct Sync {
  __device__ void barrier() { __syncthreads(); }
  // Lanes of a warp (32) or a wavefront (32 or 64, the architecture's).
  [[nodiscard]] __device__ unsigned width() const { return static_cast<unsigned>(warpSize); }
  // The value of the lane d above; all lanes of the warp call it.
  [[nodiscard]] __device__ double down(double value, unsigned d) {
#if defined(__HIP_DEVICE_COMPILE__) || defined(__HIPCC__)
    return __shfl_down(value, d);
#else
    return __shfl_down_sync(0xffffffffu, value, d);
#endif
  }
};

template <class Body>
__global__ void __launch_bounds__(kernels::reduce_threads) over_blocks(const Grid grid, const Body body) {
  __shared__ double shared[kernels::reduce_threads / 32];
  for (std::int64_t row = blockIdx.y; row < grid.rows(); row += gridDim.y) {
    const Block block{row};
    Sync sync;
    body(grid, block, sync, shared);
  }
}

// The stream is the platform's: cudaStream_t and hipStream_t.
template <class Stream, class Body>
void launch_elements(Stream stream, const Grid& grid, const Body& body) {
  if (grid.rows() == 0 || grid.samples == 0) return;
  const std::int64_t blocks = (grid.samples + element_threads - 1) / element_threads;
  const dim3 shape(static_cast<unsigned>(std::min<std::int64_t>(blocks, 4096)),
                   static_cast<unsigned>(std::min(grid.rows(), most_rows)));
  over_elements<Body><<<shape, element_threads, 0, stream>>>(grid, body);
}

template <class Stream, class Body>
void launch_blocks(Stream stream, const Grid& grid, unsigned blocks, const Body& body) {
  if (grid.rows() == 0) return;
  const dim3 shape(blocks, static_cast<unsigned>(std::min(grid.rows(), most_rows)));
  over_blocks<Body><<<shape, kernels::reduce_threads, 0, stream>>>(grid, body);
}

}  // namespace
}  // namespace lumarch::launch::gpu
