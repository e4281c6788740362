// SPDX-License-Identifier: Apache-2.0
// Kernels for the cpu backend to start from: a response that problem files call by name, and a reader of the time rim.
//   saturable_kerr.cpp  the response and its description
//   time_rim.cpp        the edge reader
//   plugin.cpp          what the plugin exports and registers
// Rename: the NAME in CMakeLists.txt and "saturable" in plugin.cpp; org.example to a domain of yours, backwards.
#pragma once

#include <cstdint>

#include <lumarch/abi.h>
#include <lumarch/abi_params.h>

namespace example {

lm_status saturable_kerr(lm_device* device, const lm_call* call) noexcept;
extern const lm_response_info saturable_kerr_info;

lm_status time_rim(lm_device* device, const lm_call* call, const lm_edge_request* request, double* out,
                   std::uint64_t out_len) noexcept;

}  // namespace example
