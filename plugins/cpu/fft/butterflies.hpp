// SPDX-License-Identifier: Apache-2.0
// The transforms of 1, 2, 3, 4, 5, 7 and 8 numbers, exp(-2 pi i j k / r), lane by lane. A radix is one function.
#pragma once

#include "lanes.hpp"

namespace lumarch::cpu::LUMARCH_ROWS {

LUMARCH_INLINE void two(Z& a, Z& b) {
  const Z sum = a + b;
  b = a - b;
  a = sum;
}

// x0 ... x3 in turn, the results in turn.
LUMARCH_INLINE void four(Z& a, Z& b, Z& c, Z& d) {
  two(a, c);
  two(b, d);
  two(a, b);
  const Z middle = b;
  b = {c.re + d.im, c.im - d.re};
  d = {c.re - d.im, c.im + d.re};
  c = middle;
}

// Four of the sums; four of the differences, turned by eighths. The turns' factor sqrt(1/2) is left to the last sums.
LUMARCH_INLINE void eight(Z (&x)[8]) {
  each<4>([&](auto k) { two(x[k], x[k + 4]); });
  four(x[0], x[1], x[2], x[3]);
  const Z first = {x[5].re + x[5].im, x[5].im - x[5].re}, third = {x[7].im - x[7].re, -(x[7].re + x[7].im)};
  const Z s = {x[4].re + x[6].im, x[4].im - x[6].re}, d = {x[4].re - x[6].im, x[4].im + x[6].re};
  const Z u = first + third, v = first - third;
  const V h = all(0x1.6a09e667f3bcdp-1);
  x[6] = x[3];
  x[4] = x[2];
  x[2] = x[1];
  x[1] = {fused(h, u.re, s.re), fused(h, u.im, s.im)};
  x[5] = {fused(-h, u.re, s.re), fused(-h, u.im, s.im)};
  x[3] = {fused(h, v.im, d.re), fused(-h, v.re, d.im)};
  x[7] = {fused(-h, v.im, d.re), fused(h, v.re, d.im)};
}

// cos and sin of 2 pi k / r, for k up to (r - 1) / 2.
template <std::size_t r>
inline constexpr double cosine[4] = {};
template <std::size_t r>
inline constexpr double sine[4] = {};
template <>
inline constexpr double cosine<3>[4] = {1.0, -0.5};
template <>
inline constexpr double sine<3>[4] = {0.0, 0.86602540378443864676};
template <>
inline constexpr double cosine<5>[4] = {1.0, 0.30901699437494742410, -0.80901699437494742410};
template <>
inline constexpr double sine<5>[4] = {0.0, 0.95105651629515357212, 0.58778525229247312917};
template <>
inline constexpr double cosine<7>[4] = {1.0, 0.62348980185873353053, -0.22252093395631440429, -0.90096886790241912624};
template <>
inline constexpr double sine<7>[4] = {0.0, 0.78183148246802980871, 0.97492791218182360702, 0.43388373911755812048};

// Sums and differences of the numbers that are each other's mirror images: a real matrix for each.
template <std::size_t r>
LUMARCH_INLINE void odd(Z (&x)[r]) {
  constexpr std::size_t half = (r - 1) / 2;
  Z sum[half], difference[half], total = x[0];
  each<half>([&](auto k) {
    sum[k] = x[k + 1] + x[r - 1 - k];
    difference[k] = x[k + 1] - x[r - 1 - k];
    total = total + sum[k];
  });
  each<half>([&](auto j) {
    Z even = x[0], uneven;
    each<half>([&](auto k) {
      constexpr std::size_t turn = (j + 1) * (k + 1) % r;
      const V c = all(cosine<r>[turn <= half ? turn : r - turn]);
      const V s = all(turn <= half ? sine<r>[turn] : -sine<r>[r - turn]);
      even = {fused(c, sum[k].re, even.re), fused(c, sum[k].im, even.im)};
      if constexpr (k == 0)
        uneven = {s * difference[k].re, s * difference[k].im};
      else
        uneven = {fused(s, difference[k].re, uneven.re), fused(s, difference[k].im, uneven.im)};
    });
    x[j + 1] = {even.re + uneven.im, even.im - uneven.re};
    x[r - 1 - j] = {even.re - uneven.im, even.im + uneven.re};
  });
  x[0] = total;
}

template <std::size_t r>
LUMARCH_INLINE void butterfly(Z (&x)[r]) {
  if constexpr (r == 2)
    two(x[0], x[1]);
  else if constexpr (r == 4)
    four(x[0], x[1], x[2], x[3]);
  else if constexpr (r == 8)
    eight(x);
  else if constexpr (r > 2)
    odd(x);
}

}  // namespace lumarch::cpu::LUMARCH_ROWS
