// SPDX-License-Identifier: Apache-2.0
// What the plugin of the emulated device exports.
#include <boost/version.hpp>

#include "device.hpp"
#include "plugin_sources.hpp"

namespace {

void shutdown() noexcept {}

int32_t score(const lm_host*) noexcept { return 1; }  // it runs everywhere, and everything else is quicker

}  // namespace

extern "C" LM_EXPORT const lm_plugin lm_plugin_v1 = {LM_MAGIC,
                                                     LM_ABI_MAJOR,
                                                     LM_ABI_MINOR,
                                                     sizeof(lm_plugin),
                                                     LM_LAYOUT,
                                                     "emulated",
                                                     LUMARCH_VERSION,
                                                     "g++ " __VERSION__ ", Boost.Context " BOOST_LIB_VERSION
                                                     ", the reference's FFT; sources " LUMARCH_PLUGIN_SOURCES,
                                                     &lumarch::emulated::device_api,
                                                     &lumarch::emulated::register_kernels,
                                                     &shutdown,
                                                     &score,
                                                     &lumarch::emulated::extension};
