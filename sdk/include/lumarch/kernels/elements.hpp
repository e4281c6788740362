// SPDX-License-Identifier: Apache-2.0
// What kernels do to one sample: the arithmetic that all backends share. Units and formulas: docs/kernels.md; the
// responses are those of physics.md, 16 (GNLSE), with the field A in sqrt(W).
#pragma once

#include <lumarch/kernels/portable.hpp>

namespace lumarch::kernels {

struct alignas(16) c128 {
  double re, im;
};

LM_BODY c128 load(const double* row, size_t i) { return {row[2 * i], row[2 * i + 1]}; }
LM_BODY void store(double* row, size_t i, c128 a) {
  row[2 * i] = a.re;
  row[2 * i + 1] = a.im;
}

LM_BODY c128 plus(c128 a, c128 b) { return {a.re + b.re, a.im + b.im}; }
LM_BODY c128 scaled(c128 a, double factor) { return {a.re * factor, a.im * factor}; }
LM_BODY c128 plus_scaled(c128 sum, double factor, c128 a) {
  return {fused(factor, a.re, sum.re), fused(factor, a.im, sum.im)};
}
LM_BODY c128 times(c128 a, c128 b) { return {fused(a.re, b.re, -(a.im * b.im)), fused(a.re, b.im, a.im * b.re)}; }
LM_BODY double intensity(c128 a) { return fused(a.re, a.re, a.im * a.im); }

// x / E, formed as x conj(E) / |E|^2.
LM_BODY c128 divided(c128 x, c128 E) {
  const double norm = intensity(E);
  const c128 product = times(x, {E.re, -E.im});
  return {product.re / norm, product.im / norm};
}

// factor A, put into P or added to it.
LM_BODY c128 response(c128 P, c128 A, double factor, bool accumulate) {
  return accumulate ? plus_scaled(P, factor, A) : scaled(A, factor);
}
// The factors of the responses: Kerr's c |A|^2; with Raman's convolution R = h * |A|^2, c |A|^2 + R.
LM_BODY double kerr_factor(c128 A, double c) { return c * intensity(A); }
LM_BODY double kerr_raman_factor(c128 A, double c, double R) { return fused(c, intensity(A), R); }

}  // namespace lumarch::kernels
