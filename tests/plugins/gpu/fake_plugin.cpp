// SPDX-License-Identifier: Apache-2.0
// The device code of the GPU backends as a plugin on the fake runtime.
#include "fake_runtime.hpp"
#include "plugins/gpu/platform.hpp"
#include "plugins/gpu/table.hpp"

namespace fake {
namespace {

using Platform = lumarch::gpu::Platform<Runtime, Launcher>;

constexpr lm_device_api device_api = lumarch::gpu::Table<Runtime>::api(&lumarch::launch::run_list<Platform>);

lm_status register_all(const lm_host*, const lm_registrar* registrar) noexcept {
  return lumarch::launch::register_kernels<Platform>(*registrar);
}
void shutdown() noexcept {}

}  // namespace
}  // namespace fake

extern "C" LM_EXPORT const lm_plugin lm_plugin_v1 = {LM_MAGIC,
                                                     LM_ABI_MAJOR,
                                                     LM_ABI_MINOR,
                                                     sizeof(lm_plugin),
                                                     LM_LAYOUT,
                                                     "fakegpu",
                                                     "0.1.0",
                                                     "the shared GPU device on a fake runtime",
                                                     &fake::device_api,
                                                     &fake::register_all,
                                                     &fake::shutdown,
                                                     nullptr,
                                                     nullptr};
