// SPDX-License-Identifier: Apache-2.0
// The right-hand side of a fibre as one kernel: to time, responses, to frequency, for as many members at once as keep
// their two rows in the device's cache. Responses are called by their pointers, also those of other plugins.
#pragma once

#include <algorithm>

#include <lumarch/launch/transforms.hpp>

namespace lumarch::launch {

// Calls the responses on the field A and the polarisation P of a piece, which lie in the work area.
template <class Platform>
class Responses {
public:
  Responses(const Call& call, const lm_p_rhs& p, std::int64_t n) : call_(call), p_(p) {
    const std::uint64_t row = sdk::round_up(16 * static_cast<std::uint64_t>(n));
    bytes_ = 2 * row;
    if (p.n_responses > most || (p.n_responses && !p.responses)) throw Fault(LM_E_ARG, "the responses are missing");
    for (std::uint32_t r = 0; r < p.n_responses; ++r) {
      const lm_response& response = p.responses[r];
      if (!response.fn || response.n_tables > most_tables || (response.n_tables && !response.tables))
        throw Fault(LM_E_ARG, "response " + std::to_string(r) + " has no function or no tables");
      bytes_ += sdk::round_up(response.work_bytes);
    }
    (void)call.work(bytes_);  // checked before it is cut up
    const lm_view& area = *call.raw().work;
    if (area.offset % 16 || area.pitch[0] % 16) throw Fault(LM_E_ARG, "the work area is not aligned");
    lm_view& field = views_[0];
    field.buffer = area.buffer;
    field.offset = area.offset / 16;
    for (int axis = 0; axis < LM_AXES; ++axis) field.extent[axis] = 1;
    field.extent[LM_AXIS_MEMBER] = area.extent[LM_AXIS_MEMBER];
    field.extent[LM_AXIS_SAMPLE] = n;
    field.pitch[LM_AXIS_MEMBER] = area.pitch[0] / 16;
    field.pitch[LM_AXIS_SAMPLE] = 1;
    field.dtype = LM_C128;
    field.flags = LM_VIEW_SCRATCH;
    views_[1] = field;
    views_[1].offset += row / 16;
    rest_ = area;
    rest_.offset += 2 * row;
  }

  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] bool any() const noexcept { return p_.n_responses > 0; }

  void run(const Grid& piece) {
    lm_members members = *call_.raw().members;
    members.first = piece.first;
    members.n_active = piece.n_active;
    lm_view rest = rest_;
    for (std::uint32_t r = 0; r < p_.n_responses; ++r) {
      const lm_response& response = p_.responses[r];
      std::copy_n(response.tables, response.n_tables, views_ + 2);
      rest.extent[LM_AXIS_SAMPLE] = static_cast<std::int64_t>(response.work_bytes);
      const lm_call inner = {sizeof(lm_call),
                             2 + response.n_tables,
                             views_,
                             &members,
                             call_.raw().exec,
                             response.params,
                             response.params_size,
                             response.n_plans,
                             response.plans,
                             response.work_bytes ? &rest : nullptr};
      Platform::note(*call_.device(), "");
      const lm_status status = response.fn(call_.device(), &inner);
      const std::string said = status != LM_OK ? Platform::noted(*call_.device()) : std::string();
      if (status != LM_OK)
        throw Fault(status,
                    said.empty() ? sdk::silent("response", r, status) : "response " + std::to_string(r) + ": " + said);
      rest.offset += sdk::round_up(response.work_bytes);
    }
  }

private:
  static constexpr std::uint32_t most = 64, most_tables = 14;
  const Call& call_;
  const lm_p_rhs& p_;
  lm_view views_[2 + most_tables] = {};
  lm_view rest_{};
  std::uint64_t bytes_ = 0;
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
    for (std::uint32_t i = 0; i < call.n_views(); ++i)
      for (int axis = LM_AXIS_COMPONENT; call.raw().views[i].buffer && axis < LM_AXIS_SAMPLE; ++axis)
        if (call.raw().views[i].extent[axis] != 1)
          throw Fault(LM_E_UNSUPPORTED, "rhs.fibre takes one row a member; compose it for modes and polarisations");
    need_plan<P>(call, 0, LM_FFT_C2C, LM_FFT_FORWARD, n);
    need_plan<P>(call, 1, LM_FFT_C2C, LM_FFT_BACKWARD, n);
    Responses<P> responses(call, p, n);
    Work work(call, responses.bytes());
    const auto A = work.cut<c128>(n), polarisation = work.cut<c128>(n);
    lm_device& device_here = *call.device();
    // As many as fit the cache; but where u or out is SCRATCH, its rows say which entries go together.
    const std::uint32_t together = has_scratch_views(call)
                                       ? scratch_rows(call)
                                       : std::min(scratch_rows(call), P::chunk(device_here, responses.bytes()));
    in_pieces(grid_of(call, 0), together, [&](const Grid& piece) {
      P::elements(device_here, piece, kernels::Launch{polarisation.rows(), u, noise, pre});
      P::transform(device_here, *call.plan(0), polarisation.first(piece), polarisation.distance, A.first(piece),
                   A.distance, piece.n_active);
      if (!responses.any()) P::elements(device_here, piece, kernels::Fill{polarisation.rows(), {0.0, 0.0}});
      responses.run(piece);
      P::transform(device_here, *call.plan(1), polarisation.first(piece), polarisation.distance, A.first(piece),
                   A.distance, piece.n_active);
      P::elements(device_here, piece, kernels::Multiply{out, A.read(), source});
    });
  });
}

}  // namespace lumarch::launch
