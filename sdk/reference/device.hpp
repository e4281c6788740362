// SPDX-License-Identifier: Apache-2.0
// The reference device: one thread, host memory, nothing clever.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <lumarch/abi.h>
#include <lumarch/sdk/call.hpp>
#include <lumarch/sdk/host_device.hpp>

#include "fft.hpp"

namespace lumarch::reference {

struct FftPlan {
  lm_fft_desc desc;
  Fft fft;
};

struct PropagatorPlan {
  lm_propagator_desc desc;
};

}  // namespace lumarch::reference

// The ABI's opaque types, as this plugin defines them.
struct lm_plan {
  std::variant<lumarch::reference::FftPlan, lumarch::reference::PropagatorPlan> what;
};

struct lm_device : lumarch::sdk::HostDevice<lm_plan> {
  lm_device() : HostDevice(1, 0xFF) {}  // new memory is NaN: what reads it before it is written shows
};

namespace lumarch::reference {

extern const lm_device_api device_api;

lm_status register_kernels(const lm_host* host, const lm_registrar* registrar) noexcept;

// Runs body(Call) with errors kept in the device.
template <class Body>
lm_status kernel(lm_device* device, const lm_call* call, Body&& body) noexcept {
  return sdk::host_kernel(device, call, body);
}

lm_status fill(lm_device*, const lm_call*) noexcept;
lm_status lincomb(lm_device*, const lm_call*) noexcept;
lm_status mul(lm_device*, const lm_call*) noexcept;
lm_status fft_exec(lm_device*, const lm_call*) noexcept;
lm_status lin_prepare(lm_device*, const lm_call*) noexcept;
lm_status lin_apply(lm_device*, const lm_call*) noexcept;
lm_status reduce_error(lm_device*, const lm_call*) noexcept;
lm_status response_kerr(lm_device*, const lm_call*) noexcept;
lm_status response_raman(lm_device*, const lm_call*) noexcept;
lm_status lincomb_2(lm_device*, const lm_call*) noexcept;
lm_status reduce_error_2(lm_device*, const lm_call*) noexcept;
lm_status mul_2(lm_device*, const lm_call*) noexcept;
lm_status spatial_fft(lm_device*, const lm_call*) noexcept;
lm_status spatial_matrix(lm_device*, const lm_call*) noexcept;
lm_status fft_pad(lm_device*, const lm_call*) noexcept;
lm_status fft_crop(lm_device*, const lm_call*) noexcept;
lm_status lin_prepare_2(lm_device*, const lm_call*) noexcept;
lm_status response_kerr_2(lm_device*, const lm_call*) noexcept;
lm_status response_convolution(lm_device*, const lm_call*) noexcept;
lm_status response_plasma(lm_device*, const lm_call*) noexcept;
lm_status response_chi2(lm_device*, const lm_call*) noexcept;
lm_status rhs_columns(lm_device*, const lm_call*) noexcept;
lm_status read_samples(lm_device*, const lm_call*) noexcept;
lm_status read_nodes(lm_device*, const lm_call*) noexcept;

}  // namespace lumarch::reference
