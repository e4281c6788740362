// SPDX-License-Identifier: Apache-2.0
// Bands in longer rows, the propagator with factors of a member, and the right-hand side of columns: in time a column
// is one node's field.
#include <lumarch/sdk/columns.hpp>

#include <array>
#include <cmath>
#include <vector>

#include "device.hpp"
#include "plain.hpp"

namespace lumarch::reference {

using sdk::Call;
using sdk::Fault;
using sdk::RowIndex;
using sdk::Rows;

namespace {

void pad_row(std::uint32_t kind, const Complex* in, const double* weight, double scale, std::int64_t n, Complex* out,
             std::int64_t longer) {
  for (std::int64_t k = 0; k < longer; ++k) out[k] = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    Complex value = scale * in[k];
    if (weight) value *= weight[k];
    if (kind == LM_BAND_HALF) value = std::conj(value);
    if (kind == LM_BAND_ANALYTIC && k > 0) value *= 2.0;
    out[sdk::band_place(kind, k, n, longer)] = value;
  }
}

void crop_row(std::uint32_t kind, const Complex* in, std::int64_t longer, const Complex* weight, double scale,
              std::int64_t n, Complex* out, bool add) {
  for (std::int64_t k = 0; k < n; ++k) {
    Complex value = in[sdk::band_place(kind, k, n, longer)];
    if (kind == LM_BAND_HALF) value = std::conj(value);
    value = scale * times(weight[k], value);
    out[k] = add ? out[k] + value : value;
  }
}

struct Words {
  std::string& text;
  void clear() const { text.clear(); }
  [[nodiscard]] std::string said() const { return text; }
};

}  // namespace

lm_status fft_pad(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    sdk::check_views(call, 2, 3);
    const lm_p_band& p = sdk::band_parameters(call, false);
    const auto out = call.rows<Complex>(0), in = call.rows<Complex>(1);
    const auto weight = call.rows<double>(2, in.samples, true);
    sdk::check_output(call, 0);
    sdk::check_shape(call, 1, 0);
    if (weight.given()) sdk::check_shape(call, 2, 0);
    sdk::check_band(p.kind, in.samples, out.samples);
    call.for_each_row(0, [&](const RowIndex& at) {
      pad_row(p.kind, in(at), weight.given() ? weight(at) : nullptr, call.scale_of(at.member, p.scale), in.samples,
              out(at), out.samples);
    });
  });
}

lm_status fft_crop(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    sdk::check_views(call, 3, 3);
    const lm_p_band& p = sdk::band_parameters(call, true);
    const auto out = call.rows<Complex>(0), in = call.rows<Complex>(1), weight = call.rows<Complex>(2, out.samples);
    sdk::check_output(call, 0);
    sdk::check_shape(call, 1, 0);
    sdk::check_shape(call, 2, 0);
    sdk::check_band(p.kind, out.samples, in.samples);
    call.for_each_row(0, [&](const RowIndex& at) {
      crop_row(p.kind, in(at), in.samples, weight(at), call.scale_of(at.member, p.scale), out.samples, out(at),
               p.flags & LM_CROP_ACCUMULATE);
    });
  });
}

lm_status lin_prepare_2(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    const lm_p_scaled& p = sdk::scaled_parameters(call);
    sdk::check_views(call, 1 + p.n, 1 + p.n);
    const auto E = call.rows<Complex>(0);
    sdk::check_output(call, 0);
    std::array<Rows<Complex>, LM_MAX_TERMS> D;
    for (std::uint32_t r = 0; r < p.n; ++r) {
      D[r] = call.rows<Complex>(1 + r, E.samples);
      sdk::check_shape(call, 1 + r, 0);
    }
    call.for_each_row(0, [&](const RowIndex& at) {
      for (std::int64_t s = 0; s < E.samples; ++s) {
        Complex exponent = sdk::operator_scale(call, p, at.member, 0) * D[0](at)[s];
        for (std::uint32_t r = 1; r < p.n; ++r) exponent += sdk::operator_scale(call, p, at.member, r) * D[r](at)[s];
        const double size = std::exp(exponent.real());
        E(at)[s] = {size * std::cos(exponent.imag()), size * std::sin(exponent.imag())};
      }
    });
  });
}

lm_status rhs_columns(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    const sdk::Columns columns(call);
    const std::int64_t n = columns.band(), N = columns.n();
    const auto in = call.rows<Complex>(0), out = call.rows<Complex>(1, n);
    const auto pre = call.rows<double>(2, n, true), window = call.rows<double>(3, N, true);
    const auto post = call.rows<Complex>(4, n);
    const auto current = columns.has_current() ? call.rows<Complex>(5, n) : Rows<Complex>();
    sdk::check_output(call, 1);
    if (in.samples != n) throw Fault(LM_E_ARG, "views 0 and 1 have rows of other lengths");
    for (const std::uint32_t i : {2u, 4u, 5u})
      if (sdk::is_given(call, i)) sdk::check_shape(call, i, 1);
    if (window.given()) sdk::check_one_row(call, 3);
    const bool half = columns.kind() == LM_BAND_HALF, envelope = columns.kind() == LM_BAND_ENVELOPE;
    const FftPlan& to_time =
        plan_of(call, 0, half ? LM_FFT_C2R : LM_FFT_C2C, half ? LM_FFT_BACKWARD : LM_FFT_FORWARD, N);
    const FftPlan& to_frequency =
        plan_of(call, 1, envelope ? LM_FFT_C2C : LM_FFT_R2C, envelope ? LM_FFT_BACKWARD : LM_FFT_FORWARD, N);
    const std::uint32_t worker = call.raw().exec->worker;
    sdk::for_each_node(call, 1, [&](RowIndex at) {
      const std::int64_t components = columns.components();
      for (at.component = 0; at.component < components; ++at.component) {
        auto* const spectrum = reinterpret_cast<Complex*>(columns.row(worker, sdk::Columns::between, 0, at.component));
        pad_row(columns.kind(), in(at), pre.given() ? pre(at) : nullptr, columns.pre_scale(at.member), n, spectrum,
                columns.longer());
        double* const field = columns.row(worker, sdk::Columns::field, 0, at.component);
        if (half)
          c2r(to_time, spectrum, field);
        else
          to_time.fft.transform(spectrum, reinterpret_cast<Complex*>(field));
      }
      columns.respond(*call.raw().exec, at.entry, 1, Words{device->errors[0]});
      for (at.component = 0; at.component < components; ++at.component) {
        if (!columns.has_polarisation()) std::fill_n(out(at), n, Complex());
        for (const auto part : {sdk::Columns::polarisation, sdk::Columns::current}) {
          const bool is_current = part == sdk::Columns::current;
          if (is_current ? !columns.has_current() : !columns.has_polarisation()) continue;
          double* const P = columns.row(worker, part, 0, at.component);
          if (window.given())
            for (std::int64_t s = 0; s < N; ++s)
              for (std::int64_t i = 0; i < (envelope ? 2 : 1); ++i) P[envelope ? 2 * s + i : s] *= window(at)[s];
          auto* const spectrum =
              reinterpret_cast<Complex*>(columns.row(worker, sdk::Columns::between, 0, at.component));
          if (envelope)
            to_frequency.fft.transform(reinterpret_cast<Complex*>(P), spectrum);
          else
            r2c(to_frequency, P, spectrum);
          crop_row(columns.kind_back(), spectrum, columns.longer_back(), is_current ? current(at) : post(at),
                   columns.post_scale(at.member), n, out(at), is_current);
        }
      }
    });
  });
}

}  // namespace lumarch::reference
