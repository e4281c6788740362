// SPDX-License-Identifier: Apache-2.0
// What the responses of media in SI do to one sample: a field with one component (double, c128) or with two (real2,
// complex2). Units and formulas: docs/kernels.md, "Routes with transverse nodes, and media in SI". Exponentials and
// carriers come from the caller, who has them in lanes.
#pragma once

#include <lumarch/kernels/elements.hpp>

namespace lumarch::kernels {

struct real2 {
  double x, y;
};
struct complex2 {
  c128 x, y;
};

LM_BODY double plus(double a, double b) { return a + b; }
LM_BODY real2 plus(real2 a, real2 b) { return {a.x + b.x, a.y + b.y}; }
LM_BODY complex2 plus(complex2 a, complex2 b) { return {plus(a.x, b.x), plus(a.y, b.y)}; }
LM_BODY double scaled(double a, double factor) { return a * factor; }
LM_BODY real2 scaled(real2 a, double factor) { return {a.x * factor, a.y * factor}; }
LM_BODY complex2 scaled(complex2 a, double factor) { return {scaled(a.x, factor), scaled(a.y, factor)}; }
LM_BODY double plus_scaled(double sum, double factor, double a) { return fused(factor, a, sum); }
LM_BODY real2 plus_scaled(real2 sum, double factor, real2 a) {
  return {fused(factor, a.x, sum.x), fused(factor, a.y, sum.y)};
}
LM_BODY complex2 plus_scaled(complex2 sum, double factor, complex2 a) {
  return {plus_scaled(sum.x, factor, a.x), plus_scaled(sum.y, factor, a.y)};
}
LM_BODY double real_part(c128 a) { return a.re; }
LM_BODY real2 real_part(complex2 a) { return {a.x.re, a.y.re}; }

// E.E = sum_j E_j^2, and |A|^2 = sum_j |A_j|^2.
LM_BODY double squared(double E) { return E * E; }
LM_BODY double squared(real2 E) { return fused(E.x, E.x, E.y * E.y); }
LM_BODY c128 squared(c128 A) { return times(A, A); }
LM_BODY c128 squared(complex2 A) { return plus(times(A.x, A.x), times(A.y, A.y)); }
LM_BODY double intensity(complex2 A) { return intensity(A.x) + intensity(A.y); }

// ---- Kerr: P of one sample, c = eps0 chi3 with the member's factor in it ----

// c (E.E) E, with all harmonics.
LM_BODY double kerr_real(double E, double c) { return scaled(E, c * squared(E)); }
LM_BODY real2 kerr_real(real2 E, double c) { return scaled(E, c * squared(E)); }

// c, saturated; without saturation c itself, also where the intensity is infinite.
LM_BODY double saturated(double c, double saturation, double intensity_here) {
  return saturation == 0.0 ? c : c / fused(saturation, intensity_here, 1.0);
}

// (c/4) [2 |A|^2 A_i + (A.A) conj(A_i)]; of one component that is (3/4) c |A|^2 A. Of an analytic signal the real part
// is the polarisation.
LM_BODY c128 kerr_envelope(c128 A, double c, double saturation) {
  const double I = intensity(A);
  return scaled(A, 0.75 * saturated(c, saturation, I) * I);
}
LM_BODY complex2 kerr_envelope(complex2 A, double c, double saturation) {
  const double I = intensity(A), quarter = 0.25 * saturated(c, saturation, I);
  const c128 AA = squared(A);
  return scaled(complex2{plus_scaled(times(AA, {A.x.re, -A.x.im}), 2.0 * I, A.x),
                         plus_scaled(times(AA, {A.y.re, -A.y.im}), 2.0 * I, A.y)},
                quarter);
}

// What the third harmonic adds to an envelope's response, with e = exp(-2 i omega0 t): (c/4) [e X3 + conj(e X1) +
// conj(e^2 X3)] of X1 = 2 |A|^2 A_i + (A.A) conj(A_i) and X3 = (A.A) A_i. The two conjugates are what the harmonic does
// to its fundamental; where both lie near their carriers they are at negative frequencies.
LM_BODY c128 conjugate(c128 a) { return {a.re, -a.im}; }
LM_BODY c128 with_harmonic(c128 X1, c128 X3, double c, c128 e) {
  const c128 eX3 = times(e, X3);
  return scaled(plus(eX3, conjugate(times(e, plus(X1, eX3)))), 0.25 * c);
}
LM_BODY c128 third_harmonic(c128 A, double c, c128 e) {
  return with_harmonic(scaled(A, 3.0 * intensity(A)), times(squared(A), A), c, e);
}
LM_BODY complex2 third_harmonic(complex2 A, double c, c128 e) {
  const c128 AA = squared(A);
  const double twice = 2.0 * intensity(A);
  return {with_harmonic(plus_scaled(times(AA, conjugate(A.x)), twice, A.x), times(AA, A.x), c, e),
          with_harmonic(plus_scaled(times(AA, conjugate(A.y)), twice, A.y), times(AA, A.y), c, e)};
}

// ---- second order: each component by itself ----

LM_BODY double chi2_real(double E, double c) { return c * (E * E); }
// (c/2) [e A^2 + 2 conj(e) |A|^2] with e = exp(-i omega0 t).
LM_BODY c128 chi2_envelope(c128 A, double c, c128 e) {
  return scaled(plus_scaled(times(e, times(A, A)), 2.0 * intensity(A), {e.re, -e.im}), 0.5 * c);
}

// ---- convolution: what goes into it ----

// E_i E_j, of complex rows its mean over a cycle, and the trace E.E or |A|^2/2 that belongs to it.
LM_BODY double field_product(double a, double b) { return a * b; }
LM_BODY double field_product(c128 a, c128 b) { return 0.5 * fused(a.re, b.re, a.im * b.im); }
LM_BODY double field_trace(double E) { return squared(E); }
LM_BODY double field_trace(real2 E) { return squared(E); }
LM_BODY double field_trace(c128 A) { return 0.5 * intensity(A); }
LM_BODY double field_trace(complex2 A) { return 0.5 * intensity(A); }
// q_ij = (3/2) E_i E_j - (1/2) delta_ij E.E
LM_BODY double tensor_source(double product, double trace, bool diagonal) {
  return diagonal ? fused(1.5, product, -0.5 * trace) : 1.5 * product;
}

// ---- plasma ----

// ln W at `position` = (|E| - field_min)/field_step of a table of m >= 2 values y with the second differences s of its
// spline: the first value below the table, the last one above it; NaN stays NaN. That the rate is 0 for |E| < field_min
// is the caller's to see to.
LM_BODY double log_rate(const double* y, const double* s, int64_t m, double position) {
  const double x = position > 0.0 ? position : 0.0;
  const bool inside = x < static_cast<double>(m - 1);
  const int64_t k = inside ? static_cast<int64_t>(x) : m - 2;
  const double f = inside ? x - static_cast<double>(k) : 1.0, g = 1.0 - f;
  const double line = fused(g, y[k], f * y[k + 1]);
  const double bend = fused(fused(g * g, g, -g), s[k], fused(f * f, f, -f) * s[k + 1]);
  return position == position ? fused(1.0 / 6.0, bend, line) : position;
}

// What a sample leaves to the next one; V is a double or a real2.
template <class V>
struct PlasmaState {
  double rate, exponent;  // W, R
  V drive, drift;         // g = f acceleration E, and its integral V
};

// R at this sample from the last one's state: the caller forms lost = 1 - exp(-R) from it, as -expm1(-R).
LM_BODY double plasma_exponent(double R, double last_rate, double rate, double dt) {
  return fused(0.5 * dt, last_rate + rate, R);
}

// The share that is ionised: fraction + (1 - fraction) lost.
LM_BODY double plasma_share(double fraction, double lost) { return fused(1.0 - fraction, lost, fraction); }

// One sample: E, its rate W, and the integral of the rate R with its lost = 1 - exp(-R). `first`: the first sample of a
// row, where R and the drift are 0. The current per ion, J/density = V + I_p W (1 - f) E/(E.E); its last term is 0
// where E.E is 0.
template <class V>
LM_BODY V plasma_step(PlasmaState<V>& state, V E, double rate, double R, double lost, bool first, double fraction,
                      double acceleration, double ionisation_energy, double dt) {
  const double share = plasma_share(fraction, lost), EE = squared(E);
  const V drive = scaled(E, share * acceleration);
  const V drift = first ? scaled(E, 0.0) : plus_scaled(state.drift, 0.5 * dt, plus(state.drive, drive));
  const double loss = EE == 0.0 ? 0.0 : ionisation_energy * rate * ((1.0 - fraction) * (1.0 - lost)) / EE;
  state = {rate, R, drive, drift};
  return plus_scaled(drift, loss, E);
}

}  // namespace lumarch::kernels
