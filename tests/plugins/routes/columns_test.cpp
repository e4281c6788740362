// SPDX-License-Identifier: Apache-2.0
// fft.pad, fft.crop, lin.prepare 2, and rhs.columns with Kerr's response by plain sums.
#include "support.hpp"

using namespace routes;

namespace {

// The signed frequency index of sample k of n in FFT order.
std::int64_t signed_index(std::int64_t k, std::int64_t n) { return 2 * k < n ? k : k - n; }

// Where signed index `f` lies in a row of N.
std::int64_t in_row(std::int64_t f, std::int64_t N) { return f < 0 ? N + f : f; }

lm_p_band band(std::uint32_t kind, std::uint32_t scale = 0, std::uint32_t flags = 0) {
  return {sizeof(lm_p_band), flags, kind, scale};
}

}  // namespace

TEST_CASE("fft.pad puts each frequency at its place, and fft.crop brings it back") {
  for (const std::uint32_t kind : {LM_BAND_ENVELOPE, LM_BAND_HALF, LM_BAND_ANALYTIC})
    for (const std::int64_t n : {1, 2, 3, 4, 7, 8, 65})
      for (const std::int64_t more : {0, 1, 2, 5, 64}) {
        CAPTURE(kind);
        CAPTURE(n);
        CAPTURE(more);
        const std::int64_t N = n + more;
        const Nodes nodes{2, 2, 3};
        Field<Complex> in(n, nodes), longer(N, nodes), back(n, nodes), ones(n, {1, 1, 1}, true);
        Field<double> weight(n, {1, 1, 3}, true);
        in.random(1).upload();
        weight.random(2).upload();
        longer.random(3).upload();
        ones.set([](auto...) { return Complex(1, 0); }).upload();
        for (const bool weighted : {true, false}) {
          const lm_p_band p = band(kind, weighted ? 2 : 0);
          call("fft.pad", {longer.view(), in.view(), weighted ? weight.view() : lm_view{}}, &p);
          longer.download();
          Off off;
          for (std::uint32_t m = 0; m < 2; ++m)
            for (std::int64_t x = 0; x < 3; ++x) {
              std::vector<LongComplex> right(static_cast<std::size_t>(N));
              for (std::int64_t k = 0; k < n; ++k) {
                LongComplex value = LongComplex(in.at(m, 1, 1, x, k));
                if (weighted) value *= scale_of(m, 1) * static_cast<Long>(weight.at(0, 0, 0, x, k));
                if (kind == LM_BAND_HALF) value = std::conj(value);
                if (kind == LM_BAND_ANALYTIC && k > 0) value *= 2.0L;
                const std::int64_t at = kind == LM_BAND_ENVELOPE ? in_row(signed_index(k, n), N) : k;
                right[static_cast<std::size_t>(at)] = value;
              }
              for (std::int64_t k = 0; k < N; ++k)
                off.add(LongComplex(longer.at(m, 1, 1, x, k)), right[static_cast<std::size_t>(k)]);
            }
          CHECK(off() < 4e-16);
        }
        if (kind == LM_BAND_ANALYTIC) continue;
        const lm_p_band p = band(kind);
        call("fft.crop", {back.view(), longer.view(), ones.view()}, &p);
        back.download();
        for (std::int64_t k = 0; k < n; ++k) CHECK(back.at(1, 1, 1, 2, k) == in.at(1, 1, 1, 2, k));
      }
}

TEST_CASE("fft.crop weights, scales, conjugates and accumulates") {
  const std::int64_t n = 9, N = 20;
  const Nodes nodes{2, 1, 2};
  for (const std::uint32_t kind : {LM_BAND_ENVELOPE, LM_BAND_HALF})
    for (const bool add : {false, true}) {
      Field<Complex> in(N, nodes), out(n, nodes), weight(n, {2, 1, 1}, true);
      in.random(4).upload();
      out.random(5).upload();
      weight.random(6).upload();
      const Field<Complex> before = out;
      const lm_p_band p = band(kind, 1, add ? std::uint32_t{LM_CROP_ACCUMULATE} : 0);
      call("fft.crop", {out.view(), in.view(), weight.view()}, &p);
      out.download();
      Off off;
      for (std::uint32_t m = 0; m < 2; ++m)
        for (std::int64_t c = 0; c < 2; ++c)
          for (std::int64_t k = 0; k < n; ++k) {
            const std::int64_t at = kind == LM_BAND_ENVELOPE ? in_row(signed_index(k, n), N) : k;
            LongComplex value(in.at(m, c, 0, 1, at));
            if (kind == LM_BAND_HALF) value = std::conj(value);
            value *= scale_of(m, 0) * LongComplex(weight.at(0, c, 0, 0, k));
            if (add) value += LongComplex(before.at(m, c, 0, 1, k));
            off.add(LongComplex(out.at(m, c, 0, 1, k)), value);
          }
      CHECK(off() < 1e-15);
    }
}

TEST_CASE("lin.prepare 2 is the exponential of operators times a member's factors") {
  const std::int64_t n = 41;
  const Nodes nodes{1, 2, 3};
  for (const std::uint32_t operators : {1u, 3u})
    for (const std::uint32_t scale : {0u, 1u, 2u}) {
      Field<Complex> E(n, nodes);
      std::vector<Field<Complex>> D;
      std::vector<lm_view> views = {E.view()};
      for (std::uint32_t r = 0; r < operators; ++r) {
        D.emplace_back(n, r == 1 ? Nodes{} : nodes, r == 1);
        D.back().random(7 + r).upload();
        views.push_back(D.back().view());
      }
      const lm_p_scaled p = {sizeof p, operators, scale, 0};
      call("lin.prepare 2", views, &p);
      E.download();
      Off off;
      for (std::uint32_t m = 0; m < 2; ++m)
        for (std::int64_t x = 0; x < 3; ++x)
          for (std::int64_t s = 0; s < n; ++s) {
            LongComplex exponent = 0;
            for (std::uint32_t r = 0; r < operators; ++r)
              exponent += (scale ? scale_of(m, static_cast<int>(scale - 1 + r)) : 1.0L) *
                          LongComplex(r == 1 ? D[r].at(0, 0, 0, 0, s) : D[r].at(m, 0, 1, x, s));
            off.add(LongComplex(E.at(m, 0, 1, x, s)), std::exp(exponent));
          }
      CHECK(off() < 1e-15);
    }
}

TEST_CASE("rhs.columns with Kerr's response equals plain sums") {
  const std::int64_t N = 24;
  for (const std::uint32_t kind : {LM_BAND_ENVELOPE, LM_BAND_HALF, LM_BAND_ANALYTIC})
    for (const std::int64_t components : {1, 2})
      for (const std::uint32_t together : {1u, 2u, 5u})
        for (const bool pre_and_window : {true, false}) {
          CAPTURE(kind);
          CAPTURE(components);
          CAPTURE(together);
          const std::int64_t n = kind != LM_BAND_ENVELOPE ? 9 : pre_and_window ? 16 : N;  // N: the band fills its row
          const Nodes nodes{components, 1, 3};
          Field<Complex> u(n, nodes), own(n, nodes), post(n, {1, 1, 1}, true);
          Field<double> pre(n, {1, 1, 3}, true), window(N, {}, true);
          u.random(11).upload();
          post.random(12).upload();
          pre.random(13).upload();
          window.random(14).upload();
          const lm_p_kerr kerr = {sizeof kerr, 0, 3, 0, 0.7, 0, 0, 0, 0};
          const lm_response response = {
              plugin().kernel("response.kerr 2"), &kerr, nullptr, nullptr, sizeof kerr, 0, 0, {LM_POLARISATION}, 0};
          const lm_p_columns p = {sizeof p, 1, &response, N, kind, together, 1, 2};
          const bool half = kind == LM_BAND_HALF, envelope = kind == LM_BAND_ENVELOPE;
          std::uint64_t work[2] = {};
          lm_plan* const to_time = device().fft(half ? LM_FFT_C2R : LM_FFT_C2C, N,
                                                half ? LM_FFT_BACKWARD : LM_FFT_FORWARD, false, true, &work[0]);
          lm_plan* const to_frequency =
              device().fft(envelope ? LM_FFT_C2C : LM_FFT_R2C, N, envelope ? LM_FFT_BACKWARD : LM_FFT_FORWARD, false,
                           true, &work[1]);
          const std::uint64_t rows = 3 * together * static_cast<std::uint64_t>(components) * round_up(16 * N);
          const Field<Complex> before = u;
          Field<Complex>& out = together == 5 ? u : own;  // in place, too
          call("rhs.columns",
               {u.view(), out.view(), pre_and_window ? pre.view() : lm_view{},
                pre_and_window ? window.view() : lm_view{}, post.view()},
               &p, {to_time, to_frequency}, rows + std::max(work[0], work[1]));
          out.download();
          Off off;
          for (std::uint32_t m = 0; m < 2; ++m)
            for (std::int64_t x = 0; x < 3; ++x) {
              std::vector<std::vector<LongComplex>> A, P;
              for (std::int64_t c = 0; c < components; ++c) {
                std::vector<LongComplex> row(static_cast<std::size_t>(N));
                for (std::int64_t k = 0; k < n; ++k) {
                  const Long factor =
                      scale_of(m, 0) * (pre_and_window ? static_cast<Long>(pre.at(0, 0, 0, x, k)) : 1.0L);
                  const std::int64_t at = envelope ? in_row(signed_index(k, n), N) : k;
                  // A real field is E_0 + 2 Re of the sum over k > 0.
                  row[static_cast<std::size_t>(at)] =
                      factor * LongComplex(before.at(m, c, 0, x, k)) * (envelope || k == 0 ? 1.0L : 2.0L);
                }
                A.push_back(sums(row, -1));
                if (half)
                  for (LongComplex& a : A.back()) a = a.real();
              }
              for (std::int64_t c = 0; c < components; ++c) {
                std::vector<LongComplex> row(static_cast<std::size_t>(N));
                for (std::size_t s = 0; s < row.size(); ++s) {
                  LongComplex AA = 0;
                  Long I = 0;
                  for (const auto& a : A) {
                    AA += a[s] * a[s];
                    I += std::norm(a[s]);
                  }
                  const LongComplex a = A[static_cast<std::size_t>(c)][s];
                  const LongComplex value = half ? AA * a : (2 * I * a + AA * std::conj(a)) / 4.0L;
                  row[s] =
                      0.7L * scale_of(m, 2) * (envelope ? value : LongComplex(value.real())) *
                      (pre_and_window ? static_cast<Long>(window.at(0, 0, 0, 0, static_cast<std::int64_t>(s))) : 1.0L);
                }
                const auto spectrum = sums(row, 1);
                for (std::int64_t k = 0; k < n; ++k) {
                  const std::int64_t at = envelope ? in_row(signed_index(k, n), N) : k;
                  off.add(LongComplex(out.at(m, c, 0, x, k)), scale_of(m, 1) * LongComplex(post.at(0, 0, 0, 0, k)) *
                                                                  spectrum[static_cast<std::size_t>(at)]);
                }
              }
            }
          CHECK(off() < 3e-15);
        }
}
