// SPDX-License-Identifier: Apache-2.0
// response.kerr 2 and response.chi2: against what a real field does.
#include "support.hpp"

using namespace routes;

namespace {

lm_p_kerr kerr(double c, std::uint32_t flags = 0, double saturation = 0, std::uint32_t scale = 0) {
  return {sizeof(lm_p_kerr), flags, scale, 0, c, saturation, 2.5, -3.0, 0.03125};
}
Long time_of(std::int64_t s) { return -3.0L + 0.03125L * static_cast<Long>(s); }
LongComplex carrier(Long harmonics, std::int64_t s) { return std::polar(1.0L, -harmonics * 2.5L * time_of(s)); }

}  // namespace

TEST_CASE("Kerr of a monochromatic wave: three quarters at the fundamental, a quarter at the third harmonic") {
  const std::int64_t n = 48;  // one period
  Field<double> E(n), P(n);
  const Long turn = 2 * pi / n, a = 1.75L;
  E.set([&](auto, auto, auto, std::int64_t s) {
    return static_cast<double>(a * std::cos(turn * static_cast<Long>(s) + 0.3L));
  });
  E.upload();
  const lm_p_kerr p = kerr(0.5);
  call("response.kerr 2", {E.view(), P.view()}, &p);
  P.download();
  Off off;
  for (std::int64_t s = 0; s < n; ++s) {
    const Long phase = turn * static_cast<Long>(s) + 0.3L;
    off.add(P.at(0, 0, 0, 0, s), 0.5L * a * a * a * (0.75L * std::cos(phase) + 0.25L * std::cos(3 * phase)));
  }
  CHECK(off() < 1e-15);
}

TEST_CASE("an envelope with its third harmonic does what its real field does, each component in the field of both") {
  for (const std::int64_t components : {1, 2})
    for (const std::uint32_t scale : {0u, 2u})
      for (const bool add : {false, true}) {
        const std::int64_t n = 67;
        const Nodes nodes{components, 2, 2};
        const std::uint32_t accumulate = add ? std::uint32_t{LM_RESPONSE_ACCUMULATE} : 0;
        Field<Complex> A(n, nodes), P(n, nodes);
        Field<double> E(n, nodes), real(n, nodes);
        A.random(1).upload();
        P.random(2).upload();
        real.random(3).upload();
        const auto before = P;
        const auto real_before = real;
        const auto field = [&](std::uint32_t m, std::int64_t c, std::int64_t y, std::int64_t x, std::int64_t s) {
          return (LongComplex(A.at(m, c, y, x, s)) * carrier(1, s)).real();
        };
        for (std::uint32_t m = 0; m < 2; ++m)
          for (std::int64_t c = 0; c < components; ++c)
            for (std::int64_t s = 0; s < n; ++s) E.at(m, c, 1, 0, s) = static_cast<double>(field(m, c, 1, 0, s));
        E.upload();
        lm_p_kerr p = kerr(0.8, accumulate | std::uint32_t{LM_RESPONSE_THIRD_HARMONIC}, 0, scale);
        call("response.kerr 2", {A.view(), P.view()}, &p);
        P.download();
        p = kerr(0.8, accumulate, 0, scale);
        call("response.kerr 2", {E.view(), real.view()}, &p);
        real.download();
        Off off, real_off;
        for (std::uint32_t m = 0; m < 2; ++m)
          for (std::int64_t c = 0; c < components; ++c)
            for (std::int64_t s = 0; s < n; ++s) {
              Long EE = 0;
              for (std::int64_t j = 0; j < components; ++j) EE += field(m, j, 1, 0, s) * field(m, j, 1, 0, s);
              const Long right = 0.8L * (scale ? scale_of(m, 1) : 1.0L) * EE * field(m, c, 1, 0, s);
              LongComplex got(P.at(m, c, 1, 0, s));
              if (add) got -= LongComplex(before.at(m, c, 1, 0, s));
              // a response at all frequencies, twice: what lies at negative ones is cropped
              off.add((got * carrier(1, s)).real(), 2 * right);
              off.add((got * carrier(1, s)).imag(), 0);
              real_off.add(real.at(m, c, 1, 0, s), right + (add ? real_before.at(m, c, 1, 0, s) : 0.0L));
            }
        CHECK(off() < 2e-15);
        CHECK(real_off() < 2e-15);
      }
}

TEST_CASE("envelopes and analytic signals leave the third harmonic out, and saturate") {
  const std::int64_t n = 21, phases = 12;
  for (const std::int64_t components : {1, 2})
    for (const double saturation : {0.0, 0.7}) {
      Field<Complex> A(n, {components, 1, 1}), P(n, {components, 1, 1});
      Field<double> analytic(n, {components, 1, 1});
      A.random(4).upload();
      const lm_p_kerr p = kerr(0.8, 0, saturation);
      call("response.kerr 2", {A.view(), P.view()}, &p);
      call("response.kerr 2", {A.view(), analytic.view()}, &p);
      P.download();
      analytic.download();
      Off off, real_off;
      for (std::int64_t c = 0; c < components; ++c)
        for (std::int64_t s = 0; s < n; ++s) {
          // The part of c (E.E) E at the fundamental, by a sum over the phases of the carrier.
          LongComplex right = 0;
          Long I = 0;
          for (std::int64_t j = 0; j < components; ++j) I += std::norm(LongComplex(A.at(0, j, 0, 0, s)));
          for (std::int64_t k = 0; k < phases; ++k) {
            const LongComplex e = std::polar(1.0L, -2 * pi * static_cast<Long>(k) / phases);
            Long EE = 0;
            for (std::int64_t j = 0; j < components; ++j)
              EE += std::pow((LongComplex(A.at(0, j, 0, 0, s)) * e).real(), 2.0L);
            right += 2.0L / phases * std::conj(e) * EE * (LongComplex(A.at(0, c, 0, 0, s)) * e).real();
          }
          right *= 0.8L / (1 + static_cast<Long>(saturation) * I);
          off.add(LongComplex(P.at(0, c, 0, 0, s)), right);
          real_off.add(analytic.at(0, c, 0, 0, s), right.real());
        }
      CHECK(off() < 2e-15);
      CHECK(real_off() < 2e-15);
    }
}

TEST_CASE("second order: the square of a real field; of an envelope its second harmonic and twice the rest") {
  const std::int64_t n = 33;
  const Nodes nodes{2, 1, 2};
  Field<double> E(n, nodes), real(n, nodes);
  Field<Complex> A(n, nodes), P(n, nodes);
  E.random(5).upload();
  A.random(6).upload();
  P.random(7).upload();
  const auto before = P;
  lm_p_kerr p = kerr(0.6, 0, 0, 1);
  call("response.chi2", {E.view(), real.view()}, &p);
  p.flags = LM_RESPONSE_ACCUMULATE;
  call("response.chi2", {A.view(), P.view()}, &p);
  real.download();
  P.download();
  Off off, real_off;
  for (std::uint32_t m = 0; m < 2; ++m)
    for (std::int64_t c = 0; c < 2; ++c)
      for (std::int64_t s = 0; s < n; ++s) {
        const Long chi = 0.6L * scale_of(m, 0), e = E.at(m, c, 0, 1, s);
        const LongComplex a(A.at(m, c, 0, 1, s));
        real_off.add(real.at(m, c, 0, 1, s), chi * e * e);
        off.add(LongComplex(P.at(m, c, 0, 1, s)),
                LongComplex(before.at(m, c, 0, 1, s)) +
                    chi / 2 * (a * a * carrier(1, s) + 2 * std::norm(a) * std::conj(carrier(1, s))));
      }
  CHECK(off() < 1e-15);
  CHECK(real_off() < 1e-15);
}
