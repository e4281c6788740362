// SPDX-License-Identifier: Apache-2.0
// Puts bodies into a runtime's stream; for .cu and .hip files alone.
#pragma once

#include <lumarch/launch/gpu.hpp>

namespace lumarch::gpu {

template <class R>
struct Launcher {
  template <class Body>
  static void elements(R& runtime, const kernels::Grid& grid, const Body& body) {
    launch::gpu::launch_elements(runtime.stream(), grid, body);
  }
  template <class Body>
  static void blocks(R& runtime, const kernels::Grid& grid, unsigned blocks, const Body& body) {
    launch::gpu::launch_blocks(runtime.stream(), grid, blocks, body);
  }
};

}  // namespace lumarch::gpu
