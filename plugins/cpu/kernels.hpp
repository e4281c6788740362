// SPDX-License-Identifier: Apache-2.0
// Kernels that are registered, by file: responses.cpp, step.cpp, rhs.cpp, spatial.cpp, columns.cpp, media.cpp,
// reads.cpp; the others lie in kernels.cpp.
#pragma once

#include <lumarch/abi.h>
#include <lumarch/abi_params.h>
#include <lumarch/sdk/call.hpp>

namespace lumarch::cpu {

lm_status response_kerr(lm_device* device, const lm_call* call) noexcept;
lm_status response_raman(lm_device* device, const lm_call* call) noexcept;
lm_status response_kerr_raman(lm_device* device, const lm_call* call) noexcept;
lm_status reduce_error(lm_device* device, const lm_call* call) noexcept;
lm_status step_combine(lm_device* device, const lm_call* call) noexcept;
lm_status rhs_fibre(lm_device* device, const lm_call* call) noexcept;
lm_status core_mul_2(lm_device* device, const lm_call* call) noexcept;
lm_status spatial_fft(lm_device* device, const lm_call* call) noexcept;
lm_status spatial_matrix(lm_device* device, const lm_call* call) noexcept;
lm_status fft_pad(lm_device* device, const lm_call* call) noexcept;
lm_status fft_crop(lm_device* device, const lm_call* call) noexcept;
lm_status lin_prepare_2(lm_device* device, const lm_call* call) noexcept;
lm_status rhs_columns(lm_device* device, const lm_call* call) noexcept;
lm_status response_kerr_2(lm_device* device, const lm_call* call) noexcept;
lm_status response_chi2(lm_device* device, const lm_call* call) noexcept;
lm_status response_convolution(lm_device* device, const lm_call* call) noexcept;
lm_status response_plasma(lm_device* device, const lm_call* call) noexcept;
lm_status read_samples(lm_device* device, const lm_call* call) noexcept;
lm_status read_nodes(lm_device* device, const lm_call* call) noexcept;

inline double coefficient(const lm_term& term, double h) { return term.hpow ? term.c * h : term.c; }

}  // namespace lumarch::cpu
