// SPDX-License-Identifier: Apache-2.0
// Transforms of rows: our own (fft/own.hpp) for 2^a 3^b 5^c 7^d up to own_up_to, FFTW's for all else. Equal bits come
// from one rule with FFTW: a plan is one 1-D transform of one (n, kind, direction, placement), made from kept wisdom,
// executed row by row on aligned rows; never many at once, never unaligned.
#pragma once

#include <fftw3.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include <lumarch/abi.h>

#include "fft/own.hpp"
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

// Which lengths are ours. Beyond, a row in between for each worker would take more memory than a transform is worth.
inline constexpr std::int64_t own_up_to = std::int64_t{1} << 20;

// What the plans of a device share: tables of a length, and what workers have between passes.
class OwnPlans {
public:
  using Table = std::shared_ptr<const Twiddles>;
  OwnPlans(const FftPasses& with, unsigned workers) : passes(with), scratch(workers) {}
  [[nodiscard]] bool serve(std::int64_t n) const noexcept { return enabled && n <= own_up_to && OwnFft::serves(n); }
  std::shared_ptr<const OwnFft> complex(std::size_t n);
  Table real(std::size_t n);
  // Whether this length is asked about for the first time.
  bool tell_once(std::int64_t n) { return told_.insert(n).second; }

  const FftPasses& passes;
  FftScratch scratch;
  bool enabled = true;

private:
  std::set<std::int64_t> told_;
  std::map<std::size_t, std::weak_ptr<const OwnFft>> complex_;
  std::map<std::size_t, std::weak_ptr<const Twiddles>> real_;
};

class Fft {
public:
  // Checks the description and makes the plan; one of FFTW from `wisdom` where that has it.
  Fft(const Host& host, WisdomFile& wisdom, Effort effort, OwnPlans& own, const lm_fft_desc& desc);

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

  // One row, as this worker; throws where its alignment is not the plan's.
  void run(double* in, double* out, unsigned worker) const;

  // Fused ends, for own lengths alone (fused() says so); the bits are those of the parts one after the other.
  [[nodiscard]] bool is_own() const noexcept { return own_ != nullptr; }
  // The transform of n complex numbers, for panels; NULL where it is FFTW's or of real rows.
  [[nodiscard]] const OwnFft* own() const noexcept { return desc_.kind == LM_FFT_C2C ? own_.get() : nullptr; }
  [[nodiscard]] bool fuses() const noexcept { return own_ && desc_.n % 2 == 0 && own_->fuses(); }
  // out = table * transform (complex, BACKWARD).
  void run_times(const double* in, double* out, const double* table, unsigned worker) const;
  // P = A (c |A|^2 + c2r(H r2c(|A|^2))), without the first part where there is no Kerr; `work` is a real row. (a real
  // plan)
  void delayed(const double* A, double* P, const double* H, double* work, bool with_kerr, double c,
               unsigned worker) const;

private:
  struct Destroy {
    void operator()(fftw_plan_s* plan) const noexcept;
  };
  lm_fft_desc desc_;
  Host host_;
  std::unique_ptr<fftw_plan_s, Destroy> plan_;

  void plan_own();
  void run_own(const double* in, double* out, unsigned worker) const;
  OwnPlans& plans_;
  std::shared_ptr<const OwnFft> own_;  // of n, or of n/2 for real rows of even n
  OwnPlans::Table joined_;             // real_twiddles
};

}  // namespace lumarch::cpu
