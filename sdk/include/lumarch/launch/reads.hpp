// SPDX-License-Identifier: Apache-2.0
// Shells of what is read of a state.
#pragma once

#include <lumarch/kernels/reads.hpp>
#include <lumarch/launch/nodes.hpp>
#include <lumarch/sdk/reads.hpp>

namespace lumarch::launch {

template <class P>
lm_status read_samples(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    const lm_p_read& p = sdk::check_read_samples(call);
    const lm_view& x = call.raw().views[1];
    const std::int64_t samples = call.raw().views[0].extent[LM_AXIS_SAMPLE];
    kernels::ReadPartials body{};
    body.x = rows<const c128>(call, 1, samples);
    body.weight = rows<const double>(call, 2, samples, true);
    body.map = rows<const double>(call, 3, -1, true);
    body.components = x.extent[LM_AXIS_COMPONENT];
    body.outer = x.extent[LM_AXIS_OUTER];
    body.inner = x.extent[LM_AXIS_INNER];
    body.flags = p.flags;
    const std::int64_t all = body.components * body.outer * body.inner;
    body.piece = kernels::read_piece(all);
    kernels::ReadTotals totals{rows<double>(call, 0), nullptr, (all + body.piece - 1) / body.piece, p.c, p.flags};
    for_each_piece(call, 0, [&](const Grid& piece) {
      body.partial = P::partials(*call.device(), static_cast<std::size_t>(piece.n_active * totals.pieces * samples));
      totals.partial = body.partial;
      P::elements(*call.device(), nodes_of(piece, totals.pieces, samples), body);
      P::elements(*call.device(), nodes_of(piece, 1, samples), totals);
    });
  });
}

template <class P>
lm_status read_nodes(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    const lm_p_read& p = sdk::check_read_nodes(call);
    const lm_view& view = call.raw().views[1];
    kernels::NodeSquares of{};
    of.samples = view.extent[LM_AXIS_SAMPLE];
    of.components = view.extent[LM_AXIS_COMPONENT];
    of.out = rows<double>(call, 0);
    of.x = rows<const c128>(call, 1);
    of.weight = rows<const double>(call, 2, of.samples, true);
    of.c = p.c;
    of.flags = p.flags;
    for_each_piece(call, 1, [&](Grid piece) {
      piece.components = 1;
      if (of.samples > kernels::reduce_threads) return P::blocks(*call.device(), piece, 1, kernels::ReadLongNodes{of});
      piece.samples = piece.inner;
      piece.inner = 1;
      P::elements(*call.device(), piece, kernels::ReadShortNodes{of});
    });
  });
}

}  // namespace lumarch::launch
