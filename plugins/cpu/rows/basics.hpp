// SPDX-License-Identifier: Apache-2.0
// What all files of a variant share. They include no standard C++ header but <cstddef>: an inline function of the
// library, compiled here for AVX-512, could be the copy that the linker keeps for the whole plugin, and then a machine
// without AVX-512 dies in a std::vector.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lumarch/kernels/elements.hpp>

#include "../rows.hpp"

// The loops may be vectorised though `out` may be an input: each iteration reads before it writes, and its own
// elements only.
#if defined(__clang__)
#define LUMARCH_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define LUMARCH_LANES _Pragma("GCC ivdep")
#endif

namespace lumarch::cpu::LUMARCH_ROWS {

using namespace kernels;  // c128 and what is done to one

void propagator(double* E, const double* D, double scale, bool lossless, std::size_t n);
double squares(const double* const* x, const double* c, unsigned terms, std::size_t doubles);
void combine(double* out, const double* const* x, const double* c, const unsigned* count, const double* E,
             std::size_t n);
void lincomb(double* out, const double* const* x, const double* c, unsigned terms, std::size_t doubles);

}  // namespace lumarch::cpu::LUMARCH_ROWS
