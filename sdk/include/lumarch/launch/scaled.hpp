// SPDX-License-Identifier: Apache-2.0
// Shells of the sums whose terms have factors of the member.
#pragma once

#include <lumarch/launch/elementwise.hpp>

namespace lumarch::launch {

inline kernels::Combination scaled_terms_of(const Call& call, const lm_p_combine& p, std::int64_t samples) {
  kernels::Combination out{};
  for (std::uint32_t j = 0; j < p.n; ++j) {
    sdk::check_shape(call, 1 + j, 0);
    out.x[j] = rows<const c128>(call, 1 + j, samples);
    out.c[j] = p.term[j].c;
    out.hpow[j] = p.term[j].hpow;
    out.scale[j] = static_cast<std::uint32_t>(p.term[j].level);
  }
  out.n = static_cast<std::int32_t>(p.n);
  return out;
}

template <class P>
lm_status core_lincomb_2(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    const lm_p_combine& p = sdk::scaled_combination(call);
    sdk::check_views(call, 1 + p.n, 1 + p.n);
    sdk::check_output(call, 0);
    const std::int64_t samples = call.raw().views[0].extent[LM_AXIS_SAMPLE];
    elements<P>(call, 0, kernels::LinearCombination{rows<c128>(call, 0), scaled_terms_of(call, p, samples)});
  });
}

template <class P>
lm_status reduce_error_2(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    const lm_p_combine& p = sdk::scaled_combination(call);
    sdk::check_views(call, 1 + p.n, 1 + p.n);
    reduce<P>(call, p.slot, scaled_terms_of(call, p, call.raw().views[0].extent[LM_AXIS_SAMPLE]));
  });
}

}  // namespace lumarch::launch
