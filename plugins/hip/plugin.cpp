// SPDX-License-Identifier: Apache-2.0
// The one exported constant.
#include "../gpu/table.hpp"
#include "plugin_sources.hpp"
#include "runtime.hpp"

namespace lumarch::hip {
namespace {

constexpr lm_device_api device_api = gpu::Table<Runtime>::api(&run);

lm_status register_all(const lm_host*, const lm_registrar* registrar) noexcept {
  if (!registrar || !LM_HAS(registrar, kernel)) return LM_E_ARG;
  return register_kernels(*registrar);
}

// Devices hold all there is, and are closed by now.
void shutdown() noexcept {}

}  // namespace
}  // namespace lumarch::hip

#ifdef LUMARCH_HIPFFT
#define LUMARCH_FFT "hipFFT"
#else
#define LUMARCH_FFT "VkFFT"
#endif

extern "C" LM_EXPORT const lm_plugin lm_plugin_v1 = {LM_MAGIC,
                                                     LM_ABI_MAJOR,
                                                     LM_ABI_MINOR,
                                                     sizeof(lm_plugin),
                                                     LM_LAYOUT,
                                                     "hip",
                                                     LUMARCH_VERSION,
                                                     "hipcc " LUMARCH_HIP_COMPILER "; code for " LUMARCH_HIP_CODE
                                                     "; " LUMARCH_FFT "; sources " LUMARCH_PLUGIN_SOURCES,
                                                     &lumarch::hip::device_api,
                                                     &lumarch::hip::register_all,
                                                     &lumarch::hip::shutdown,
                                                     nullptr,
                                                     nullptr};
