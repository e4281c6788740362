// SPDX-License-Identifier: Apache-2.0
// The right-hand side of a fibre as one kernel: to time, responses, to frequency, for as many members at once as keep
// their two rows in the device's cache. Responses are called by their pointers, also those of other plugins.
#pragma once

#include <algorithm>

#include <lumarch/launch/transforms.hpp>
#include <lumarch/sdk/responses.hpp>

namespace lumarch::launch {

template <class Platform>
struct Words {
  lm_device& device;
  void clear() const { Platform::note(device, ""); }
  [[nodiscard]] std::string said() const { return Platform::noted(device); }
};

template <class P>
lm_status rhs_fibre(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    sdk::check_views(call, 3, 5);
    const auto& p = call.params<lm_p_rhs>();
    const auto u = rows<const c128>(call, 0);
    const std::int64_t n = call.raw().views[0].extent[LM_AXIS_SAMPLE];
    const auto out = rows<c128>(call, 1, n);
    const auto source = rows<const c128>(call, 2, n);
    const auto pre = rows<const double>(call, 3, n, true);
    const auto noise = rows<const c128>(call, 4, n, true);
    sdk::check_output(call, 1);
    sdk::check_single_rows(call);
    need_plan<P>(call, 0, LM_FFT_C2C, LM_FFT_FORWARD, n);
    need_plan<P>(call, 1, LM_FFT_C2C, LM_FFT_BACKWARD, n);
    lm_device& device_here = *call.device();
    sdk::ResponseCalls responses(call, p, n, Words<P>{device_here});
    Work work(call, responses.bytes());
    const auto A = work.cut<c128>(n), polarisation = work.cut<c128>(n);
    // As many as fit the cache; but where u or out is SCRATCH, its rows say which entries go together.
    const std::uint32_t together = has_scratch_views(call)
                                       ? scratch_rows(call)
                                       : std::min(scratch_rows(call), P::chunk(device_here, responses.bytes()));
    in_pieces(grid_of(call, 0), together, [&](const Grid& piece) {
      P::elements(device_here, piece, kernels::Launch{polarisation.rows(), u, noise, pre});
      P::transform(device_here, *call.plan(0), polarisation.first(piece), polarisation.distance, A.first(piece),
                   A.distance, piece.n_active);
      if (!responses.any()) P::elements(device_here, piece, kernels::Fill{polarisation.rows(), {0.0, 0.0}});
      responses.run(piece.first, piece.n_active);
      P::transform(device_here, *call.plan(1), polarisation.first(piece), polarisation.distance, A.first(piece),
                   A.distance, piece.n_active);
      P::elements(device_here, piece, kernels::Multiply{out, A.read(), source});
    });
  });
}

}  // namespace lumarch::launch
