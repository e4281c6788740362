// SPDX-License-Identifier: Apache-2.0
// What the reference plugin exports and registers.
#include "device.hpp"

namespace lumarch::reference {

lm_status register_kernels(const lm_host*, const lm_registrar* to) noexcept {
  if (!to || to->struct_size < sizeof(lm_registrar)) return LM_E_ARG;
  const struct {
    const char* name;
    lm_kernel_fn fn;
  } kernels[] = {
      {"core.fill", &fill},
      {"core.lincomb", &lincomb},
      {"core.mul", &mul},
      {"fft.exec", &fft_exec},
      {"lin.prepare", &lin_prepare},
      {"lin.apply", &lin_apply},
      {"reduce.error", &reduce_error},
      {"response.kerr", &response_kerr},
      {"response.raman", &response_raman},
  };
  for (const auto& kernel : kernels)
    if (const lm_status status = to->kernel(to->ctx, nullptr, kernel.name, 1, kernel.fn); status != LM_OK)
      return status;
  return LM_OK;
}

namespace {

void shutdown() noexcept {}

}  // namespace

}  // namespace lumarch::reference

extern "C" LM_EXPORT const lm_plugin lm_plugin_v1 = {LM_MAGIC,
                                                     LM_ABI_MAJOR,
                                                     LM_ABI_MINOR,
                                                     sizeof(lm_plugin),
                                                     LM_LAYOUT,
                                                     "reference",
                                                     "0.1.0",
                                                     "g++ " __VERSION__ ", own FFT",
                                                     &lumarch::reference::device_api,
                                                     &lumarch::reference::register_kernels,
                                                     &lumarch::reference::shutdown,
                                                     nullptr,
                                                     nullptr};
