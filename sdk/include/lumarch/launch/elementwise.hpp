// SPDX-License-Identifier: Apache-2.0
// Shells of the kernels that work sample by sample, and of the error's sums.
#pragma once

#include <lumarch/kernels/elementwise.hpp>
#include <lumarch/kernels/reduce.hpp>
#include <lumarch/launch/platform.hpp>

namespace lumarch::launch {

// Body(Call) behind the fence, its fault noted by the device.
template <class P, class Body>
lm_status shell(lm_device* device, const lm_call* raw, Body&& body) noexcept {
  if (!device) return LM_E_ARG;
  return sdk::fence([&](const char* text) { P::note(*device, text); }, [&] { body(sdk::Call(device, raw)); });
}

// Puts one body on all rows of view `shape`.
template <class P, class Body>
void elements(const Call& call, std::uint32_t shape, const Body& body) {
  for_each_piece(call, shape, [&](const Grid& piece) { P::elements(*call.device(), piece, body); });
}

inline kernels::Combination terms_of(const Call& call, const lm_p_combine& p, std::int64_t samples, std::uint32_t shape,
                                     std::int32_t* end_of_level = nullptr) {
  kernels::Combination out{};
  for (std::int32_t level = 0; level < 3; ++level) {
    for (std::uint32_t j = 0; j < p.n; ++j) {
      if (p.term[j].level != level) continue;
      sdk::check_shape(call, 1 + j, shape);
      out.x[out.n] = rows<const c128>(call, 1 + j, samples);
      out.c[out.n] = p.term[j].c;
      out.hpow[out.n++] = p.term[j].hpow;
    }
    if (end_of_level) end_of_level[level] = out.n;
  }
  return out;
}

template <class P>
lm_status core_fill(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    sdk::check_views(call, 1, 1);
    const auto& p = call.params<lm_p_fill>();
    sdk::check_output(call, 0);
    if (call.raw().views[0].dtype == LM_F64)
      elements<P>(call, 0, kernels::FillReal{rows<double>(call, 0), p.re});
    else
      elements<P>(call, 0, kernels::Fill{rows<c128>(call, 0), {p.re, p.im}});
  });
}

template <class P>
lm_status core_lincomb(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    const lm_p_combine& p = sdk::plain_combination(call);
    sdk::check_views(call, 1 + p.n, 1 + p.n);
    sdk::check_output(call, 0);
    const std::int64_t samples = call.raw().views[0].extent[LM_AXIS_SAMPLE];
    elements<P>(call, 0, kernels::LinearCombination{rows<c128>(call, 0), terms_of(call, p, samples, 0)});
  });
}

template <class P>
lm_status core_mul(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    sdk::check_views(call, 3, 3);
    sdk::check_output(call, 0);
    sdk::check_shape(call, 1, 0);
    sdk::check_shape(call, 2, 0);
    const std::int64_t samples = call.raw().views[0].extent[LM_AXIS_SAMPLE];
    const auto out = rows<c128>(call, 0);
    const auto x = rows<const c128>(call, 1, samples);
    if (call.raw().views[2].dtype == LM_F64)
      elements<P>(call, 0, kernels::MultiplyReal{out, x, rows<const double>(call, 2, samples)});
    else
      elements<P>(call, 0, kernels::Multiply{out, x, rows<const c128>(call, 2, samples)});
  });
}

template <class P>
lm_status lin_prepare(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    sdk::check_views(call, 1, 1);
    sdk::check_output(call, 0);
    const lm_propagator_desc* plan = P::propagator(*call.device(), *call.plan(0));
    if (!plan) throw Fault(LM_E_ARG, "plan 0 is no propagator of this device");
    const lm_view& view = call.raw().views[0];
    for (int axis = LM_AXIS_COMPONENT; axis < LM_AXIS_SAMPLE; ++axis)
      if (plan->D.extent[axis] != view.extent[axis] && plan->D.extent[axis] != 1)
        throw Fault(LM_E_ARG, "the operator has other components or nodes than the factor");
    const auto E = rows<c128>(call, 0);
    const auto D = rows<const c128>(call, plan->D, sdk::ViewName{"the operator"}, view.extent[LM_AXIS_SAMPLE]);
    elements<P>(call, 0, kernels::Propagator{E, D, plan->node, plan->lossless});
  });
}

template <class P>
lm_status lin_apply(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    sdk::check_views(call, 3, 3);
    const auto& p = call.params<lm_p_apply>();
    if (p.flags & ~std::uint32_t{LM_APPLY_INVERSE}) throw Fault(LM_E_UNSUPPORTED, "unknown flags");
    sdk::check_output(call, 0);
    sdk::check_shape(call, 1, 0);
    sdk::check_shape(call, 2, 0);
    const std::int64_t samples = call.raw().views[0].extent[LM_AXIS_SAMPLE];
    const auto out = rows<c128>(call, 0);
    const auto x = rows<const c128>(call, 1, samples), E = rows<const c128>(call, 2, samples);
    if (p.flags & LM_APPLY_INVERSE)
      elements<P>(call, 0, kernels::Divide{out, x, E});
    else
      elements<P>(call, 0, kernels::Multiply{out, x, E});
  });
}

template <class P>
lm_status response_kerr(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    sdk::check_views(call, 2, 2);
    const lm_p_response& p = sdk::response_parameters(call);
    sdk::check_output(call, 1);
    sdk::check_shape(call, 0, 1);
    const auto P_rows = rows<c128>(call, 1);
    const auto A = rows<const c128>(call, 0, call.raw().views[1].extent[LM_AXIS_SAMPLE]);
    elements<P>(call, 1, kernels::Kerr{A, P_rows, p.c, (p.flags & LM_RESPONSE_ACCUMULATE) != 0});
  });
}

template <class P>
lm_status step_combine(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    const lm_p_combine& p = sdk::combination(call);
    sdk::check_views(call, 2 + p.n, 2 + p.n);
    sdk::check_output(call, 0);
    sdk::check_shape(call, 1 + p.n, 0);
    const std::int64_t samples = call.raw().views[0].extent[LM_AXIS_SAMPLE];
    kernels::StepCombine body{};
    body.out = rows<c128>(call, 0);
    body.E = rows<const c128>(call, 1 + p.n, samples);
    body.terms = terms_of(call, p, samples, 0, body.end);
    elements<P>(call, 0, body);
  });
}

// The squares of the 2-norms of a sum, and of view 0.
template <class P>
void reduce(const Call& call, std::uint32_t slot, const kernels::Combination& terms) {
  sdk::check_slot(call, slot);
  kernels::ErrorPartials body{};
  body.y = rows<const c128>(call, 0);
  body.terms = terms;
  const unsigned blocks = kernels::reduce_blocks(call.raw().views[0].extent[LM_AXIS_SAMPLE]);
  for_each_piece(call, 0, [&](const Grid& piece) {
    const std::int64_t partials = piece.rows_a_member() * blocks;
    body.partial = P::partials(*call.device(), 2 * static_cast<std::size_t>(piece.n_active * partials));
    P::blocks(*call.device(), piece, blocks, body);
    Grid totals = piece;  // a row a member, whose samples are its two numbers
    totals.components = totals.outer = totals.inner = 1;
    totals.samples = 2;
    P::elements(*call.device(), totals, kernels::ErrorTotals{body.partial, partials, slot});
  });
}

template <class P>
lm_status reduce_error(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    const lm_p_combine& p = sdk::plain_combination(call);
    sdk::check_views(call, 1 + p.n, 1 + p.n);
    reduce<P>(call, p.slot, terms_of(call, p, call.raw().views[0].extent[LM_AXIS_SAMPLE], 0));
  });
}

}  // namespace lumarch::launch
