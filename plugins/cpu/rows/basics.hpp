// SPDX-License-Identifier: Apache-2.0
// What all files of a variant share. They include no standard C++ header but <cstddef>: an inline function of the
// library, compiled here for AVX-512, could be the copy that the linker keeps for the whole plugin, and then a machine
// without AVX-512 dies in a std::vector.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../rows.hpp"

// The loops may be vectorised though `out` may be an input: each iteration reads before it writes, and its own
// elements only.
#if defined(__clang__)
#define LUMARCH_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define LUMARCH_LANES _Pragma("GCC ivdep")
#endif

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(__FP_FAST_FMA)
#define LUMARCH_HAS_FMA 1
#else
#define LUMARCH_HAS_FMA 0
#endif

namespace lumarch::cpu::LUMARCH_ROWS {

// a b + c. Written out, never contracted by the compiler: v3 and v4 have the same bits, v2 rounds twice (there
// __builtin_fma would be a call).
static inline double fma(double a, double b, double c) {
#if LUMARCH_HAS_FMA
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

// The parts of a product of complex numbers.
static inline double product_re(double ar, double ai, double br, double bi) { return fma(ar, br, -(ai * bi)); }
static inline double product_im(double ar, double ai, double br, double bi) { return fma(ar, bi, ai * br); }

void propagator(double* E, const double* D, double scale, bool lossless, std::size_t n);
double squares(const double* const* x, const double* c, unsigned terms, std::size_t doubles);
void combine(double* out, const double* const* x, const double* c, const unsigned* count, const double* E,
             std::size_t n);
void lincomb(double* out, const double* const* x, const double* c, unsigned terms, std::size_t doubles);

}  // namespace lumarch::cpu::LUMARCH_ROWS
