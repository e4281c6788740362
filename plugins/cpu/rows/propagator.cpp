// SPDX-License-Identifier: Apache-2.0
// exp(scale D).
#include "exponential.hpp"

namespace lumarch::cpu::LUMARCH_ROWS {
namespace {

template <bool lossless>
void lanes_of(double* E, const double* D, double scale, std::size_t n) {
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) {
    double s, c;
    sine_cosine(scale * D[2 * i + 1], s, c);
    const double size = lossless ? 1.0 : exponential(scale * D[2 * i]);
    E[2 * i] = lossless ? c : size * c;
    E[2 * i + 1] = lossless ? s : size * s;
  }
}

// Where an argument is out of range or not finite: rare, and libm's answer is what is wanted.
void by_libm(double* E, const double* D, double scale, bool lossless, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = scale * D[2 * i + 1], size = lossless ? 1.0 : __builtin_exp(scale * D[2 * i]);
    const double c = __builtin_cos(angle), s = __builtin_sin(angle);
    E[2 * i] = lossless ? c : size * c;
    E[2 * i + 1] = lossless ? s : size * s;
  }
}

inline bool all_inside(const double* D, double scale, bool lossless, std::size_t n) {
  std::uint64_t outside = 0;
  for (std::size_t i = 0; i < n; ++i) {  // written so that a NaN is outside
    outside |= magnitude(scale * D[2 * i + 1]) <= largest_angle ? 0u : 1u;
    outside |= lossless || magnitude(scale * D[2 * i]) <= largest_exponent ? 0u : 1u;
  }
  return outside == 0;
}

}  // namespace

void propagator(double* E, const double* D, double scale, bool lossless, std::size_t n) {
  constexpr std::size_t piece = 256;
  for (std::size_t first = 0; first < n; first += piece) {
    const std::size_t size = n - first < piece ? n - first : piece;
    const double* d = D + 2 * first;
    double* e = E + 2 * first;
    if (!all_inside(d, scale, lossless, size))
      by_libm(e, d, scale, lossless, size);
    else if (lossless)
      lanes_of<true>(e, d, scale, size);
    else
      lanes_of<false>(e, d, scale, size);
  }
}

}  // namespace lumarch::cpu::LUMARCH_ROWS
