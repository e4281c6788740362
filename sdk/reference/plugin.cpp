// SPDX-License-Identifier: Apache-2.0
// What the reference plugin exports and registers.
#include "device.hpp"
#if __has_include("plugin_sources.hpp")
#include "plugin_sources.hpp"
#else  // built into something else
#define LUMARCH_PLUGIN_SOURCES "not known"
#endif

namespace lumarch::reference {

lm_status register_kernels(const lm_host*, const lm_registrar* to) noexcept {
  if (!to || to->struct_size < sizeof(lm_registrar)) return LM_E_ARG;
  const struct {
    const char* name;
    lm_kernel_fn fn;
    std::uint32_t version = 1;
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
      {"core.lincomb", &lincomb_2, 2},
      {"reduce.error", &reduce_error_2, 2},
      {"core.mul", &mul_2, 2},
      {"spatial.fft", &spatial_fft},
      {"spatial.matrix", &spatial_matrix},
      {"fft.pad", &fft_pad},
      {"fft.crop", &fft_crop},
      {"lin.prepare", &lin_prepare_2, 2},
      {"response.kerr", &response_kerr_2, 2},
      {"response.convolution", &response_convolution},
      {"response.plasma", &response_plasma},
      {"response.chi2", &response_chi2},
      {"rhs.columns", &rhs_columns},
      {"read.samples", &read_samples},
      {"read.nodes", &read_nodes},
  };
  for (const auto& kernel : kernels)
    if (const lm_status status = to->kernel(to->ctx, nullptr, kernel.name, kernel.version, kernel.fn); status != LM_OK)
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
                                                     "g++ " __VERSION__ ", own FFT; sources " LUMARCH_PLUGIN_SOURCES,
                                                     &lumarch::reference::device_api,
                                                     &lumarch::reference::register_kernels,
                                                     &lumarch::reference::shutdown,
                                                     nullptr,
                                                     nullptr};
