// SPDX-License-Identifier: Apache-2.0
// The one exported constant.
#include <cufft.h>

#include "../gpu/table.hpp"
#include "plugin_sources.hpp"
#include "runtime.hpp"

namespace lumarch::cuda {
namespace {

constexpr lm_device_api device_api = gpu::Table<Runtime>::api(&run);

lm_status register_all(const lm_host*, const lm_registrar* registrar) noexcept {
  if (!registrar || !LM_HAS(registrar, kernel)) return LM_E_ARG;
  return register_kernels(*registrar);
}

// Devices hold all there is, and are closed by now.
void shutdown() noexcept {}

}  // namespace
}  // namespace lumarch::cuda

#define LUMARCH_WORDS_OF(x) #x
#define LUMARCH_WORDS(x) LUMARCH_WORDS_OF(x)

extern "C" LM_EXPORT const lm_plugin lm_plugin_v1 = {
    LM_MAGIC,
    LM_ABI_MAJOR,
    LM_ABI_MINOR,
    sizeof(lm_plugin),
    LM_LAYOUT,
    "cuda",
    LUMARCH_VERSION,
    "nvcc " LUMARCH_CUDA_COMPILER "; code for " LUMARCH_CUDA_CODE
    "; cuFFT " LUMARCH_WORDS(CUFFT_VER_MAJOR) "." LUMARCH_WORDS(CUFFT_VER_MINOR) "." LUMARCH_WORDS(
        CUFFT_VER_PATCH) "; sources " LUMARCH_PLUGIN_SOURCES,
    &lumarch::cuda::device_api,
    &lumarch::cuda::register_all,
    &lumarch::cuda::shutdown,
    nullptr,
    nullptr};
