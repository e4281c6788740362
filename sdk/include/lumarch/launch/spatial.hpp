// SPDX-License-Identifier: Apache-2.0
// Shells of the kernels for routes with transverse nodes: tables, bands, the propagator with factors of a member, and
// what leads from nodes to nodes.
#pragma once

#include <lumarch/kernels/routes.hpp>
#include <lumarch/launch/nodes.hpp>
#include <lumarch/sdk/routes.hpp>

namespace lumarch::launch {

template <class P>
lm_status core_mul_2(lm_device* device, const lm_call* raw) noexcept {
  if (!raw || raw->n_views < 1 || !raw->views || raw->views[0].dtype != LM_F64) return core_mul<P>(device, raw);
  return shell<P>(device, raw, [](const Call& call) {
    sdk::check_views(call, 3, 3);
    sdk::check_output(call, 0);
    sdk::check_shape(call, 1, 0);
    sdk::check_shape(call, 2, 0);
    const std::int64_t samples = call.raw().views[0].extent[LM_AXIS_SAMPLE];
    elements<P>(call, 0,
                kernels::MultiplyReals{rows<double>(call, 0), rows<const double>(call, 1, samples),
                                       rows<const double>(call, 2, samples)});
  });
}

template <class P>
lm_status fft_pad(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    sdk::check_views(call, 2, 3);
    const lm_p_band& p = sdk::band_parameters(call, false);
    sdk::check_output(call, 0);
    sdk::check_shape(call, 1, 0);
    if (sdk::is_given(call, 2)) sdk::check_shape(call, 2, 0);
    const std::int64_t n = call.raw().views[1].extent[LM_AXIS_SAMPLE];
    sdk::check_band(p.kind, n, call.raw().views[0].extent[LM_AXIS_SAMPLE]);
    elements<P>(call, 0,
                kernels::Pad{rows<c128>(call, 0), rows<const c128>(call, 1, n), rows<const double>(call, 2, n, true), n,
                             p.kind, p.scale});
  });
}

template <class P>
lm_status fft_crop(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    sdk::check_views(call, 3, 3);
    const lm_p_band& p = sdk::band_parameters(call, true);
    sdk::check_output(call, 0);
    sdk::check_shape(call, 1, 0);
    sdk::check_shape(call, 2, 0);
    const std::int64_t n = call.raw().views[0].extent[LM_AXIS_SAMPLE],
                       longer = call.raw().views[1].extent[LM_AXIS_SAMPLE];
    sdk::check_band(p.kind, n, longer);
    elements<P>(call, 0,
                kernels::Crop{rows<c128>(call, 0), rows<const c128>(call, 1), rows<const c128>(call, 2, n), longer,
                              p.kind, p.scale, (p.flags & LM_CROP_ACCUMULATE) != 0});
  });
}

template <class P>
lm_status lin_prepare_2(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    const lm_p_scaled& p = sdk::scaled_parameters(call);
    sdk::check_views(call, 1 + p.n, 1 + p.n);
    sdk::check_output(call, 0);
    kernels::ScaledPropagator body{};
    body.E = rows<c128>(call, 0);
    body.n = p.n;
    body.scale = p.scale;
    for (std::uint32_t r = 0; r < p.n; ++r) {
      sdk::check_shape(call, 1 + r, 0);
      body.D[r] = rows<const c128>(call, 1 + r, call.raw().views[0].extent[LM_AXIS_SAMPLE]);
    }
    elements<P>(call, 0, body);
  });
}

template <class P>
lm_status spatial_matrix(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    sdk::check_views(call, 3, 3);
    sdk::check_output(call, 0);
    const std::int64_t K = sdk::check_matrix(call);
    const lm_view &to = call.raw().views[0], &from = call.raw().views[1];
    kernels::MatrixProduct body{};
    body.out = rows<c128>(call, 0);
    body.in = rows<const c128>(call, 1, to.extent[LM_AXIS_SAMPLE]);
    body.matrix = rows<const double>(call, 2);
    body.outputs = to.extent[LM_AXIS_INNER];
    body.inputs = from.extent[LM_AXIS_INNER];
    body.summed = K > 1 ? from.extent[LM_AXIS_COMPONENT] : 1;
    for_each_piece(call, 0, [&](Grid piece) {
      piece.inner = (body.outputs + body.together - 1) / body.together;
      P::elements(*call.device(), piece, body);
    });
  });
}

// Slabs of the rows of n nodes become columns in the work area, are transformed there, and go back.
template <class P>
lm_status spatial_fft(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    sdk::check_views(call, 2, 2);
    const int axis = sdk::axis_parameter(call), other = axis == LM_AXIS_OUTER ? LM_AXIS_INNER : LM_AXIS_OUTER;
    const lm_view& view = call.raw().views[0];
    const std::int64_t n = view.extent[axis], samples = view.extent[LM_AXIS_SAMPLE];
    const auto out = rows<c128>(call, 0);
    const auto in = rows<const c128>(call, 1, samples);
    sdk::check_output(call, 0);
    sdk::check_same(call, 1, 0, true);
    const lm_fft_desc& desc = fft_of<P>(call, 0);
    if (desc.kind != LM_FFT_C2C || desc.in_place || desc.n != n)
      throw Fault(LM_E_ARG, "the plan is no c2c transform out of place of as many samples as the axis has nodes");
    const std::uint64_t slab = sdk::round_up(16 * static_cast<std::uint64_t>(n * samples));
    const std::int64_t together =
        slab == 0 ? 1 : parts_together<P>(call, std::max<std::int64_t>(1, view.extent[other]), 2 * slab);
    Work work(call, std::max(2 * slab + fft_work(desc), 2 * slab * static_cast<std::uint64_t>(together)));
    const auto before = cut_rows<c128>(work, together, n * samples),
               after = cut_rows<c128>(work, together, n * samples);
    NodeStrip<c128> from = before, to = after;
    from.row = to.row = n;  // columns follow each other without a gap
    kernels::Tiles tiles;
    tiles.nodes = n;
    tiles.samples = samples;
    tiles.across = static_cast<std::uint32_t>((samples + tiles.edge - 1) / tiles.edge);
    tiles.tiles_a_slab = tiles.across * static_cast<std::uint32_t>((n + tiles.edge - 1) / tiles.edge);
    lm_device& here = *call.device();
    in_pieces(grid_of(call, 0), scratch_rows(call), [&](const Grid& piece) {
      for (std::int64_t c = 0; c < piece.components; ++c)
        for (std::int64_t first = 0; first < view.extent[other]; first += together) {
          const std::int64_t slabs = std::min(together, view.extent[other] - first);
          const Grid one = nodes_of(piece, 1, slabs * tiles.tiles_a_slab * tiles.area);
          const auto slab_at = [&](auto& rows) {
            return node_of(rows, c, other == LM_AXIS_OUTER ? first : 0, other == LM_AXIS_INNER ? first : 0);
          };
          tiles.node_pitch = in.pitch[axis];
          tiles.slab_pitch = in.pitch[other];
          P::elements(here, one, kernels::ToColumns{from.rows(), slab_at(in), tiles});
          transform_nodes<P>(here, *call.plan(0), piece, from, to, slabs * samples);
          tiles.node_pitch = out.pitch[axis];
          tiles.slab_pitch = out.pitch[other];
          P::elements(here, one, kernels::ToRows{slab_at(out), to.read(), tiles});
        }
    });
  });
}

}  // namespace lumarch::launch
