// SPDX-License-Identifier: Apache-2.0
// The responses of media in SI: Kerr's and second order, convolutions, plasma.
#include <lumarch/sdk/routes.hpp>

#include <string>

#include "device.hpp"
#include "kernels.hpp"
#include "parallel.hpp"
#include "rows/media.hpp"

namespace lumarch::cpu {

using sdk::Call;
using sdk::Complex;
using sdk::Fault;
using sdk::FieldKind;
using sdk::RowIndex;
using sdk::Rows;

namespace {

Field field_of(FieldKind kind) {
  return kind == FieldKind::envelope ? Field::envelope : kind == FieldKind::real ? Field::real : Field::analytic;
}

// Rows of either kind, as doubles.
class AnyRows {
public:
  AnyRows() = default;
  AnyRows(const Call& call, std::uint32_t view, std::int64_t samples = -1)
      : complex_(call.raw().views[view].dtype == LM_C128) {
    if (complex_)
      of_complex_ = call.rows<Complex>(view, samples);
    else
      of_real_ = call.rows<double>(view, samples);
  }
  [[nodiscard]] double* operator()(const RowIndex& at) const {
    return complex_ ? numbers(of_complex_(at)) : of_real_(at);
  }
  [[nodiscard]] std::int64_t samples() const { return complex_ ? of_complex_.samples : of_real_.samples; }

private:
  bool complex_ = false;
  Rows<Complex> of_complex_;
  Rows<double> of_real_;
};

// The field and what it answers with, of all components of a node at a time.
struct Nodes {
  explicit Nodes(const Call& of) : call(of), E(of, 0), P(of, 1, E.samples()) {
    check_output(of, 1);
    sdk::check_same(of, 0, 1);
    components = static_cast<unsigned>(of.raw().views[1].extent[LM_AXIS_COMPONENT]);
    if (components < 1 || components > most_components)
      throw Fault(LM_E_UNSUPPORTED, "a field of " + std::to_string(components) + " components; 1 and 2 are possible");
    samples = static_cast<std::size_t>(E.samples());
  }
  // body(RowIndex, rows of P, rows of E, worker)
  template <class Body>
  void each(const Body& body) const {
    const lm_view& shape = call.raw().views[1];
    const std::int64_t inner = shape.extent[LM_AXIS_INNER], nodes = shape.extent[LM_AXIS_OUTER] * inner;
    const auto count = static_cast<std::int64_t>(samples);
    const bool few = nodes * count < split_from;
    const std::int64_t block =
        few ? nodes : std::max<std::int64_t>(1, samples_a_part / std::max<std::int64_t>(1, count));
    if (nodes == 0) return;
    call.for_each_member([&](const RowIndex& member) {
      split(static_cast<std::uint32_t>((nodes + block - 1) / block), call.raw().exec->worker,
            [&](std::uint32_t part, unsigned worker) {
              RowIndex at = member;
              for (std::int64_t i = part * block; i < nodes && i < (part + 1) * block; ++i) {
                at.outer = i / inner;
                at.inner = i % inner;
                double *p[most_components] = {}, *e[most_components] = {};
                for (at.component = 0; at.component < components; ++at.component) {
                  p[at.component] = P(at);
                  e[at.component] = E(at);
                }
                at.component = 0;
                body(static_cast<const RowIndex&>(at), p, e, worker);
              }
            });
    });
  }

  const Call& call;
  AnyRows E, P;
  unsigned components = 1;
  std::size_t samples = 0;
};

KerrRow row_of(const Nodes& nodes, const lm_p_kerr& p, FieldKind kind) {
  return {field_of(kind),
          nodes.components,
          (p.flags & LM_RESPONSE_ACCUMULATE) != 0,
          (p.flags & LM_RESPONSE_THIRD_HARMONIC) != 0,
          p.c,
          p.saturation,
          p.omega0,
          p.t0,
          p.dt};
}

}  // namespace

lm_status response_kerr_2(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    check_views(call, 2, 2);
    const FieldKind kind = sdk::field_kind(call);
    const lm_p_kerr& p = sdk::kerr_parameters(call, kind);
    const Nodes nodes(call);
    nodes.each([&](const RowIndex& at, double* const* P, double* const* E, unsigned) {
      KerrRow k = row_of(nodes, p, kind);
      k.c *= call.scale_of(at.member, p.scale);
      device->rows.media->kerr(P, E, k, nodes.samples);
    });
  });
}

lm_status response_chi2(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    check_views(call, 2, 2);
    const FieldKind kind = sdk::field_kind(call);
    const lm_p_kerr& p = sdk::chi2_parameters(call, kind);
    const Nodes nodes(call);
    nodes.each([&](const RowIndex& at, double* const* P, double* const* E, unsigned) {
      KerrRow k = row_of(nodes, p, kind);
      k.c *= call.scale_of(at.member, p.scale);
      for (unsigned c = 0; c < nodes.components; ++c) device->rows.media->chi2(P[c], E[c], k, nodes.samples);
    });
  });
}

lm_status response_convolution(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    check_views(call, 3, 3);
    const FieldKind kind = sdk::field_kind(call);
    const lm_p_convolution& p = sdk::convolution_parameters(call);
    const Nodes nodes(call);
    const Fft &there = fft_of(call, 0), &back = fft_of(call, 1);
    const std::int64_t N = there.desc().n, half = N / 2 + 1;
    if (!there.is(LM_FFT_R2C, LM_FFT_FORWARD, false, N) || !back.is(LM_FFT_C2R, LM_FFT_BACKWARD, false, N) ||
        N < 2 * nodes.E.samples())
      throw Fault(LM_E_ARG, "the plans are not r2c and c2r, out of place, of twice the length of a row or more");
    const auto H = call.rows<Complex>(2, half);
    sdk::check_one_row(call, 2);
    const std::uint64_t real_row = round_up(8 * static_cast<std::uint64_t>(N));
    std::byte* const mine = call.work(real_row + 2 * round_up(16 * static_cast<std::uint64_t>(half)));
    const std::int64_t pitch = call.raw().work->pitch[LM_AXIS_MEMBER];
    const std::size_t n = nodes.samples;
    const Field field = field_of(kind);
    const bool complex = field != Field::real, add = p.flags & LM_RESPONSE_ACCUMULATE;
    const MediaRows& rows = *device->rows.media;
    nodes.each([&](const RowIndex& at, double* const* P, double* const* E, unsigned worker) {
      std::byte* const work =
          mine + (static_cast<std::int64_t>(worker) - static_cast<std::int64_t>(call.raw().exec->worker)) * pitch;
      auto* const q = reinterpret_cast<double*>(work);
      auto* const spectrum = reinterpret_cast<double*>(work + real_row);
      const double c = p.c * call.scale_of(at.member, p.scale);
      const auto convolve = [&] {
        std::fill_n(q + n, static_cast<std::size_t>(N) - n, 0.0);
        there.run(q, spectrum, worker);
        device->rows.multiply(spectrum, spectrum, numbers(H(at)), static_cast<std::size_t>(half));
        back.run(spectrum, q, worker);
      };
      if (!(p.flags & LM_RESPONSE_TENSOR)) {
        rows.trace(q, E, complex, nodes.components, n);
        convolve();
        for (unsigned i = 0; i < nodes.components; ++i) rows.respond(P[i], E[i], q, field, c, add, n);
        return;
      }
      // q is symmetric: each serves both of its components, whose sums still go from the lowest j up.
      for (unsigned i = 0; i < nodes.components; ++i)
        for (unsigned j = i; j < nodes.components; ++j) {
          rows.tensor(q, E, complex, nodes.components, i, j, n);
          convolve();
          rows.respond(P[i], E[j], q, field, c, add || j > 0, n);
          if (i != j) rows.respond(P[j], E[i], q, field, c, add || i > 0, n);
        }
    });
  });
}

lm_status response_plasma(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    check_views(call, 3, 3);
    const lm_p_plasma& p = sdk::plasma_parameters(call);
    const std::int64_t m = sdk::check_rate_table(call, 2);
    const auto table = call.rows<double>(2, m);
    if (call.raw().views[1].dtype != LM_F64) throw Fault(LM_E_ARG, "view 1 has another element type");
    const Nodes nodes(call);
    nodes.each([&](const RowIndex& at, double* const* J, double* const* E, unsigned) {
      RowIndex row = at;
      row.component = row.outer = row.inner = 0;
      const double* const values = table(row);
      row.inner = 1;
      const PlasmaRow plasma = {call.raw().views[0].dtype == LM_C128,
                                nodes.components,
                                (p.flags & LM_RESPONSE_ACCUMULATE) != 0,
                                p.density * call.scale_of(at.member, p.scale),
                                p.acceleration,
                                p.ionisation_energy,
                                p.fraction,
                                p.dt,
                                values,
                                table(row),
                                m,
                                p.field_min,
                                p.field_step};
      device->rows.media->plasma(J, E, plasma, nodes.samples);
    });
  });
}

}  // namespace lumarch::cpu
