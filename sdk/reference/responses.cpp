// SPDX-License-Identifier: Apache-2.0
// The nonlinear responses of a fibre (physics.md, 16: GNLSE).
#include <vector>

#include "device.hpp"
#include "plain.hpp"

namespace lumarch::reference {

using sdk::Call;
using sdk::Fault;
using sdk::RowIndex;

namespace {

bool accumulates(const lm_p_response& p) {
  if (p.flags & ~LM_RESPONSE_ACCUMULATE) throw Fault(LM_E_UNSUPPORTED, "unknown flags");
  return p.flags & LM_RESPONSE_ACCUMULATE;
}

const FftPlan& real_plan(const Call& call, std::uint32_t index, int kind, std::int64_t n) {
  const auto* plan = std::get_if<FftPlan>(&call.plan(index)->what);
  if (!plan || plan->desc.kind != kind || plan->desc.n != n) throw Fault(LM_E_ARG, "not the plan that was asked for");
  return *plan;
}

}  // namespace

lm_status response_kerr(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    const auto& p = call.params<lm_p_response>();
    const bool accumulate = accumulates(p);
    const auto A = call.rows<Complex>(0), P = call.rows<Complex>(1, A.samples);
    call.for_each_row(0, [&](const RowIndex& at) {
      for (std::int64_t s = 0; s < A.samples; ++s) {
        const Complex value = p.c * norm2(A(at)[s]) * A(at)[s];
        P(at)[s] = accumulate ? P(at)[s] + value : value;
      }
    });
  });
}

lm_status response_raman(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    const bool accumulate = accumulates(call.params<lm_p_response>());
    const auto A = call.rows<Complex>(0), P = call.rows<Complex>(1, A.samples);
    const std::int64_t n = A.samples, half = n / 2 + 1;
    const auto H = call.rows<Complex>(2, half);
    const FftPlan& forward = real_plan(call, 0, LM_FFT_R2C, n);
    const FftPlan& backward = real_plan(call, 1, LM_FFT_C2R, n);
    std::vector<Complex> x(static_cast<std::size_t>(n));
    call.for_each_row(0, [&](const RowIndex& at) {
      for (std::int64_t s = 0; s < n; ++s) x[static_cast<std::size_t>(s)] = norm2(A(at)[s]);
      forward.fft.transform(x.data(), x.data());
      for (std::int64_t k = 0; k < half; ++k) {
        const Complex product = x[static_cast<std::size_t>(k)] * H(at)[k];
        x[static_cast<std::size_t>(k)] = product;
        if (k > 0) x[static_cast<std::size_t>(n - k)] = std::conj(product);  // the convolution is real
      }
      x[0] = x[0].real();
      if (n % 2 == 0) x[static_cast<std::size_t>(n / 2)] = x[static_cast<std::size_t>(n / 2)].real();
      backward.fft.transform(x.data(), x.data());
      for (std::int64_t s = 0; s < n; ++s) {
        const Complex value = x[static_cast<std::size_t>(s)].real() * A(at)[s];
        P(at)[s] = accumulate ? P(at)[s] + value : value;
      }
    });
  });
}

}  // namespace lumarch::reference
