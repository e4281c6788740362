// SPDX-License-Identifier: Apache-2.0
// Compiled when lumarch is configured: does this hipFFT have what we call of it?
#include <hip/hip_runtime_api.h>

#include "fft_hipfft.hpp"

int main() {
  hipfftHandle plan{};
  return static_cast<int>(lumarch::hip::HipfftNames::create(&plan));
}
