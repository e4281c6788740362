// SPDX-License-Identifier: Apache-2.0
// All kernels, as lumarch/launch makes them of lumarch/kernels.
#include <cuda_runtime.h>

#include "../gpu/launcher.hpp"
#include "../gpu/platform.hpp"
#include "runtime.hpp"

namespace lumarch::cuda {

using Platform = gpu::Platform<Runtime, gpu::Launcher<Runtime>>;

lm_status register_kernels(const lm_registrar& to) noexcept { return launch::register_kernels<Platform>(to); }

lm_status run(lm_device* device, const lm_step* list, std::uint32_t n, const lm_members* members) noexcept {
  return launch::run_list<Platform>(device, list, n, members);
}

}  // namespace lumarch::cuda
