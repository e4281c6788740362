// SPDX-License-Identifier: Apache-2.0
// What the kernels of transverse routes and of media in SI (docs/kernels.md, since 1.2) check before they begin.
#pragma once

#include <lumarch/sdk/checks.hpp>

namespace lumarch::sdk {

// ---- a band in a longer row ----

// Where sample k of a band of n lies in a row of `longer` samples.
constexpr std::int64_t band_place(std::uint32_t kind, std::int64_t k, std::int64_t n, std::int64_t longer) {
  return kind == LM_BAND_ENVELOPE && k >= (n + 1) / 2 ? longer - n + k : k;
}

inline void check_band(std::uint32_t kind, std::int64_t n, std::int64_t longer) {
  if (kind > LM_BAND_ANALYTIC) throw Fault(LM_E_ARG, "band kind " + std::to_string(kind) + " is unknown");
  if (n > longer)
    throw Fault(LM_E_ARG, "a band of " + std::to_string(n) + " samples does not fit into " + std::to_string(longer));
}

inline const lm_p_band& band_parameters(const Call& call, bool crop) {
  const auto& p = call.params<lm_p_band>();
  if (p.flags & ~(crop ? std::uint32_t{LM_CROP_ACCUMULATE} : 0u)) throw Fault(LM_E_UNSUPPORTED, "unknown flags");
  if (crop && p.kind == LM_BAND_ANALYTIC)
    throw Fault(LM_E_ARG, "an analytic signal's polarisation is real: it is cropped as LM_BAND_HALF");
  call.check_scales(p.scale);
  return p;
}

// ---- views ----

// The axes of view `i` are those of view `like`, components included.
inline void check_same(const Call& call, std::uint32_t i, std::uint32_t like, bool with_samples = false) {
  const lm_view &v = call.raw().views[i], &shape = call.raw().views[like];
  for (int axis = LM_AXIS_COMPONENT; axis < (with_samples ? LM_AXES : int{LM_AXIS_SAMPLE}); ++axis)
    if (v.extent[axis] != shape.extent[axis])
      throw Fault(LM_E_ARG, "view " + std::to_string(i) + " has another shape than view " + std::to_string(like));
}

// A row for all components and nodes, and as it is said here, for all members.
inline void check_one_row(const Call& call, std::uint32_t i) {
  const lm_view& v = call.raw().views[i];
  for (int axis = LM_AXIS_COMPONENT; axis < LM_AXIS_SAMPLE; ++axis)
    if (v.extent[axis] != 1) throw Fault(LM_E_ARG, "view " + std::to_string(i) + " is one row for all nodes");
}

inline bool is_given(const Call& call, std::uint32_t i) {
  return i < call.n_views() && call.raw().views[i].buffer != 0;
}

// body(RowIndex) for each node of view `shape`, component 0.
template <class Body>
void for_each_node(const Call& call, std::uint32_t shape, Body&& body) {
  const lm_view& view = call.raw().views[shape];
  call.for_each_member([&](RowIndex at) {
    for (at.outer = 0; at.outer < view.extent[LM_AXIS_OUTER]; ++at.outer)
      for (at.inner = 0; at.inner < view.extent[LM_AXIS_INNER]; ++at.inner) body(static_cast<const RowIndex&>(at));
  });
}

// ---- responses of media in SI ----

// What E and P are: c128 both, f64 both, or c128 and f64.
enum class FieldKind { envelope, real, analytic };

inline FieldKind field_kind(const Call& call) {
  check_views(call, 2, 3);
  const std::int32_t E = call.raw().views[0].dtype, P = call.raw().views[1].dtype;
  if (E == LM_C128 && P == LM_C128) return FieldKind::envelope;
  if (E == LM_F64 && P == LM_F64) return FieldKind::real;
  if (E == LM_C128 && P == LM_F64) return FieldKind::analytic;
  throw Fault(LM_E_ARG, "the field and the polarisation are c128 both, f64 both, or c128 and f64");
}

inline const lm_p_kerr& kerr_parameters(const Call& call, FieldKind kind) {
  const auto& p = call.params<lm_p_kerr>();
  if (p.flags & ~(std::uint32_t{LM_RESPONSE_ACCUMULATE} | std::uint32_t{LM_RESPONSE_THIRD_HARMONIC}))
    throw Fault(LM_E_UNSUPPORTED, "unknown flags");
  if ((p.flags & LM_RESPONSE_THIRD_HARMONIC) && kind != FieldKind::envelope)
    throw Fault(LM_E_UNSUPPORTED, "LM_RESPONSE_THIRD_HARMONIC is for envelopes");
  if (p.saturation != 0.0 && (kind == FieldKind::real || (p.flags & LM_RESPONSE_THIRD_HARMONIC)))
    throw Fault(LM_E_UNSUPPORTED, "saturation is for envelopes and analytic signals, without a third harmonic");
  call.check_scales(p.scale);
  return p;
}

inline const lm_p_kerr& chi2_parameters(const Call& call, FieldKind kind) {
  const auto& p = call.params<lm_p_kerr>();
  if (kind == FieldKind::analytic) throw Fault(LM_E_ARG, "the field and the polarisation are c128 both or f64 both");
  if (p.flags & ~std::uint32_t{LM_RESPONSE_ACCUMULATE}) throw Fault(LM_E_UNSUPPORTED, "unknown flags");
  if (p.saturation != 0.0) throw Fault(LM_E_UNSUPPORTED, "saturation is for response.kerr");
  call.check_scales(p.scale);
  return p;
}

inline const lm_p_convolution& convolution_parameters(const Call& call) {
  const auto& p = call.params<lm_p_convolution>();
  if (p.flags & ~(std::uint32_t{LM_RESPONSE_ACCUMULATE} | std::uint32_t{LM_RESPONSE_TENSOR}))
    throw Fault(LM_E_UNSUPPORTED, "unknown flags");
  call.check_scales(p.scale);
  return p;
}

inline const lm_p_plasma& plasma_parameters(const Call& call) {
  const auto& p = call.params<lm_p_plasma>();
  if (p.flags & ~std::uint32_t{LM_RESPONSE_ACCUMULATE}) throw Fault(LM_E_UNSUPPORTED, "unknown flags");
  if (!(p.field_step > 0.0)) throw Fault(LM_E_ARG, "the spacing of the rate's table is not above 0");
  call.check_scales(p.scale);
  return p;
}

// The rate's table: two rows of m samples, at least 2. Returns m.
inline std::int64_t check_rate_table(const Call& call, std::uint32_t i) {
  const lm_view& v = call.raw().views[i];
  if (v.extent[LM_AXIS_COMPONENT] != 1 || v.extent[LM_AXIS_OUTER] != 1 || v.extent[LM_AXIS_INNER] != 2 ||
      v.extent[LM_AXIS_SAMPLE] < 2)
    throw Fault(LM_E_ARG, "the rate's table is two rows of 2 values or more");
  return v.extent[LM_AXIS_SAMPLE];
}

// ---- across nodes ----

inline int axis_parameter(const Call& call) {
  const auto& p = call.params<lm_p_axis>();
  if (p.axis != LM_AXIS_OUTER && p.axis != LM_AXIS_INNER)
    throw Fault(LM_E_ARG, "the axis is LM_AXIS_OUTER or LM_AXIS_INNER");
  return p.axis;
}

// spatial.matrix: out, in, matrix. Returns K, the components of the matrix.
inline std::int64_t check_matrix(const Call& call) {
  const lm_view &out = call.raw().views[0], &in = call.raw().views[1], &matrix = call.raw().views[2];
  const std::int64_t K = matrix.extent[LM_AXIS_COMPONENT], from = in.extent[LM_AXIS_COMPONENT],
                     to = out.extent[LM_AXIS_COMPONENT];
  if (K == 1 ? from != to : !((from == 1 && to == K) || (from == K && to == 1)))
    throw Fault(LM_E_ARG, "a matrix of K components leads from one component to K or from K to one");
  if (out.extent[LM_AXIS_OUTER] != in.extent[LM_AXIS_OUTER] || matrix.extent[LM_AXIS_OUTER] != 1 ||
      matrix.extent[LM_AXIS_INNER] != out.extent[LM_AXIS_INNER] ||
      matrix.extent[LM_AXIS_SAMPLE] != in.extent[LM_AXIS_INNER])
    throw Fault(LM_E_ARG, "the matrix does not lead from the nodes of view 1 to those of view 0");
  return K;
}

inline const lm_p_scaled& scaled_parameters(const Call& call) {
  const auto& p = call.params<lm_p_scaled>();
  if (p.n < 1 || p.n > LM_MAX_TERMS) throw Fault(LM_E_ARG, "1 to " + std::to_string(LM_MAX_TERMS) + " operators");
  call.check_scales(p.scale, p.n);
  return p;
}

// The factor of operator r; without a scale all are 1.
inline double operator_scale(const Call& call, const lm_p_scaled& p, std::uint32_t member, std::uint32_t r) {
  return p.scale == 0 ? 1.0 : call.scale_of(member, p.scale + r);
}

}  // namespace lumarch::sdk
