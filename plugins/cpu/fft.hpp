// SPDX-License-Identifier: Apache-2.0
// Transforms of rows by FFTW. Equal bits come from one rule: a plan is one 1-D transform of one (n, kind, direction,
// placement), made from kept wisdom, executed row by row on aligned rows; never many at once, never unaligned.
#pragma once

#include <fftw3.h>

#include <cstdint>
#include <memory>

#include <lumarch/abi.h>

#include "wisdom.hpp"

namespace lumarch::cpu {

// automatic: kept plans where there are some, measured up to measured_by_default samples, estimated beyond.
enum class Effort { automatic, estimate, measure, patient };
inline constexpr std::int64_t measured_by_default = std::int64_t{1} << 17;

inline constexpr std::int64_t longest_transform = std::int64_t{1} << 26;

// From here on a plan is made for four jobs (however many threads there are: the number planned for decides the bits,
// not who runs the jobs).
inline constexpr std::int64_t shared_from = std::int64_t{1} << 16;
inline constexpr int jobs = 4;

class Fft {
public:
  // Checks the description and makes the plan, from `wisdom` where that has it.
  Fft(const Host& host, WisdomFile& wisdom, Effort effort, const lm_fft_desc& desc);

  [[nodiscard]] const lm_fft_desc& desc() const noexcept { return desc_; }
  [[nodiscard]] bool is(std::int32_t kind, std::int32_t direction, bool in_place, std::int64_t n) const noexcept {
    return desc_.kind == kind && desc_.direction == direction && (desc_.in_place != 0) == in_place && desc_.n == n;
  }
  [[nodiscard]] std::int64_t in_samples() const noexcept {
    return desc_.kind == LM_FFT_C2R ? desc_.n / 2 + 1 : desc_.n;
  }
  [[nodiscard]] std::int64_t out_samples() const noexcept {
    return desc_.kind == LM_FFT_R2C ? desc_.n / 2 + 1 : desc_.n;
  }

  // Whether a row can be transformed as it lies.
  static bool aligned(double* row) noexcept { return fftw_alignment_of(row) == 0; }

  // One row; throws where its alignment is not the plan's.
  void run(double* in, double* out) const;

private:
  struct Destroy {
    void operator()(fftw_plan_s* plan) const noexcept;
  };
  lm_fft_desc desc_;
  Host host_;
  std::unique_ptr<fftw_plan_s, Destroy> plan_;
};

}  // namespace lumarch::cpu
