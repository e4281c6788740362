// SPDX-License-Identifier: Apache-2.0
// Shells of the kernels that transform rows. Transforms want rows at even distances; where a member's row lies is known
// on the device alone, so rows of members are gathered into the work area, transformed there, and scattered.
#pragma once

#include <lumarch/launch/elementwise.hpp>

namespace lumarch::launch {

// A part of the work area: a row an entry of the piece.
template <class T>
struct Strip {
  T* base = nullptr;
  std::int64_t distance = 0;  // elements from one entry's row to the next one's

  [[nodiscard]] Rows<T> rows() const {
    Rows<T> out;
    out.base = base;
    out.pitch[0] = distance;
    out.scratch = 1;
    return out;
  }
  [[nodiscard]] Rows<const T> read() const {
    Rows<const T> out;
    out.base = base;
    out.pitch[0] = distance;
    out.scratch = 1;
    return out;
  }
  // Where the piece's first row lies.
  [[nodiscard]] T* first(const Grid& piece) const { return base + static_cast<std::int64_t>(piece.worker) * distance; }
};

// Cuts a call's work area into strips, one after the other, each on a multiple of 64 bytes.
class Work {
public:
  Work(const Call& call, std::uint64_t bytes) {
    if (bytes == 0) return;
    at_ = call.work(bytes);
    const lm_view& view = *call.raw().work;
    pitch_ = view.pitch[LM_AXIS_MEMBER];
    if (view.extent[LM_AXIS_MEMBER] > 1 && pitch_ % 16) throw Fault(LM_E_ARG, "the work area is not aligned");
    at_ -= static_cast<std::int64_t>(call.raw().exec->worker) * pitch_;
  }
  template <class T>
  Strip<T> cut(std::int64_t samples) {
    const Strip<T> out{reinterpret_cast<T*>(at_), pitch_ / static_cast<std::int64_t>(sizeof(T))};
    at_ += sdk::round_up(sizeof(T) * static_cast<std::uint64_t>(samples));
    return out;
  }

private:
  std::byte* at_ = nullptr;
  std::int64_t pitch_ = 0;
};

inline std::int64_t samples_in(const lm_fft_desc& desc) { return desc.kind == LM_FFT_C2R ? desc.n / 2 + 1 : desc.n; }
inline std::int64_t samples_out(const lm_fft_desc& desc) { return desc.kind == LM_FFT_R2C ? desc.n / 2 + 1 : desc.n; }

// What plan_fft answers as work_bytes: a row of each side.
inline std::uint64_t fft_work(const lm_fft_desc& desc) {
  const auto bytes = [](std::int64_t samples, bool real) {
    return sdk::round_up((real ? 8u : 16u) * static_cast<std::uint64_t>(samples));
  };
  return bytes(samples_in(desc), desc.kind == LM_FFT_R2C) + bytes(samples_out(desc), desc.kind == LM_FFT_C2R);
}

template <class P>
const lm_fft_desc& fft_of(const Call& call, std::uint32_t i) {
  const lm_fft_desc* desc = P::fft(*call.device(), *call.plan(i));
  if (!desc) throw Fault(LM_E_ARG, "plan " + std::to_string(i) + " is no transform of this device");
  return *desc;
}

template <class P>
void need_plan(const Call& call, std::uint32_t i, int kind, int direction, std::int64_t n) {
  const lm_fft_desc& desc = fft_of<P>(call, i);
  if (desc.kind != kind || desc.direction != direction || desc.in_place || desc.n != n)
    throw Fault(LM_E_ARG, "plan " + std::to_string(i) + " is not the transform, out of place, that this kernel takes");
}

// One node of a view whose rows lie as a transform wants them: SCRATCH rows, an entry after the other.
template <class T>
T* even_rows(const Rows<T>& rows, const Grid& piece, std::int64_t c, std::int64_t y, std::int64_t x) {
  return rows.base + static_cast<std::int64_t>(piece.worker) * rows.pitch[0] + c * rows.pitch[1] + y * rows.pitch[2] +
         x * rows.pitch[3];
}

// The rows of one component and node.
template <class T>
Rows<T> node_of(Rows<T> rows, std::int64_t c, std::int64_t y, std::int64_t x) {
  rows.base += c * rows.pitch[1] + y * rows.pitch[2] + x * rows.pitch[3];
  rows.pitch[1] = rows.pitch[2] = rows.pitch[3] = 0;
  return rows;
}

template <class P, class In, class Out>
void transform_rows(const Call& call, const lm_fft_desc& desc) {
  const auto in = rows<In>(call, 1, samples_in(desc));
  const auto out = rows<Out>(call, 0, samples_out(desc));
  const lm_view &to = call.raw().views[0], &from = call.raw().views[1];
  const bool same =
      static_cast<const void*>(in.base) == static_cast<const void*>(out.base) && (in.bank == 0 || in.flip == out.flip);
  if (same != (desc.in_place != 0))
    throw Fault(LM_E_ARG, same ? "the plan is for a transform out of place" : "the plan is for a transform in place");
  if (same && (to.pitch[0] != from.pitch[0] || to.bank != from.bank))
    throw Fault(LM_E_ARG, "the rows of a transform in place are the same rows");
  const bool in_even = in.scratch && in.bank == 0, out_even = out.scratch && out.bank == 0;
  Work work(call, in_even && out_even ? 0 : fft_work(desc));
  const auto in_strip = in_even ? Strip<In>{} : work.cut<In>(samples_in(desc));
  const auto out_strip = out_even ? Strip<Out>{} : work.cut<Out>(samples_out(desc));
  lm_device& device = *call.device();
  in_pieces(grid_of(call, 0), scratch_rows(call), [&](const Grid& piece) {
    Grid one = piece;  // a component and node at a time: the work area holds a row a member
    one.components = one.outer = one.inner = 1;
    for (std::int64_t c = 0; c < piece.components; ++c)
      for (std::int64_t y = 0; y < piece.outer; ++y)
        for (std::int64_t x = 0; x < piece.inner; ++x) {
          In* source = in_even ? even_rows(in, piece, c, y, x) : in_strip.first(piece);
          Out* target = out_even ? even_rows(out, piece, c, y, x) : out_strip.first(piece);
          if (!in_even) {
            one.samples = samples_in(desc);
            const Rows<In> node = node_of(in, c, y, x);
            Rows<const In> read;
            read.base = node.base;
            read.pitch[0] = node.pitch[0];
            read.bank = node.bank;
            read.flip = node.flip;
            read.scratch = node.scratch;
            P::elements(device, one, kernels::Copy<In>{in_strip.rows(), read});
          }
          const bool in_strips = desc.in_place && !in_even;  // in place: where it was gathered
          void* const result = in_strips ? static_cast<void*>(source) : static_cast<void*>(target);
          P::transform(device, *call.plan(0), source, in_even ? in.pitch[0] : in_strip.distance, result,
                       in_strips  ? in_strip.distance
                       : out_even ? out.pitch[0]
                                  : out_strip.distance,
                       piece.n_active);
          if (out_even) continue;
          one.samples = samples_out(desc);
          Strip<Out> from_strip = out_strip;
          if (in_strips) from_strip = {reinterpret_cast<Out*>(in_strip.base), in_strip.distance};
          P::elements(device, one, kernels::Copy<Out>{node_of(out, c, y, x), from_strip.read()});
        }
  });
}

template <class P>
lm_status fft_exec(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    sdk::check_views(call, 2, 2);
    sdk::check_output(call, 0);
    const lm_fft_desc& desc = fft_of<P>(call, 0);
    const lm_view &to = call.raw().views[0], &from = call.raw().views[1];
    for (int axis = LM_AXIS_COMPONENT; axis < LM_AXIS_SAMPLE; ++axis)
      if (to.extent[axis] != from.extent[axis])
        throw Fault(LM_E_ARG, "the two sides of a transform have the same components and nodes");
    if (desc.kind == LM_FFT_R2C)
      transform_rows<P, double, c128>(call, desc);
    else if (desc.kind == LM_FFT_C2R)
      transform_rows<P, c128, double>(call, desc);
    else
      transform_rows<P, c128, c128>(call, desc);
  });
}

// P (+)= A (c |A|^2 + c2r(H r2c(|A|^2))), without the first part for response.raman.
template <class P>
void delayed_response(const Call& call, bool with_kerr) {
  sdk::check_views(call, 3, 3);
  const lm_p_response& p = sdk::response_parameters(call);
  sdk::check_output(call, 1);
  sdk::check_shape(call, 0, 1);
  sdk::check_shape(call, 2, 1);
  const std::int64_t n = call.raw().views[1].extent[LM_AXIS_SAMPLE], half = n / 2 + 1;
  need_plan<P>(call, 0, LM_FFT_R2C, LM_FFT_FORWARD, n);
  need_plan<P>(call, 1, LM_FFT_C2R, LM_FFT_BACKWARD, n);
  const auto P_rows = rows<c128>(call, 1);
  const auto A = rows<const c128>(call, 0, n), H = rows<const c128>(call, 2, half);
  Work work(call,
            sdk::round_up(8 * static_cast<std::uint64_t>(n)) + sdk::round_up(16 * static_cast<std::uint64_t>(half)));
  const auto I = work.cut<double>(n);
  const auto spectrum = work.cut<c128>(half);
  lm_device& device = *call.device();
  in_pieces(grid_of(call, 1), scratch_rows(call), [&](const Grid& piece) {
    for (std::int64_t c = 0; c < piece.components; ++c)
      for (std::int64_t y = 0; y < piece.outer; ++y)
        for (std::int64_t x = 0; x < piece.inner; ++x) {
          Grid one = piece;
          one.components = one.outer = one.inner = 1;
          P::elements(device, one, kernels::Intensity{node_of(A, c, y, x), I.rows()});
          P::transform(device, *call.plan(0), I.first(piece), I.distance, spectrum.first(piece), spectrum.distance,
                       piece.n_active);
          one.samples = half;
          P::elements(device, one, kernels::Multiply{spectrum.rows(), spectrum.read(), node_of(H, c, y, x)});
          P::transform(device, *call.plan(1), spectrum.first(piece), spectrum.distance, I.first(piece), I.distance,
                       piece.n_active);
          one.samples = n;
          P::elements(device, one,
                      kernels::KerrRaman{node_of(A, c, y, x), I.read(), node_of(P_rows, c, y, x), p.c, with_kerr,
                                         (p.flags & LM_RESPONSE_ACCUMULATE) != 0});
        }
  });
}

template <class P>
lm_status response_raman(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) { delayed_response<P>(call, false); });
}

template <class P>
lm_status response_kerr_raman(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) { delayed_response<P>(call, true); });
}

}  // namespace lumarch::launch
