// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "kernels.hpp"

namespace example {
namespace {

constexpr const char* backend = "cpu";  // whose device the kernels are for

lm_status register_all(const lm_host*, const lm_registrar* to) noexcept {
  const lm_status status = to->kernel(to->ctx, backend, saturable_kerr_info.name, 1, &saturable_kerr);
  return status != LM_OK ? status : to->edge_reader(to->ctx, backend, "edge.org.example.time_rim", 1, &time_rim);
}

void shutdown() noexcept {}

const lm_response_list responses = {sizeof(lm_response_list), 1, &saturable_kerr_info};

const void* extension(const char* id) noexcept { return std::strcmp(id, LM_EXT_RESPONSES) == 0 ? &responses : nullptr; }

}  // namespace
}  // namespace example

extern "C" LM_EXPORT const lm_plugin lm_plugin_v1 = {LM_MAGIC,
                                                     LM_ABI_MAJOR,
                                                     LM_ABI_MINOR,
                                                     sizeof(lm_plugin),
                                                     LM_LAYOUT,
                                                     "saturable",
                                                     "1.0",
                                                     "g++ " __VERSION__,
                                                     nullptr,  // no device: it only adds kernels
                                                     &example::register_all,
                                                     &example::shutdown,
                                                     nullptr,
                                                     &example::extension};
