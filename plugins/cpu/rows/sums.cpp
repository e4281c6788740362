// SPDX-License-Identifier: Apache-2.0
// Sums of rows, and sums over a row by a fixed tree.
#include "basics.hpp"

namespace lumarch::cpu::LUMARCH_ROWS {
namespace {

template <unsigned terms>
inline double term_sum(const double* const (&x)[terms], const double (&c)[terms], std::size_t i) {
  double sum = c[0] * x[0][i];
  for (unsigned j = 1; j < terms; ++j) sum = fused(c[j], x[j][i], sum);
  return sum;
}

template <unsigned terms>
void lincomb_row(double* out, const double* const* rows, const double* coefficients, std::size_t doubles) {
  const double* x[terms];
  double c[terms];
  for (unsigned j = 0; j < terms; ++j) {
    x[j] = rows[j];
    c[j] = coefficients[j];
  }
  LUMARCH_LANES
  for (std::size_t i = 0; i < doubles; ++i) out[i] = term_sum<terms>(x, c, i);
}

// One constant tree on every machine: lane d holds the numbers d, d + 32, ... of a block of 256 complex numbers, lanes
// are added in halves, blocks in pairs. 32 lanes are what hides the latency of a fused multiply-add at 8 lanes a
// vector.
constexpr std::size_t lanes = 32, block = 512;

inline double fold(double (&lane)[lanes]) {
  for (std::size_t width = lanes / 2; width > 0; width /= 2)
    for (std::size_t d = 0; d < width; ++d) lane[d] += lane[d + width];
  return lane[0];
}

template <unsigned terms>
double block_squares(const double* const (&x)[terms], const double (&c)[terms], std::size_t first, std::size_t size) {
  double lane[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes)
    for (std::size_t d = 0; d < lanes; ++d) {
      const double value = term_sum<terms>(x, c, first + i + d);
      lane[d] = fused(value, value, lane[d]);
    }
  for (std::size_t d = 0; i < size; ++i, ++d) {
    const double value = term_sum<terms>(x, c, first + i);
    lane[d] = fused(value, value, lane[d]);
  }
  return fold(lane);
}

template <unsigned terms>
double squares_row(const double* const* rows, const double* coefficients, std::size_t doubles) {
  const double* x[terms];
  double c[terms];
  for (unsigned j = 0; j < terms; ++j) {
    x[j] = rows[j];
    c[j] = coefficients[j];
  }
  // Pairwise over blocks: level k holds the sum of 2^k of them, as in a binary counter.
  double level[64] = {};
  std::uint64_t blocks = 0;
  for (std::size_t first = 0; first < doubles; first += block) {
    double sum = block_squares<terms>(x, c, first, doubles - first < block ? doubles - first : block);
    unsigned k = 0;
    for (; blocks >> k & 1u; ++k) sum = level[k] + sum;
    level[k] = sum;
    ++blocks;
  }
  double total = 0.0;
  for (unsigned k = 0; k < 64; ++k)
    if (blocks >> k & 1u) total = level[k] + total;
  return total;
}

}  // namespace

void lincomb(double* out, const double* const* x, const double* c, unsigned terms, std::size_t doubles) {
  static_assert(max_terms == 8);
  switch (terms) {
    case 1:
      return lincomb_row<1>(out, x, c, doubles);
    case 2:
      return lincomb_row<2>(out, x, c, doubles);
    case 3:
      return lincomb_row<3>(out, x, c, doubles);
    case 4:
      return lincomb_row<4>(out, x, c, doubles);
    case 5:
      return lincomb_row<5>(out, x, c, doubles);
    case 6:
      return lincomb_row<6>(out, x, c, doubles);
    case 7:
      return lincomb_row<7>(out, x, c, doubles);
    default:
      return lincomb_row<8>(out, x, c, doubles);
  }
}

double squares(const double* const* x, const double* c, unsigned terms, std::size_t doubles) {
  switch (terms) {
    case 1:
      return squares_row<1>(x, c, doubles);
    case 2:
      return squares_row<2>(x, c, doubles);
    case 3:
      return squares_row<3>(x, c, doubles);
    case 4:
      return squares_row<4>(x, c, doubles);
    case 5:
      return squares_row<5>(x, c, doubles);
    case 6:
      return squares_row<6>(x, c, doubles);
    case 7:
      return squares_row<7>(x, c, doubles);
    default:
      return squares_row<8>(x, c, doubles);
  }
}

}  // namespace lumarch::cpu::LUMARCH_ROWS
