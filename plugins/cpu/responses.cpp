// SPDX-License-Identifier: Apache-2.0
// Kerr's and Raman's response, apart and as one.
#include "device.hpp"
#include "kernels.hpp"

namespace lumarch::cpu {

using sdk::Call;
using sdk::Complex;
using sdk::Fault;
using sdk::RowIndex;

namespace {

// P (+)= A (c |A|^2 + c2r(H r2c(|A|^2))), without the first part for response.raman.
void delayed(lm_device* device, const Call& call, bool with_kerr) {
  check_views(call, 3, 3);
  const lm_p_response& p = sdk::response_parameters(call);
  const bool add = p.flags & LM_RESPONSE_ACCUMULATE;
  const auto A = call.rows<Complex>(0);
  const auto P = call.rows<Complex>(1, A.samples);
  const std::int64_t n = A.samples, half = n / 2 + 1;
  const auto H = call.rows<Complex>(2, half);
  check_output(call, 1);
  check_shape(call, 0, 1);
  check_shape(call, 2, 1);
  const Fft &there = fft_of(call, 0), &back = fft_of(call, 1);
  if (!there.is(LM_FFT_R2C, LM_FFT_FORWARD, false, n) || !back.is(LM_FFT_C2R, LM_FFT_BACKWARD, false, n))
    throw Fault(LM_E_ARG, "the plans are not r2c and c2r of the length of a row");
  const auto samples = static_cast<std::size_t>(n);
  std::byte* work = call.work(raman_work(n));
  auto* const I = reinterpret_cast<double*>(work);
  auto* const own_spectrum = reinterpret_cast<double*>(work + round_up(8 * samples));
  const unsigned worker = call.raw().exec->worker;
  const bool fused = !add && there.fuses() && back.fuses();
  call.for_each_row(1, [&](const RowIndex& at) {
    const double* a = numbers(A(at));
    if (fused) return there.delayed(a, numbers(P(at)), numbers(H(at)), I, with_kerr, p.c, worker);
    // A row that is about to be overwritten serves as the place of the spectrum: an eighth less in the cache.
    const bool free = !add && A(at) != P(at) && Fft::aligned(numbers(P(at)));
    double* const spectrum = free ? numbers(P(at)) : own_spectrum;
    device->rows.intensity(I, a, samples);
    there.run(I, spectrum, worker);
    device->rows.multiply(spectrum, spectrum, numbers(H(at)), static_cast<std::size_t>(half));
    back.run(spectrum, I, worker);
    if (with_kerr)
      device->rows.kerr_raman(numbers(P(at)), a, I, p.c, add, samples);
    else
      device->rows.raman(numbers(P(at)), a, I, add, samples);
  });
}

}  // namespace

lm_status response_kerr(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    check_views(call, 2, 2);
    const lm_p_response& p = sdk::response_parameters(call);
    const auto A = call.rows<Complex>(0);
    const auto P = call.rows<Complex>(1, A.samples);
    check_output(call, 1);
    check_shape(call, 0, 1);
    call.for_each_row(1, [&](const RowIndex& at) {
      device->rows.kerr(numbers(P(at)), numbers(A(at)), p.c, p.flags & LM_RESPONSE_ACCUMULATE,
                        static_cast<std::size_t>(A.samples));
    });
  });
}

lm_status response_raman(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) { delayed(device, call, false); });
}

lm_status response_kerr_raman(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) { delayed(device, call, true); });
}

}  // namespace lumarch::cpu
