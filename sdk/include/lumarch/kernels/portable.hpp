// SPDX-License-Identifier: Apache-2.0
// What kernel bodies are written in: code that g++, nvcc and hipcc compile alike, for the host and for the device. It
// includes no standard C++ header, for the CPU backend compiles the element functions once an instruction set: an
// inline function of the library could be the copy that the linker keeps for all of them.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define LM_HOST_DEVICE __host__ __device__
#else
#define LM_HOST_DEVICE
#endif

// A free function of a body. Static and always inlined: each file has its own, made for its own instruction set.
#define LM_BODY [[maybe_unused]] LM_HOST_DEVICE static inline __attribute__((always_inline))

// A member function of a body.
#define LM_MEMBER LM_HOST_DEVICE inline __attribute__((always_inline))

// Where a device address is read through. The emulated device defines it before it includes a body: there the address
// that the host holds is not the one that a kernel may use.
#ifndef LM_DEVICE_ADDRESS
#define LM_DEVICE_ADDRESS(address) (address)
#endif

namespace lumarch::kernels {

// a b + c. Written out, never contracted by a compiler: all builds that have the instruction have the same bits, and
// those that have not (x86-64-v2) round twice, for there the built-in would be a call.
LM_BODY double fused(double a, double b, double c) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__) || defined(__FMA__) || defined(__ARM_FEATURE_FMA) || \
    defined(__FP_FAST_FMA)
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

}  // namespace lumarch::kernels
