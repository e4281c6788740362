// SPDX-License-Identifier: Apache-2.0
// Plans of our own lengths: real rows by way of complex ones, and the fused ends.
#include <algorithm>

#include "../fft.hpp"

namespace lumarch::cpu {

std::shared_ptr<const OwnFft> OwnPlans::complex(std::size_t n) {
  auto known = complex_[n].lock();
  if (!known) complex_[n] = known = std::make_shared<const OwnFft>(passes, n);
  return known;
}

OwnPlans::Table OwnPlans::real(std::size_t n) {
  auto known = real_[n].lock();
  if (!known) real_[n] = known = std::make_shared<const Twiddles>(real_twiddles(n));
  return known;
}

// Real rows of even n are n/2 pairs; those of odd n are complex ones whose imaginary parts are 0.
void Fft::plan_own() {
  const auto n = static_cast<std::size_t>(desc_.n);
  const bool real = desc_.kind != LM_FFT_C2C, pairs = real && n % 2 == 0;
  own_ = plans_.complex(pairs ? n / 2 : n);
  if (pairs) joined_ = plans_.real(n);
  plans_.scratch.reserve(own_->row_work() + (real && !pairs ? 2 * n : 0));
}

void Fft::run_own(const double* in, double* out, unsigned worker) const {
  Ends ends;
  ends.backward = desc_.direction == LM_FFT_BACKWARD;
  const std::size_t n = own_->size();
  if (desc_.kind == LM_FFT_C2C) {
    own_->row(in, out, ends, plans_.scratch, worker);
  } else if (joined_ && !ends.backward) {
    own_->row(in, out, ends, plans_.scratch, worker);
    plans_.passes.untangle(out, out, joined_->data(), n);
  } else if (joined_) {
    plans_.passes.tangle(out, in, joined_->data(), n);
    own_->row(out, out, ends, plans_.scratch, worker);
  } else {
    double* const full = plans_.scratch.of(worker) + own_->row_work();
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t mirror = n - i;
      const bool first = i <= n / 2;
      full[2 * i] = !ends.backward ? in[i] : in[2 * (first ? i : mirror)];
      full[2 * i + 1] = !ends.backward || i == 0 ? 0.0 : first ? in[2 * i + 1] : -in[2 * mirror + 1];
    }
    own_->row(full, full, ends, plans_.scratch, worker);
    if (ends.backward)
      for (std::size_t i = 0; i < n; ++i) out[i] = full[2 * i];
    else
      std::copy_n(full, 2 * (n / 2 + 1), out);
  }
}

void Fft::run_times(const double* in, double* out, const double* table, unsigned worker) const {
  Ends ends;
  ends.backward = true;
  ends.times = table;
  own_->row(in, out, ends, plans_.scratch, worker);
}

void Fft::delayed(const double* A, double* P, const double* H, double* work, bool with_kerr, double c,
                  unsigned worker) const {
  Ends there, back;
  there.squares = true;
  own_->row(A, work, there, plans_.scratch, worker);
  plans_.passes.filter(work, H, joined_->data(), own_->size());
  back.backward = true;
  back.field = A;
  back.with_kerr = with_kerr;
  back.c = c;
  own_->row(work, P, back, plans_.scratch, worker);
}

}  // namespace lumarch::cpu
