// SPDX-License-Identifier: Apache-2.0
// Sine, cosine and exponential as polynomials, so that compilers can put them into vector lanes. libm's take ten times
// as long, and no compiler puts a sine and a cosine of the same number into lanes without fast-math.
#pragma once

#include "basics.hpp"

namespace lumarch::cpu::LUMARCH_ROWS {

#define LUMARCH_ROW_MATH [[gnu::always_inline, maybe_unused]] static inline

// Adding and subtracting it rounds to the nearest integer, which then stands in the low bits of the sum.
inline constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52
inline constexpr double largest_angle = 1e8;         // up to here the reduction by pi/2 is exact to the last place
inline constexpr double largest_exponent = 700.0;    // up to here 2^n is a normal number

LUMARCH_ROW_MATH std::uint64_t bits_of(double x) { return __builtin_bit_cast(std::uint64_t, x); }
LUMARCH_ROW_MATH double double_of(std::uint64_t x) { return __builtin_bit_cast(double, x); }
LUMARCH_ROW_MATH double magnitude(double x) { return double_of(bits_of(x) & 0x7fffffffffffffffu); }

// x - q pi/2 as hi + lo, after Cody and Waite. With fma, q times the full first part cancels exactly; without it the
// parts are short enough (27 bits) for their products with q (26 bits) to be exact. What a difference loses goes into
// lo: next to a multiple of pi/2 hardly anything else is left.
LUMARCH_ROW_MATH void reduce(double x, double q, double& hi, double& lo) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(__FP_FAST_FMA)
  constexpr double p1 = 0x1.921fb54442d18p+0, p2 = 0x1.1a62633145c07p-54, p3 = -0x1.f1976b7ed8fbcp-110;
  const double r = fused(-q, p1, x), t = q * p2;
  hi = r - t;
  lo = fused(-q, p3, ((r - hi) - t) - fused(q, p2, -t));
#else
  constexpr double p1 = 0x1.921fb54p+0, p2 = 0x1.10b461p-30, p3 = 0x1.a62633p-58, p4 = 0x1.45c06e0e68948p-86;
  const double a = x - q * p1, b = q * p2, r = a - b, t = q * p3;
  hi = r - t;
  lo = (((a - r) - b) + ((r - hi) - t)) - q * p4;
#endif
}

// Cephes' minimax polynomials on [-pi/4, pi/4]; lo enters to first order.
LUMARCH_ROW_MATH void sine_cosine(double x, double& sine, double& cosine) {
  const double shifted = fused(x, 0x1.45f306dc9c883p-1, magic);
  double r, lo;
  reduce(x, shifted - magic, r, lo);
  const double z = r * r;
  double s = 1.58962301576546568060e-10;
  s = fused(s, z, -2.50507477628578072866e-8);
  s = fused(s, z, 2.75573136213857245213e-6);
  s = fused(s, z, -1.98412698295895385996e-4);
  s = fused(s, z, 8.33333333332211858878e-3);
  s = fused(s, z, -1.66666666666666307295e-1);
  s = r + fused(r * z, s, lo);
  double c = -1.13585365213876817300e-11;
  c = fused(c, z, 2.08757008419747316778e-9);
  c = fused(c, z, -2.75573141792967388112e-7);
  c = fused(c, z, 2.48015872888517045348e-5);
  c = fused(c, z, -1.38888888888730564116e-3);
  c = fused(c, z, 4.16666666666665929218e-2);
  const double half = 0.5 * z, w = 1.0 - half;
  c = w + (((1.0 - w) - half) + fused(z * z, c, -(r * lo)));

  const std::uint64_t quadrant = bits_of(shifted);
  const bool odd = quadrant & 1u;
  const std::uint64_t s_sign = (quadrant & 2u) << 62, c_sign = ((quadrant + 1u) & 2u) << 62;
  sine = double_of(bits_of(odd ? c : s) ^ s_sign);
  cosine = double_of(bits_of(odd ? s : c) ^ c_sign);
}

// exp(x) = 2^n exp(r), |r| <= ln(2)/2. `less_one` is exp(r) - 1 by Taylor's polynomial of degree 13: its remainder is
// below 5e-18.
LUMARCH_ROW_MATH void halves(double x, double& less_one, double& two_to_n) {
  const double shifted = fused(x, 0x1.71547652b82fep+0, magic), n = shifted - magic;
  const double r = fused(-n, 0x1.ef35793c76730p-45, fused(-n, 0x1.62e42fefa3800p-1, x));
  double p = 1.0 / 6227020800.0;
  p = fused(p, r, 1.0 / 479001600.0);
  p = fused(p, r, 1.0 / 39916800.0);
  p = fused(p, r, 1.0 / 3628800.0);
  p = fused(p, r, 1.0 / 362880.0);
  p = fused(p, r, 1.0 / 40320.0);
  p = fused(p, r, 1.0 / 5040.0);
  p = fused(p, r, 1.0 / 720.0);
  p = fused(p, r, 1.0 / 120.0);
  p = fused(p, r, 1.0 / 24.0);
  p = fused(p, r, 1.0 / 6.0);
  p = fused(p, r, 0.5);
  less_one = fused(r * r, p, r);
  two_to_n = double_of((bits_of(shifted) + 1023u) << 52);
}
LUMARCH_ROW_MATH double exponential(double x) {
  double less_one, two_to_n;
  halves(x, less_one, two_to_n);
  return (1.0 + less_one) * two_to_n;
}
// exp(x) - 1, good next to 0 too.
LUMARCH_ROW_MATH double exponential_less_one(double x) {
  double less_one, two_to_n;
  halves(x, less_one, two_to_n);
  return fused(two_to_n, less_one, two_to_n - 1.0);
}

}  // namespace lumarch::cpu::LUMARCH_ROWS
