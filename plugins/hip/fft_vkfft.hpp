// SPDX-License-Identifier: Apache-2.0
// Transforms by VkFFT, which writes its kernels itself and has hiprtc compile them when a plan is made. Its plans here
// are in place: rows are copied to where the result is wanted, so that an input is never written to, but that of a
// complex-to-real transform, which may be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <lumarch/abi.h>

namespace lumarch::hip {

class Runtime;

class VkfftTransform {
public:
  VkfftTransform(Runtime& runtime, const lm_fft_desc& desc, std::int64_t in_distance, std::int64_t out_distance,
                 std::int64_t count);
  ~VkfftTransform();
  VkfftTransform(const VkfftTransform&) = delete;
  VkfftTransform& operator=(const VkfftTransform&) = delete;

  // VkFFT keeps what it needs beside the rows itself: long transforms take as much again as their rows.
  [[nodiscard]] std::size_t area() const noexcept { return 0; }
  void run(Runtime& runtime, void* area, void* in, void* out);

private:
  struct Application;
  lm_fft_desc desc_;
  std::int64_t in_distance_, out_distance_, count_;
  std::unique_ptr<Application> application_;
};

}  // namespace lumarch::hip
