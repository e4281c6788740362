// SPDX-License-Identifier: Apache-2.0
// Shells of the responses of media in SI. All components of a node are worked on together.
#pragma once

#include <lumarch/kernels/plasma.hpp>
#include <lumarch/kernels/responses.hpp>
#include <lumarch/launch/nodes.hpp>
#include <lumarch/sdk/routes.hpp>

namespace lumarch::launch {

// What responses check of the field (view 0) and of what they add to (view 1); true where there are two components.
inline bool two_components(const Call& call) {
  sdk::check_output(call, 1);
  sdk::check_same(call, 0, 1);
  const std::int64_t components = call.raw().views[1].extent[LM_AXIS_COMPONENT];
  if (components > 2)
    throw Fault(LM_E_UNSUPPORTED, "a field of " + std::to_string(components) + " components; 1 or 2 are possible");
  return components == 2;
}

// Puts one body on all nodes of view `shape`, a row for all components.
template <class P, class Body>
void node_elements(const Call& call, std::uint32_t shape, const Body& body) {
  for_each_piece(call, shape, [&](Grid piece) {
    piece.components = std::min<std::int64_t>(1, piece.components);
    P::elements(*call.device(), piece, body);
  });
}

template <class P>
lm_status response_kerr_2(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    sdk::check_views(call, 2, 2);
    const sdk::FieldKind kind = sdk::field_kind(call);
    const lm_p_kerr& p = sdk::kerr_parameters(call, kind);
    const bool two = two_components(call), add = (p.flags & LM_RESPONSE_ACCUMULATE) != 0;
    const std::int64_t n = call.raw().views[1].extent[LM_AXIS_SAMPLE];
    if (kind == sdk::FieldKind::real)
      return node_elements<P>(
          call, 1, kernels::KerrReal{rows<const double>(call, 0, n), rows<double>(call, 1), p.c, p.scale, two, add});
    const auto A = rows<const c128>(call, 0, n);
    if (kind == sdk::FieldKind::analytic)
      return node_elements<P>(call, 1,
                              kernels::KerrAnalytic{A, rows<double>(call, 1), p.c, p.saturation, p.scale, two, add});
    const kernels::KerrEnvelope envelope{A, rows<c128>(call, 1), p.c, p.saturation, p.scale, two, add};
    if (p.flags & LM_RESPONSE_THIRD_HARMONIC)
      node_elements<P>(call, 1, kernels::KerrThirdHarmonic{envelope, p.omega0, p.t0, p.dt});
    else
      node_elements<P>(call, 1, envelope);
  });
}

template <class P>
lm_status response_chi2(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    sdk::check_views(call, 2, 2);
    const sdk::FieldKind kind = sdk::field_kind(call);
    const lm_p_kerr& p = sdk::chi2_parameters(call, kind);
    sdk::check_output(call, 1);
    sdk::check_same(call, 0, 1);
    const bool add = (p.flags & LM_RESPONSE_ACCUMULATE) != 0;
    const std::int64_t n = call.raw().views[1].extent[LM_AXIS_SAMPLE];
    if (kind == sdk::FieldKind::real)
      elements<P>(call, 1,
                  kernels::SecondOrderReal{rows<const double>(call, 0, n), rows<double>(call, 1), p.c, p.scale, add});
    else
      elements<P>(call, 1,
                  kernels::SecondOrderEnvelope{rows<const c128>(call, 0, n), rows<c128>(call, 1), p.c, p.omega0, p.t0,
                                               p.dt, p.scale, add});
  });
}

// T: of the field, Out: of the polarisation.
template <class P, class T, class Out>
void convolve(const Call& call) {
  const lm_p_convolution& p = sdk::convolution_parameters(call);
  const bool two = two_components(call), tensor = (p.flags & LM_RESPONSE_TENSOR) != 0;
  const std::int64_t n = call.raw().views[1].extent[LM_AXIS_SAMPLE], N = fft_of<P>(call, 0).n, half = N / 2 + 1;
  need_plan<P>(call, 0, LM_FFT_R2C, LM_FFT_FORWARD, N);
  need_plan<P>(call, 1, LM_FFT_C2R, LM_FFT_BACKWARD, N);
  if (N < 2 * n) throw Fault(LM_E_ARG, "the plans are of fewer than twice the samples of a row");
  const auto E = rows<const T>(call, 0, n);
  const auto P_rows = rows<Out>(call, 1);
  const auto H = rows<const c128>(call, 2, half);
  sdk::check_one_row(call, 2);
  const std::uint64_t real_row = sizeof(double) * static_cast<std::uint64_t>(row_elements<double>(N)),
                      half_row = sizeof(c128) * static_cast<std::uint64_t>(row_elements<c128>(half));
  const std::uint64_t least =
      real_row + 2 * half_row + std::max(fft_work(fft_of<P>(call, 0)), fft_work(fft_of<P>(call, 1)));
  const std::int64_t inner = call.raw().views[1].extent[LM_AXIS_INNER];
  const std::int64_t together = parts_together<P>(call, inner, real_row + half_row);
  Work work(call, std::max(least, static_cast<std::uint64_t>(together) * (real_row + half_row)));
  const auto q = cut_rows<double>(work, together, N);
  const auto spectrum = cut_rows<c128>(work, together, half);
  lm_device& here = *call.device();
  const auto part = [&](const Grid& piece, std::int64_t y, std::int64_t x, std::int64_t nodes, std::uint32_t i,
                        std::uint32_t j) {
    const auto E_here = from_node(E, y, x);
    const auto P_here = from_node(P_rows, y, x);
    P::elements(here, nodes_of(piece, nodes, N), kernels::DelayedSource<T>{E_here, q.rows(), n, i, j, two, tensor});
    transform_nodes<P>(here, *call.plan(0), piece, q, spectrum, nodes);
    P::elements(here, nodes_of(piece, nodes, half), kernels::Multiply{spectrum.rows(), spectrum.read(), H});
    transform_nodes<P>(here, *call.plan(1), piece, spectrum, q, nodes);
    const auto add = [&](std::uint32_t to, std::uint32_t from, bool accumulate) {
      P::elements(here, nodes_of(piece, nodes, n),
                  kernels::DelayedResponse<T, Out>{E_here, q.read(), P_here, p.c, p.scale, to, from,
                                                   accumulate || (p.flags & LM_RESPONSE_ACCUMULATE) != 0});
    };
    add(i, j, j == 1);  // the first part that a component gets overwrites it, (0, 0) and (1, 0)
    if (i != j) add(j, i, false);
    if (!tensor && two) add(1, 1, false);
  };
  in_pieces(grid_of(call, 1), scratch_rows(call), [&](const Grid& piece) {
    for (std::int64_t y = 0; y < piece.outer; ++y)
      for (std::int64_t x = 0; x < inner; x += together) {
        const std::int64_t nodes = std::min(together, inner - x);
        part(piece, y, x, nodes, 0, 0);
        if (!tensor || !two) continue;
        part(piece, y, x, nodes, 0, 1);
        part(piece, y, x, nodes, 1, 1);
      }
  });
}

template <class P>
lm_status response_convolution(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    sdk::check_views(call, 3, 3);
    switch (sdk::field_kind(call)) {
      case sdk::FieldKind::real:
        return convolve<P, double, double>(call);
      case sdk::FieldKind::analytic:
        return convolve<P, c128, double>(call);
      default:
        return convolve<P, c128, c128>(call);
    }
  });
}

// The real parts of complex rows: every second double.
inline Rows<const double> parts(const Rows<const c128>& rows) {
  Rows<const double> out;
  out.base = reinterpret_cast<const double*>(rows.base);
  for (int axis = 0; axis < LM_AXIS_SAMPLE; ++axis) out.pitch[axis] = 2 * rows.pitch[axis];
  out.bank = 2 * rows.bank;
  out.flip = rows.flip;
  out.scratch = rows.scratch;
  return out;
}

template <class P, class V>
void ionise(const Call& call, const lm_p_plasma& p) {
  const std::int64_t n = call.raw().views[1].extent[LM_AXIS_SAMPLE];
  const bool analytic = call.raw().views[0].dtype == LM_C128;
  kernels::PlasmaCurrent<V> body{};
  body.E = analytic ? parts(rows<const c128>(call, 0, n)) : rows<const double>(call, 0, n);
  body.stride = analytic ? 2 : 1;
  body.J = rows<double>(call, 1);
  body.m = sdk::check_rate_table(call, 2);
  body.table = rows<const double>(call, 2);
  body.density = p.density;
  body.acceleration = p.acceleration;
  body.ionisation_energy = p.ionisation_energy;
  body.fraction = p.fraction;
  body.dt = p.dt;
  body.field_min = p.field_min;
  body.field_step = p.field_step;
  body.scale = p.scale;
  body.accumulate = (p.flags & LM_RESPONSE_ACCUMULATE) != 0;
  for_each_piece(call, 1, [&](Grid piece) {
    piece.components = std::min<std::int64_t>(1, piece.components);
    P::blocks(*call.device(), piece, 1, body);
  });
}

template <class P>
lm_status response_plasma(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    sdk::check_views(call, 3, 3);
    const lm_p_plasma& p = sdk::plasma_parameters(call);
    if (two_components(call))
      ionise<P, kernels::real2>(call, p);
    else
      ionise<P, double>(call, p);
  });
}

}  // namespace lumarch::launch
