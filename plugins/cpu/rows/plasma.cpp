// SPDX-License-Identifier: Apache-2.0
// The current of a plasma. What depends on a sample alone goes through lanes, a piece of the row at a time; its
// integrals are sums from the first sample on, one after the other.
#include <lumarch/kernels/media.hpp>

#include "exponential.hpp"
#include "media.hpp"

namespace lumarch::cpu::LUMARCH_ROWS {
namespace {

constexpr std::size_t piece = 256;

// Written so that a NaN is outside.
inline bool all_below(const double* x, double limit, std::size_t n) {
  std::uint64_t outside = 0;
  for (std::size_t i = 0; i < n; ++i) outside |= magnitude(x[i]) <= limit ? 0u : 1u;
  return outside == 0;
}

// W of |E|^2. Where the field is below the table its logarithm plays no part.
void rates(const PlasmaRow& p, const double* EE, double* W, std::size_t n) {
  double size[piece], logarithm[piece];
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) size[i] = __builtin_sqrt(EE[i]);
  for (std::size_t i = 0; i < n; ++i)
    logarithm[i] =
        size[i] < p.field_min ? 0.0 : log_rate(p.log_rate, p.second, p.m, (size[i] - p.field_min) / p.field_step);
  if (all_below(logarithm, largest_exponent, n)) {
    LUMARCH_LANES
    for (std::size_t i = 0; i < n; ++i) {
      const double rate = exponential(logarithm[i]);
      W[i] = size[i] < p.field_min ? 0.0 : rate;
    }
  } else {
    for (std::size_t i = 0; i < n; ++i) W[i] = size[i] < p.field_min ? 0.0 : __builtin_exp(logarithm[i]);
  }
}

// 1 - exp(-R)
void losses(const double* R, double* lost, std::size_t n) {
  if (all_below(R, largest_exponent, n)) {
    LUMARCH_LANES
    for (std::size_t i = 0; i < n; ++i) lost[i] = -exponential_less_one(-R[i]);
  } else {
    for (std::size_t i = 0; i < n; ++i) lost[i] = -__builtin_expm1(-R[i]);
  }
}

template <bool complex, unsigned components>
void plasma_row(double* const* J, const double* const* E, const PlasmaRow& p, std::size_t n) {
  double field[components][piece], EE[piece], W[piece], R[piece], lost[piece], V[piece];
  double last_rate = 0.0, exponent = 0.0, last_drive[components] = {}, drift[components] = {};
  for (std::size_t first = 0; first < n; first += piece) {
    const std::size_t size = n - first < piece ? n - first : piece;
    for (unsigned c = 0; c < components; ++c) {
      const double* const from = E[c] + (complex ? 2 : 1) * first;
      LUMARCH_LANES
      for (std::size_t i = 0; i < size; ++i) field[c][i] = complex ? from[2 * i] : from[i];
    }
    LUMARCH_LANES
    for (std::size_t i = 0; i < size; ++i) {
      if constexpr (components == 1)
        EE[i] = squared(field[0][i]);
      else
        EE[i] = squared(real2{field[0][i], field[components - 1][i]});
    }
    rates(p, EE, W, size);
    for (std::size_t i = 0; i < size; ++i) {
      if (first + i > 0) exponent = plasma_exponent(exponent, last_rate, W[i], p.dt);
      last_rate = W[i];
      R[i] = exponent;
    }
    losses(R, lost, size);
    for (unsigned c = 0; c < components; ++c) {
      double drive[piece];
      LUMARCH_LANES
      for (std::size_t i = 0; i < size; ++i)
        drive[i] = plasma_share(p.fraction, lost[i]) * p.acceleration * field[c][i];
      double sum = drift[c], last = last_drive[c];
      for (std::size_t i = 0; i < size; ++i) {
        if (first + i > 0) sum = fused(0.5 * p.dt, last + drive[i], sum);
        last = drive[i];
        V[i] = sum;
      }
      drift[c] = sum;
      last_drive[c] = last;
      double* const to = J[c] + first;
      LUMARCH_LANES
      for (std::size_t i = 0; i < size; ++i) {
        const double loss = p.ionisation_energy * W[i] * ((1.0 - p.fraction) * (1.0 - lost[i])) / EE[i];
        const double value = p.density * fused(EE[i] == 0.0 ? 0.0 : loss, field[c][i], V[i]);
        to[i] = p.add ? to[i] + value : value;
      }
    }
  }
}

}  // namespace

void plasma(double* const* J, const double* const* E, const PlasmaRow& p, std::size_t n) {
  if (p.complex)
    p.components == 1 ? plasma_row<true, 1>(J, E, p, n) : plasma_row<true, 2>(J, E, p, n);
  else
    p.components == 1 ? plasma_row<false, 1>(J, E, p, n) : plasma_row<false, 2>(J, E, p, n);
}

}  // namespace lumarch::cpu::LUMARCH_ROWS
