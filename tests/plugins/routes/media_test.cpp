// SPDX-License-Identifier: Apache-2.0
// response.convolution against direct sums, response.plasma against closed forms.
#include "support.hpp"

using namespace routes;

namespace {

// E_i E_j or its mean over a cycle.
Long product(double a, double b) { return static_cast<Long>(a) * b; }
Long product(Complex a, Complex b) { return (LongComplex(a) * std::conj(LongComplex(b))).real() / 2; }

template <class T, class Out>
void check_convolution(std::int64_t n, std::int64_t N, std::int64_t components, std::uint32_t flags) {
  const Nodes nodes{components, 1, 2};
  Field<T> E(n, nodes);
  Field<Out> P(n, nodes);
  E.random(1).upload();
  P.random(2).upload();
  const auto before = P;
  std::vector<LongComplex> h(static_cast<std::size_t>(N));
  for (std::int64_t j = 0; j < n; ++j)
    h[static_cast<std::size_t>(j)] = std::sin(1.0L + 3.0L * static_cast<Long>(j)) / (1.0L + static_cast<Long>(j));
  const auto spectrum = sums(h, -1);
  Field<Complex> H(N / 2 + 1, {}, true);
  H.set([&](auto, auto, auto, std::int64_t k) {
    return Complex(spectrum[static_cast<std::size_t>(k)] / static_cast<Long>(N));
  });
  H.upload();
  std::uint64_t there_work = 0, back_work = 0;
  lm_plan* const there = device().fft(LM_FFT_R2C, N, LM_FFT_FORWARD, false, true, &there_work);
  lm_plan* const back = device().fft(LM_FFT_C2R, N, LM_FFT_BACKWARD, false, true, &back_work);
  const auto bytes = static_cast<std::uint64_t>(N);
  const lm_p_convolution p = {sizeof p, flags, 1, 0, 0.9};
  call("response.convolution", {E.view(), P.view(), H.view()}, &p, {there, back},
       std::max(there_work, back_work) + round_up(8 * bytes) + 2 * round_up(16 * (bytes / 2 + 1)));
  P.download();
  Off off;
  for (std::uint32_t m = 0; m < 2; ++m)
    for (std::int64_t i = 0; i < components; ++i)
      for (std::int64_t s = 0; s < n; ++s) {
        LongComplex right = 0;
        for (std::int64_t j = 0; j < components; ++j) {
          if (!(flags & LM_RESPONSE_TENSOR) && j != i) continue;
          Long R = 0;
          for (std::int64_t d = 0; d <= s; ++d) {
            Long trace = 0;
            for (std::int64_t k = 0; k < components; ++k)
              trace += product(E.at(m, k, 0, 1, s - d), E.at(m, k, 0, 1, s - d));
            const Long q =
                !(flags & LM_RESPONSE_TENSOR)
                    ? trace
                    : 1.5L * product(E.at(m, i, 0, 1, s - d), E.at(m, j, 0, 1, s - d)) - (i == j ? trace / 2 : 0.0L);
            R += h[static_cast<std::size_t>(d)].real() * q;
          }
          right += R * LongComplex(E.at(m, j, 0, 1, s));
        }
        right *= 0.9L * scale_of(m, 0);
        if (std::is_same_v<Out, double>) right = right.real();
        if (flags & LM_RESPONSE_ACCUMULATE) right += LongComplex(before.at(m, i, 0, 1, s));
        off.add(LongComplex(P.at(m, i, 0, 1, s)), right);
      }
  CHECK(off() < 4e-15);
}

// ln W = 3 + 0.001 x^3 at x = (|E| - 0.5)/0.25: a cubic, which the spline of its values is.
constexpr Long field_min = 0.5L, field_step = 0.25L;
constexpr std::int64_t values = 24;
Field<double> cubic_table() {
  Field<double> table(values, {1, 1, 2}, true);
  table.set([](auto, auto, std::int64_t row, std::int64_t k) {
    const auto x = static_cast<double>(k);
    return row == 0 ? 3.0 + 0.001 * x * x * x : 0.006 * x;
  });
  table.upload();
  return table;
}
Long cubic_rate(Long field) {
  if (field < field_min) return 0;
  const Long x = std::min((field - field_min) / field_step, static_cast<Long>(values - 1));
  return std::exp(3.0L + 0.001L * x * x * x);
}

lm_p_plasma plasma(double dt, std::uint32_t flags = 0, std::uint32_t scale = 0) {
  return {sizeof(lm_p_plasma),
          flags,
          scale,
          0,
          2.0,
          1.5,
          0.25,
          0.125,
          dt,
          static_cast<double>(field_min),
          static_cast<double>(field_step)};
}

}  // namespace

TEST_CASE("response.convolution equals a direct sum over the past, alone and as a tensor") {
  for (const auto& [n, N] :
       {std::pair<std::int64_t, std::int64_t>{1, 2}, {2, 4}, {7, 14}, {16, 32}, {20, 45}, {33, 67}})
    for (const std::int64_t components : {1, 2})
      for (const std::uint32_t flags : {0, 1, 4, 5}) {
        CAPTURE(n);
        CAPTURE(components);
        CAPTURE(flags);
        check_convolution<double, double>(n, N, components, flags);
        check_convolution<Complex, Complex>(n, N, components, flags);
        check_convolution<Complex, double>(n, N, components, flags);
      }
}

TEST_CASE("the rate is the table's spline, nothing below it, and its last value above") {
  const std::int64_t n = 1, nodes = 200;
  for (const std::int64_t components : {1, 2}) {
    Field<double> E(n, {components, 1, nodes}), J(n, {components, 1, nodes});
    const Field<double> table = cubic_table();
    // 0, fields below the table, in it and above it; of two components the second is -3/4 of the first.
    E.set([](std::int64_t c, auto, std::int64_t x, auto) { return 0.04 * static_cast<double>(x) * (c ? -0.75 : 1.0); });
    E.upload();
    const lm_p_plasma p = plasma(0.1, 0, 1);
    call("response.plasma", {E.view(), J.view(), table.view()}, &p);
    J.download();
    Off off;
    for (std::int64_t c = 0; c < components; ++c)
      for (std::int64_t x = 0; x < nodes; ++x) {
        const Long first = E.at(0, 0, 0, x, 0),
                   size = components == 2
                              ? std::sqrt(first * first + static_cast<Long>(E.at(0, 1, 0, x, 0)) * E.at(0, 1, 0, x, 0))
                              : first;
        const Long right = x == 0 ? 0
                                  : 2.0L * scale_of(0, 0) * 0.25L * cubic_rate(size) * (1 - 0.125L) *
                                        E.at(0, c, 0, x, 0) / (size * size);
        off.add(J.at(0, c, 0, x, 0), right);
        if (x == 0) CHECK(J.at(0, c, 0, x, 0) == 0);
      }
    CHECK(off() < 5e-15);
  }
}

TEST_CASE("the current of a constant field: the trapezoidal sums, and their limit") {
  const Long field = 1.75L, W = cubic_rate(field) / 50;  // 50: slower, so that the sums are near their limit
  const std::int64_t n = 4001;
  const Long T = 3 / W, dt = T / (n - 1);
  Field<double> E(n), J(n), table(2, {1, 1, 2}, true);
  E.set([&](auto...) { return static_cast<double>(field); }).upload();
  table.set([&](auto, auto, std::int64_t row, auto) { return row == 0 ? static_cast<double>(std::log(W)) : 0.0; })
      .upload();
  lm_p_plasma p = plasma(static_cast<double>(dt));
  p.field_min = 0;
  p.fraction = 0;
  call("response.plasma", {E.view(), J.view(), table.view()}, &p);
  J.download();
  // f = 1 - exp(-W t): V is the integral of a E f.
  Off off, sums_off;
  Long sum = 0, last = 0;
  for (std::int64_t s = 0; s < n; ++s) {
    const Long t = dt * static_cast<Long>(s), left = std::exp(-W * t);
    const Long loss = 0.25L * W * left / field;
    off.add(J.at(1, 0, 0, 0, s), 2.0L * (1.5L * field * (t - (1 - left) / W) + loss));
    const Long g = 1.5L * field * (1 - left);
    if (s > 0) sum += dt * (last + g) / 2;
    last = g;
    sums_off.add(J.at(1, 0, 0, 0, s), 2.0L * (sum + loss));
  }
  CHECK(off() < 1e-7);        // (W dt)^2 / 12 = 5e-8
  CHECK(sums_off() < 2e-13);  // what 4000 sums of rounded numbers are good to
}

TEST_CASE("the current of a pulse of two components, of real rows and of the real part of complex ones") {
  const std::int64_t n = 150;
  for (const bool complex : {false, true})
    for (const bool add : {false, true}) {
      const Nodes nodes{2, 1, 2};
      Field<double> E(n, nodes), J(n, nodes);
      Field<Complex> A(n, nodes);
      const Field<double> table = cubic_table();
      E.set([](std::int64_t c, auto, std::int64_t x, std::int64_t s) {
         const double t = (static_cast<double>(s) - 75) / 25;
         return (c ? 0.8 : 2.2) * (x ? 0.5 : 1.0) * std::exp(-t * t) * std::cos(9 * t + static_cast<double>(c));
       }).upload();
      A.set([&](std::int64_t c, auto, std::int64_t x, std::int64_t s) {
         return Complex(E.at(0, c, 0, x, s), 0.3);
       }).upload();
      J.random(8).upload();
      const auto before = J;
      const lm_p_plasma p = plasma(0.002, add ? std::uint32_t{LM_RESPONSE_ACCUMULATE} : 0, 2);
      call("response.plasma", {complex ? A.view() : E.view(), J.view(), table.view()}, &p);
      J.download();
      Off off;
      for (std::uint32_t m = 0; m < 2; ++m)
        for (std::int64_t x = 0; x < 2; ++x) {
          Long R = 0, W_last = 0, V[2] = {}, last[2] = {};
          for (std::int64_t s = 0; s < n; ++s) {
            const Long e[2] = {E.at(0, 0, 0, x, s), E.at(0, 1, 0, x, s)}, EE = e[0] * e[0] + e[1] * e[1];
            const Long W = cubic_rate(std::sqrt(EE));
            if (s) R += 0.002L * (W + W_last) / 2;
            W_last = W;
            const Long f = 1 - (1 - 0.125L) * std::exp(-R);
            for (int c = 0; c < 2; ++c) {
              const Long g = f * 1.5L * e[c];
              if (s) V[c] += 0.002L * (g + last[c]) / 2;
              last[c] = g;
              off.add(J.at(m, c, 0, x, s), 2.0L * scale_of(m, 1) * (V[c] + 0.25L * W * (1 - f) * e[c] / EE) +
                                               (add ? static_cast<Long>(before.at(m, c, 0, x, s)) : 0.0L));
            }
          }
        }
      CHECK(off() < 2e-14);
    }
}
