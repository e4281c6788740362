// SPDX-License-Identifier: Apache-2.0
// A vector of lanes, and how complex numbers get into two of them. One source for all instruction sets: nothing here
// depends on the number of lanes but the order of numbers, never an operation on one.
#pragma once

#include "../rows/basics.hpp"
#include "passes.hpp"
#if defined(__FMA__)
#include <immintrin.h>
#endif

namespace lumarch::cpu::LUMARCH_ROWS {

#if defined(__AVX512F__) || defined(LUMARCH_LANES_8)  // the second: AVX-512's code for tests on machines without it
inline constexpr std::size_t W = 8;
#elif defined(__AVX__)
inline constexpr std::size_t W = 4;
#else
inline constexpr std::size_t W = 2;
#endif

using V [[gnu::vector_size(8 * W)]] = double;
using Loose [[gnu::vector_size(8 * W), gnu::aligned(8), gnu::may_alias]] = double;  // wherever a row begins

#define LUMARCH_INLINE [[gnu::always_inline]] inline

LUMARCH_INLINE V load_loose(const double* p) { return *reinterpret_cast<const Loose*>(p); }
LUMARCH_INLINE void store_loose(double* p, V v) { *reinterpret_cast<Loose*>(p) = v; }
// Whole vectors on their own multiples; the tests' build looks, for AVX2 would be content with half.
LUMARCH_INLINE void on_its_place([[maybe_unused]] const double* p) {
#if defined(LUMARCH_LANES_8)
  if (reinterpret_cast<std::uintptr_t>(p) % sizeof(V) != 0) __builtin_trap();
#endif
}
LUMARCH_INLINE V load_block(const double* p) {
  on_its_place(p);
  return *reinterpret_cast<const V*>(p);
}
LUMARCH_INLINE void store_block(double* p, V v) {
  on_its_place(p);
  *reinterpret_cast<V*>(p) = v;
}
LUMARCH_INLINE V all(double x) { return x - V{}; }

// a b + c, rounded once where the instruction set can; kernels::fused for lanes.
LUMARCH_INLINE V fused(V a, V b, V c) {
#if defined(__FMA__) && defined(__AVX512F__)
  return _mm512_fmadd_pd(a, b, c);
#elif defined(__FMA__) && !defined(LUMARCH_LANES_8)
  return _mm256_fmadd_pd(a, b, c);
#else
  V out;
  for (std::size_t l = 0; l < W; ++l) out[l] = kernels::fused(a[l], b[l], c[l]);
  return out;
#endif
}

// The shuffle that puts lane Pick::of(l) of a and b, b counted on after a, into lane l.
template <std::size_t... l>
struct Numbers {};
#if defined(__AVX512F__) || defined(LUMARCH_LANES_8)
using EachLane = Numbers<0, 1, 2, 3, 4, 5, 6, 7>;
#elif defined(__AVX__)
using EachLane = Numbers<0, 1, 2, 3>;
#else
using EachLane = Numbers<0, 1>;
#endif
template <class Pick, std::size_t... l>
LUMARCH_INLINE V shuffled(V a, V b, Numbers<l...>) {
  return __builtin_shufflevector(a, b, static_cast<int>(Pick::of(l))...);
}
template <class Pick>
LUMARCH_INLINE V shuffled(V a, V b) {
  return shuffled<Pick>(a, b, EachLane{});
}

constexpr std::size_t lane_of(std::size_t number) { return number < W / 2 ? 2 * number : 2 * (number - W / 2) + 1; }

template <std::size_t odd>  // of pairs 0 0 1 1 ...: the first or the second parts, in the order of lanes
struct PartsOfPairs {
  static constexpr std::size_t of(std::size_t l) { return l % 2 == 0 ? l + odd : W + l - 1 + odd; }
};
template <std::size_t half>  // and back: the pairs of the first or the second half of the numbers
struct PairsOfParts {
  static constexpr std::size_t of(std::size_t i) {
    const std::size_t lane = lane_of(half * W / 2 + i / 2);
    return i % 2 == 0 ? lane : W + lane;
  }
};
template <std::size_t half>  // of parts in the order of lanes: the real row that the pairs are, one half of it
struct RowOfParts {
  static constexpr std::size_t of(std::size_t l) {
    const std::size_t i = half * W + lane_order(l, W);
    return i % 2 == 0 ? lane_of(i / 2) : W + lane_of(i / 2);
  }
};
template <std::size_t odd>  // of two halves of a real row, each in the order of lanes: its pairs' parts
struct PartsOfRow {
  static constexpr std::size_t of(std::size_t l) {
    const std::size_t i = 2 * lane_order(l, W) + odd;
    return i < W ? lane_of(i) : W + lane_of(i - W);
  }
};
template <std::size_t size, std::size_t second>  // a step of a transpose
struct Exchange {
  static constexpr std::size_t of(std::size_t l) {
    return (l & size) == 0 ? l + second * size : W + l - (1 - second) * size;
  }
};
struct Backwards {
  static constexpr std::size_t of(std::size_t l) { return W - 1 - l; }
};

// f(k) for k = 0 ... n - 1, each a constant: arrays of vectors that are reached by a running index end up in memory.
template <std::size_t k>
struct Constant {
  constexpr operator std::size_t() const { return k; }
};
template <std::size_t n, std::size_t k = 0, class F>
LUMARCH_INLINE void each(const F& f) {
  if constexpr (k < n) {
    f(Constant<k>{});
    each<n, k + 1>(f);
  }
}

// The lanes of W complex numbers.
struct Z {
  V re, im;
};

LUMARCH_INLINE Z operator+(Z a, Z b) { return {a.re + b.re, a.im + b.im}; }
LUMARCH_INLINE Z operator-(Z a, Z b) { return {a.re - b.re, a.im - b.im}; }
LUMARCH_INLINE Z times(Z a, Z b) { return {fused(a.re, b.re, -(a.im * b.im)), fused(a.re, b.im, a.im * b.re)}; }
LUMARCH_INLINE Z exchanged(Z a) { return {a.im, a.re}; }
LUMARCH_INLINE Z backwards(Z a) { return {shuffled<Backwards>(a.re, a.re), shuffled<Backwards>(a.im, a.im)}; }

LUMARCH_INLINE Z load_blocks(const double* p) { return {load_block(p), load_block(p + W)}; }
LUMARCH_INLINE void store_blocks(double* p, Z z) {
  store_block(p, z.re);
  store_block(p + W, z.im);
}
LUMARCH_INLINE Z load_pairs(const double* p) {
  const V a = load_loose(p), b = load_loose(p + W);
  return {shuffled<PartsOfPairs<0>>(a, b), shuffled<PartsOfPairs<1>>(a, b)};
}
LUMARCH_INLINE void store_pairs(double* p, Z z) {
  store_loose(p, shuffled<PairsOfParts<0>>(z.re, z.im));
  store_loose(p + W, shuffled<PairsOfParts<1>>(z.re, z.im));
}

// Rows into columns, as they lie.
template <std::size_t size = 1>
LUMARCH_INLINE void transpose(V (&x)[W]) {
  each<W>([&](auto i) {
    if constexpr ((i & size) == 0) {
      const V a = x[i], b = x[i + size];
      x[i] = shuffled<Exchange<size, 0>>(a, b);
      x[i + size] = shuffled<Exchange<size, 1>>(a, b);
    }
  });
  if constexpr (2 * size < W) transpose<2 * size>(x);
}

void untangle(double* X, const double* Z, const double* t, std::size_t m);
void tangle(double* Z, const double* X, const double* t, std::size_t m);
void filter(double* Z, const double* H, const double* t, std::size_t m);

}  // namespace lumarch::cpu::LUMARCH_ROWS
