// SPDX-License-Identifier: Apache-2.0
// step.combine by Horner's rule, one pass: out = S0 + E (S1 + E S2).
#include "basics.hpp"

namespace lumarch::cpu::LUMARCH_ROWS {
namespace {

// The sum of the terms [first, first + terms) at sample i; 0 where there are none.
template <unsigned first, unsigned terms>
inline c128 level_sum(const double* const* x, const double* c, std::size_t i) {
  if constexpr (terms == 0) {
    return {0.0, 0.0};
  } else {
    c128 sum = scaled(load(x[first], i), c[first]);
    for (unsigned j = first + 1; j < first + terms; ++j) sum = plus_scaled(sum, c[j], load(x[j], i));
    return sum;
  }
}

template <unsigned n0, unsigned n1, unsigned n2>
void combine_row(double* out, const double* const* rows, const double* coefficients, const double* E, std::size_t n) {
  constexpr unsigned terms = n0 + n1 + n2;
  const double* x[terms + 1];
  double c[terms + 1];
  for (unsigned j = 0; j < terms; ++j) {
    x[j] = rows[j];
    c[j] = coefficients[j];
  }
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) {
    c128 sum = level_sum<n0 + n1, n2>(x, c, i);
    if constexpr (n2 > 0) sum = times(load(E, i), sum);
    if constexpr (n1 > 0) {
      const c128 level = level_sum<n0, n1>(x, c, i);
      sum = n2 > 0 ? plus(level, sum) : level;
    }
    if constexpr (n1 + n2 > 0) sum = times(load(E, i), sum);
    if constexpr (n0 > 0) {
      const c128 level = level_sum<0, n0>(x, c, i);
      sum = n1 + n2 > 0 ? plus(level, sum) : level;
    }
    store(out, i, sum);
  }
}

// Any number of terms, in pieces that stay in the first cache.
void combine_any(double* out, const double* const* x, const double* c, const unsigned* count, const double* E,
                 std::size_t n) {
  constexpr std::size_t piece = 128;
  double sum[2 * piece], level[2 * piece];
  for (std::size_t first = 0; first < n; first += piece) {
    const std::size_t size = n - first < piece ? n - first : piece;
    unsigned end = count[0] + count[1] + count[2];
    bool any = false;
    for (unsigned l = 3; l-- > 0;) {
      if (any) {  // what has been summed so far belongs to higher levels: one factor more
        for (std::size_t i = 0; i < size; ++i) store(sum, i, times(load(E, first + i), load(sum, i)));
      }
      const unsigned begin = end - count[l];
      if (begin != end) {
        const double* rows[max_terms];
        for (unsigned j = begin; j < end; ++j) rows[j - begin] = x[j] + 2 * first;
        lincomb(any ? level : sum, rows, c + begin, count[l], 2 * size);
        if (any)
          for (std::size_t i = 0; i < 2 * size; ++i) sum[i] = level[i] + sum[i];
        any = true;
      }
      end = begin;
    }
    for (std::size_t i = 0; i < 2 * size; ++i) out[2 * first + i] = sum[i];
  }
}

using Fn = void (*)(double*, const double* const*, const double*, const double*, std::size_t);
// The patterns of the tableaux that ship have up to 2, 3 and 2 terms a level.
constexpr unsigned most0 = 2, most1 = 3, most2 = 2;
struct Table {
  Fn fn[most0 + 1][most1 + 1][most2 + 1];
};
template <unsigned n0, unsigned n1>
constexpr void fill(Table& t) {
  t.fn[n0][n1][0] = &combine_row<n0, n1, 0>;
  t.fn[n0][n1][1] = &combine_row<n0, n1, 1>;
  t.fn[n0][n1][2] = &combine_row<n0, n1, 2>;
}
template <unsigned n0>
constexpr void fill(Table& t) {
  fill<n0, 0>(t);
  fill<n0, 1>(t);
  fill<n0, 2>(t);
  fill<n0, 3>(t);
}
constexpr Table make_table() {
  Table t{};
  fill<0>(t);
  fill<1>(t);
  fill<2>(t);
  return t;
}
constexpr Table specialised = make_table();

}  // namespace

void combine(double* out, const double* const* x, const double* c, const unsigned* count, const double* E,
             std::size_t n) {
  if (count[0] <= most0 && count[1] <= most1 && count[2] <= most2)
    specialised.fn[count[0]][count[1]][count[2]](out, x, c, E, n);
  else
    combine_any(out, x, c, count, E, n);
}

}  // namespace lumarch::cpu::LUMARCH_ROWS
