// SPDX-License-Identifier: Apache-2.0
// Transforms by cuFFT or hipFFT, whose functions differ in their names alone: Names says how they are called. Plans
// bring no work area of their own.
#pragma once

#include <cstdint>
#include <string>

#include <lumarch/abi.h>
#include <lumarch/sdk/fault.hpp>

namespace lumarch::gpu {

template <class Names>
class LibraryTransform {
public:
  template <class R>
  LibraryTransform(R& runtime, const lm_fft_desc& desc, std::int64_t in_distance, std::int64_t out_distance,
                   std::int64_t count)
      : desc_(desc) {
    check(Names::create(&plan_), "making a plan");
    try {
      check(Names::set_auto_allocation(plan_, 0), "making a plan");
      check(Names::set_stream(plan_, runtime.stream()), "making a plan");
      // The embedding of one dimension says nothing, but without it the distances are ignored.
      long long n = desc.n, in_embed = desc.n, out_embed = desc.n;
      const auto type = desc.kind == LM_FFT_C2C   ? Names::complex_to_complex
                        : desc.kind == LM_FFT_R2C ? Names::real_to_complex
                                                  : Names::complex_to_real;
      check(Names::make_plan_many64(plan_, 1, &n, &in_embed, 1, in_distance, &out_embed, 1, out_distance, type, count,
                                    &area_),
            "planning " + std::to_string(count) + " transforms of " + std::to_string(desc.n) + " samples");
    } catch (...) {
      (void)Names::destroy(plan_);
      throw;
    }
  }
  ~LibraryTransform() { (void)Names::destroy(plan_); }
  LibraryTransform(const LibraryTransform&) = delete;
  LibraryTransform& operator=(const LibraryTransform&) = delete;

  [[nodiscard]] std::size_t area() const noexcept { return area_; }

  template <class R>
  void run(R&, void* area, void* in, void* out) {
    if (area != set_area_) {
      check(Names::set_work_area(plan_, area), "giving a plan its work area");
      set_area_ = area;
    }
    const int direction = desc_.direction == LM_FFT_FORWARD ? Names::forward : Names::backward;
    check(desc_.kind == LM_FFT_C2C   ? Names::execute_complex(plan_, in, out, direction)
          : desc_.kind == LM_FFT_R2C ? Names::execute_forward(plan_, in, out)
                                     : Names::execute_backward(plan_, in, out),
          "a transform");
  }

private:
  static void check(typename Names::Result result, const std::string& what) {
    if (result == Names::success) return;
    throw sdk::Fault(Names::no_memory(result) ? LM_E_NOMEM : LM_E_DRIVER,
                     std::string(Names::name(result)) + " from " + Names::library + " in " + what);
  }

  lm_fft_desc desc_;
  typename Names::Handle plan_{};
  std::size_t area_ = 0;
  void* set_area_ = nullptr;
};

}  // namespace lumarch::gpu
