// SPDX-License-Identifier: Apache-2.0
// hipFFT's names.
#pragma once

#include <hipfft/hipfft.h>

#include "../gpu/fft_library.hpp"

namespace lumarch::hip {

struct HipfftNames {
  using Handle = hipfftHandle;
  using Result = hipfftResult;
  static constexpr const char* library = "hipFFT";
  static constexpr Result success = HIPFFT_SUCCESS;
  static constexpr hipfftType complex_to_complex = HIPFFT_Z2Z, real_to_complex = HIPFFT_D2Z,
                              complex_to_real = HIPFFT_Z2D;
  static constexpr int forward = HIPFFT_FORWARD, backward = HIPFFT_BACKWARD;

  static Result create(Handle* plan) { return hipfftCreate(plan); }
  static Result destroy(Handle plan) { return hipfftDestroy(plan); }
  static Result set_auto_allocation(Handle plan, int on) { return hipfftSetAutoAllocation(plan, on); }
  static Result set_stream(Handle plan, hipStream_t stream) { return hipfftSetStream(plan, stream); }
  static Result set_work_area(Handle plan, void* area) { return hipfftSetWorkArea(plan, area); }
  static Result make_plan_many64(Handle plan, int rank, long long* n, long long* in_embed, long long in_stride,
                                 long long in_distance, long long* out_embed, long long out_stride,
                                 long long out_distance, hipfftType type, long long count, std::size_t* area) {
    return hipfftMakePlanMany64(plan, rank, n, in_embed, in_stride, in_distance, out_embed, out_stride, out_distance,
                                type, count, area);
  }
  static Result execute_complex(Handle plan, void* in, void* out, int direction) {
    return hipfftExecZ2Z(plan, static_cast<hipfftDoubleComplex*>(in), static_cast<hipfftDoubleComplex*>(out),
                         direction);
  }
  static Result execute_forward(Handle plan, void* in, void* out) {
    return hipfftExecD2Z(plan, static_cast<hipfftDoubleReal*>(in), static_cast<hipfftDoubleComplex*>(out));
  }
  static Result execute_backward(Handle plan, void* in, void* out) {
    return hipfftExecZ2D(plan, static_cast<hipfftDoubleComplex*>(in), static_cast<hipfftDoubleReal*>(out));
  }
  static bool no_memory(Result result) { return result == HIPFFT_ALLOC_FAILED; }
  static const char* name(Result result) {
    switch (result) {
      case HIPFFT_INVALID_PLAN:
        return "HIPFFT_INVALID_PLAN";
      case HIPFFT_ALLOC_FAILED:
        return "HIPFFT_ALLOC_FAILED";
      case HIPFFT_INVALID_VALUE:
        return "HIPFFT_INVALID_VALUE";
      case HIPFFT_INTERNAL_ERROR:
        return "HIPFFT_INTERNAL_ERROR";
      case HIPFFT_EXEC_FAILED:
        return "HIPFFT_EXEC_FAILED";
      case HIPFFT_SETUP_FAILED:
        return "HIPFFT_SETUP_FAILED";
      case HIPFFT_INVALID_SIZE:
        return "HIPFFT_INVALID_SIZE";
      case HIPFFT_UNALIGNED_DATA:
        return "HIPFFT_UNALIGNED_DATA";
      case HIPFFT_INVALID_DEVICE:
        return "HIPFFT_INVALID_DEVICE";
      case HIPFFT_NOT_IMPLEMENTED:
        return "HIPFFT_NOT_IMPLEMENTED";
      case HIPFFT_NOT_SUPPORTED:
        return "HIPFFT_NOT_SUPPORTED";
      default:
        return "an unknown error";
    }
  }
};

}  // namespace lumarch::hip
