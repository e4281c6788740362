// SPDX-License-Identifier: Apache-2.0
// Bands in longer rows, the propagator with a member's factors, and the right-hand side of columns: per node all of it
// stays in a cache, and the nodes of a single member go to the threads.
#include <lumarch/sdk/columns.hpp>

#include <algorithm>
#include <string>

#include "device.hpp"
#include "kernels.hpp"
#include "parallel.hpp"
#include "rows/media.hpp"

namespace lumarch::cpu {

using sdk::Call;
using sdk::Columns;
using sdk::Complex;
using sdk::Fault;
using sdk::RowIndex;
using sdk::Rows;

namespace {

std::size_t size(std::int64_t samples) { return static_cast<std::size_t>(samples); }

// How a band of n lies in a row of `longer`: `low` samples at its beginning, the others at its end.
struct Band {
  std::uint32_t kind;
  std::size_t n, longer, low;
  Band(std::uint32_t kind_, std::int64_t n_, std::int64_t longer_)
      : kind(kind_), n(size(n_)), longer(size(longer_)), low(kind_ == LM_BAND_ENVELOPE ? (n + 1) / 2 : n) {}
  [[nodiscard]] bool half() const { return kind == LM_BAND_HALF; }

  void pad(const MediaRows& rows, double* out, const double* in, const double* weight, double factor) const {
    const std::size_t high = n - low, gap = longer - n;
    const auto part = [&](std::size_t to, std::size_t from, std::size_t count, double times) {
      rows.pad(out + 2 * to, in + 2 * from, weight ? weight + from : nullptr, times, half(), count);
    };
    if (kind == LM_BAND_ANALYTIC) {
      part(0, 0, 1, factor);
      part(1, 1, n - 1, 2.0 * factor);
    } else {
      part(0, 0, low, factor);
    }
    std::fill_n(out + 2 * low, 2 * gap, 0.0);
    part(low + gap, low, high, factor);
  }
  void crop(const MediaRows& rows, double* out, const double* in, const double* weight, double factor, bool add) const {
    const std::size_t high = n - low, gap = longer - n;
    rows.crop(out, in, weight, factor, half(), add, low);
    rows.crop(out + 2 * low, in + 2 * (low + gap), weight + 2 * low, factor, half(), add, high);
  }
};

// The error text of the worker that calls.
struct Words {
  std::string& text;
  void clear() const { text.clear(); }
  [[nodiscard]] std::string said() const { return text; }
};

// All that is the same for each node.
struct Rhs {
  Rhs(lm_device* on, const Call& of)
      : device(on),
        call(of),
        columns(of),
        there(columns.kind(), columns.band(), columns.longer()),
        back(columns.kind_back(), columns.band(), columns.longer_back()),
        in(of.rows<Complex>(0, columns.band())),
        out(of.rows<Complex>(1, columns.band())),
        post(of.rows<Complex>(4, columns.band())),
        current(columns.has_current() ? of.rows<Complex>(5, columns.band()) : Rows<Complex>()),
        pre(of.rows<double>(2, columns.band(), true)),
        window(of.rows<double>(3, columns.n(), true)),
        to_time(fft_of(of, 0)),
        to_frequency(fft_of(of, 1)),
        envelope(columns.kind() == LM_BAND_ENVELOPE) {
    check_output(call, 1);
    for (const std::uint32_t i : {2u, 4u, 5u})
      if (sdk::is_given(call, i)) check_shape(call, i, 1);
    if (window.given()) sdk::check_one_row(call, 3);
    const bool c2r = columns.kind() == LM_BAND_HALF;
    if (!to_time.is(c2r ? LM_FFT_C2R : LM_FFT_C2C, c2r ? LM_FFT_BACKWARD : LM_FFT_FORWARD, false, columns.n()) ||
        !to_frequency.is(envelope ? LM_FFT_C2C : LM_FFT_R2C, envelope ? LM_FFT_BACKWARD : LM_FFT_FORWARD, false,
                         columns.n()))
      throw Fault(LM_E_ARG, "the plans are not to time and to frequency, out of place, of this kind of band");
  }

  // A node's field in time, into row i of the worker.
  void field(const RowIndex& at, std::int64_t i, unsigned worker) const {
    double* from = numbers(in(at));
    double* const to = columns.row(worker, Columns::field, i, at.component);
    const double factor = columns.pre_scale(at.member);
    const bool as_it_is = envelope && there.n == there.longer && !pre.given() && factor == 1.0 &&
                          !to_time.desc().destroys_input && Fft::aligned(from);
    if (!as_it_is) {
      double* const spectrum = columns.row(worker, Columns::between, i, at.component);
      there.pad(*device->rows.media, spectrum, from, pre.given() ? pre(at) : nullptr, factor);
      from = spectrum;
    }
    to_time.run(from, to, worker);
  }

  // What a node's polarisation or current adds to the right-hand side.
  void answer(const RowIndex& at, std::int64_t i, unsigned worker, Columns::Part part) const {
    const bool is_current = part == Columns::current, add = is_current && columns.has_polarisation();
    double* const P = columns.row(worker, part, i, at.component);
    if (window.given())
      envelope ? device->rows.multiply_real(P, P, window(at), size(columns.n()))
               : device->rows.media->multiply_doubles(P, P, window(at), size(columns.n()));
    const double factor = columns.post_scale(at.member);
    const double* const weight = numbers(is_current ? current(at) : post(at));
    if (envelope && back.n == back.longer && factor == 1.0 && !add && to_frequency.is_own())
      return to_frequency.run_times(P, numbers(out(at)), weight, worker);
    double* const spectrum = columns.row(worker, Columns::between, i, at.component);
    to_frequency.run(P, spectrum, worker);
    back.crop(*device->rows.media, numbers(out(at)), spectrum, weight, factor, add);
  }

  // `nodes` nodes of a member from `first` on, as this worker.
  void operator()(RowIndex at, std::int64_t first, std::int64_t nodes, unsigned worker) const {
    const std::int64_t inner = call.raw().views[1].extent[LM_AXIS_INNER];
    const auto each = [&](const auto& body) {
      for (std::int64_t i = 0; i < nodes; ++i) {
        at.outer = (first + i) / inner;
        at.inner = (first + i) % inner;
        for (at.component = 0; at.component < columns.components(); ++at.component) body(i);
      }
    };
    each([&](std::int64_t i) { field(at, i, worker); });
    columns.respond(device->exec[worker], at.entry, nodes, Words{device->errors[worker]});
    each([&](std::int64_t i) {
      if (columns.has_polarisation()) answer(at, i, worker, Columns::polarisation);
      if (columns.has_current()) answer(at, i, worker, Columns::current);
      if (!columns.has_polarisation() && !columns.has_current()) device->rows.fill(numbers(out(at)), 0.0, 0.0, back.n);
    });
  }

  lm_device* device;
  const Call& call;
  Columns columns;
  Band there, back;
  Rows<Complex> in, out, post, current;
  Rows<double> pre, window;
  const Fft &to_time, &to_frequency;
  bool envelope;
};

}  // namespace

lm_status fft_pad(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    check_views(call, 2, 3);
    const lm_p_band& p = sdk::band_parameters(call, false);
    const auto out = call.rows<Complex>(0), in = call.rows<Complex>(1);
    const auto weight = call.rows<double>(2, in.samples, true);
    check_output(call, 0);
    check_shape(call, 1, 0);
    if (weight.given()) check_shape(call, 2, 0);
    sdk::check_band(p.kind, in.samples, out.samples);
    const Band band(p.kind, in.samples, out.samples);
    for_rows(call, 0, [&](const RowIndex& at, unsigned) {
      band.pad(*device->rows.media, numbers(out(at)), numbers(in(at)), weight.given() ? weight(at) : nullptr,
               call.scale_of(at.member, p.scale));
    });
  });
}

lm_status fft_crop(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    check_views(call, 3, 3);
    const lm_p_band& p = sdk::band_parameters(call, true);
    const auto out = call.rows<Complex>(0), in = call.rows<Complex>(1), weight = call.rows<Complex>(2, out.samples);
    check_output(call, 0);
    check_shape(call, 1, 0);
    check_shape(call, 2, 0);
    sdk::check_band(p.kind, out.samples, in.samples);
    const Band band(p.kind, out.samples, in.samples);
    for_rows(call, 0, [&](const RowIndex& at, unsigned) {
      band.crop(*device->rows.media, numbers(out(at)), numbers(in(at)), numbers(weight(at)),
                call.scale_of(at.member, p.scale), p.flags & LM_CROP_ACCUMULATE);
    });
  });
}

lm_status lin_prepare_2(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    const lm_p_scaled& p = sdk::scaled_parameters(call);
    check_views(call, 1 + p.n, 1 + p.n);
    const auto E = call.rows<Complex>(0);
    check_output(call, 0);
    Rows<Complex> D[LM_MAX_TERMS];
    for (std::uint32_t r = 0; r < p.n; ++r) {
      D[r] = call.rows<Complex>(1 + r, E.samples);
      check_shape(call, 1 + r, 0);
    }
    for_rows(call, 0, [&](const RowIndex& at, unsigned) {
      const double* row[LM_MAX_TERMS];
      double c[LM_MAX_TERMS];
      for (std::uint32_t r = 0; r < p.n; ++r) {
        row[r] = numbers(D[r](at));
        c[r] = sdk::operator_scale(call, p, at.member, r);
      }
      double* const to = numbers(E(at));
      if (p.n == 1) return device->rows.propagator(to, row[0], c[0], false, size(E.samples));
      device->rows.lincomb(to, row, c, p.n, 2 * size(E.samples));
      device->rows.propagator(to, to, 1.0, false, size(E.samples));
    });
  });
}

lm_status rhs_columns(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    const Rhs rhs(device, call);
    const lm_view& shape = call.raw().views[1];
    const std::int64_t nodes = shape.extent[LM_AXIS_OUTER] * shape.extent[LM_AXIS_INNER];
    const std::int64_t together = rhs.columns.together();
    call.for_each_member([&](const RowIndex& at) {
      split(static_cast<std::uint32_t>((nodes + together - 1) / together), call.raw().exec->worker,
            [&](std::uint32_t part, unsigned by) {
              rhs(at, part * together, std::min(together, nodes - part * together), by);
            });
    });
  });
}

}  // namespace lumarch::cpu
