// SPDX-License-Identifier: Apache-2.0
// The right-hand side of a fibre as one kernel: to time, responses, to frequency, on two rows of the work area, so that
// a member's field never leaves the cache. Responses are called by their pointers, also those of other plugins.
#include <string>

#include <lumarch/sdk/responses.hpp>

#include "device.hpp"
#include "kernels.hpp"

namespace lumarch::cpu {

using sdk::Call;
using sdk::Complex;
using sdk::Fault;
using sdk::RowIndex;

namespace {

// The error text of the worker that calls.
struct Words {
  std::string& text;
  void clear() const { text.clear(); }
  [[nodiscard]] std::string said() const { return text; }
};

}  // namespace

lm_status rhs_fibre(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    check_views(call, 3, 5);
    const auto& p = call.params<lm_p_rhs>();
    const auto u = call.rows<Complex>(0);
    const auto out = call.rows<Complex>(1, u.samples);
    const auto source = call.rows<Complex>(2, u.samples);
    const auto pre = call.rows<double>(3, u.samples, true);
    const auto noise = call.rows<Complex>(4, u.samples, true);
    check_output(call, 1);
    sdk::check_single_rows(call);
    const Fft &to_time = fft_of(call, 0), &to_frequency = fft_of(call, 1);
    if (!to_time.is(LM_FFT_C2C, LM_FFT_FORWARD, false, u.samples) ||
        !to_frequency.is(LM_FFT_C2C, LM_FFT_BACKWARD, false, u.samples))
      throw Fault(LM_E_ARG, "the plans are not c2c to time and to frequency, out of place, of the length of a row");
    const unsigned worker = call.raw().exec->worker;
    sdk::ResponseCalls responses(call, p, u.samples, Words{device->errors[worker]});
    auto* const A = reinterpret_cast<double*>(responses.field());
    auto* const P = reinterpret_cast<double*>(responses.polarisation());
    const auto n = static_cast<std::size_t>(u.samples);
    const bool as_it_is = !pre.given() && !noise.given() && !to_time.desc().destroys_input;
    call.for_each_row(0, [&](const RowIndex& at) {
      double* field = numbers(u(at));
      if (!as_it_is) {
        device->rows.launch(P, field, noise.given() ? numbers(noise(at)) : nullptr, pre.given() ? pre(at) : nullptr, n);
        field = P;
      }
      to_time.run(field, A, worker);
      if (!responses.any()) device->rows.fill(P, 0.0, 0.0, n);
      responses.run(at.entry, 1);
      if (to_frequency.is_own()) return to_frequency.run_times(P, numbers(out(at)), numbers(source(at)), worker);
      to_frequency.run(P, A, worker);
      device->rows.multiply(numbers(out(at)), A, numbers(source(at)), n);
    });
  });
}

}  // namespace lumarch::cpu
