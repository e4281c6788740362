// SPDX-License-Identifier: Apache-2.0
// cuFFT's names.
#pragma once

#include <cufft.h>

#include "../gpu/fft_library.hpp"

namespace lumarch::cuda {

struct CufftNames {
  using Handle = cufftHandle;
  using Result = cufftResult;
  static constexpr const char* library = "cuFFT";
  static constexpr Result success = CUFFT_SUCCESS;
  static constexpr cufftType complex_to_complex = CUFFT_Z2Z, real_to_complex = CUFFT_D2Z, complex_to_real = CUFFT_Z2D;
  static constexpr int forward = CUFFT_FORWARD, backward = CUFFT_INVERSE;

  static Result create(Handle* plan) { return cufftCreate(plan); }
  static Result destroy(Handle plan) { return cufftDestroy(plan); }
  static Result set_auto_allocation(Handle plan, int on) { return cufftSetAutoAllocation(plan, on); }
  static Result set_stream(Handle plan, cudaStream_t stream) { return cufftSetStream(plan, stream); }
  static Result set_work_area(Handle plan, void* area) { return cufftSetWorkArea(plan, area); }
  static Result make_plan_many64(Handle plan, int rank, long long* n, long long* in_embed, long long in_stride,
                                 long long in_distance, long long* out_embed, long long out_stride,
                                 long long out_distance, cufftType type, long long count, std::size_t* area) {
    return cufftMakePlanMany64(plan, rank, n, in_embed, in_stride, in_distance, out_embed, out_stride, out_distance,
                               type, count, area);
  }
  static Result execute_complex(Handle plan, void* in, void* out, int direction) {
    return cufftExecZ2Z(plan, static_cast<cufftDoubleComplex*>(in), static_cast<cufftDoubleComplex*>(out), direction);
  }
  static Result execute_forward(Handle plan, void* in, void* out) {
    return cufftExecD2Z(plan, static_cast<cufftDoubleReal*>(in), static_cast<cufftDoubleComplex*>(out));
  }
  static Result execute_backward(Handle plan, void* in, void* out) {
    return cufftExecZ2D(plan, static_cast<cufftDoubleComplex*>(in), static_cast<cufftDoubleReal*>(out));
  }
  static bool no_memory(Result result) { return result == CUFFT_ALLOC_FAILED; }
  static const char* name(Result result);
};

}  // namespace lumarch::cuda
