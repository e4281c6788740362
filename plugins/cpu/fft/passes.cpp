// SPDX-License-Identifier: Apache-2.0
// The passes: a loop over rows of lanes for each way to load and to store them.
#include "butterflies.hpp"

namespace lumarch::cpu::LUMARCH_ROWS {
namespace {

// ---- where a pass reads: at(offset in doubles), part: the first `count` lanes only ----
struct Blocks {
  explicit Blocks(const Pass& p) : src(p.src) {}
  LUMARCH_INLINE Z all(std::size_t at) const { return load_blocks(src + at); }
  LUMARCH_INLINE Z part(std::size_t at, std::size_t) const { return all(at); }  // rows of blocks are whole ones
  const double* src;
};

template <bool swap>
struct Pairs {
  explicit Pairs(const Pass& p) : src(p.src) {}
  LUMARCH_INLINE Z all(std::size_t at) const { return sorted(load_pairs(src + at)); }
  LUMARCH_INLINE Z part(std::size_t at, std::size_t count) const {
    double row[2 * W] = {};
    for (std::size_t i = 0; i < 2 * count; ++i) row[i] = src[at + i];
    return sorted(load_pairs(row));
  }
  LUMARCH_INLINE static Z sorted(Z z) { return swap ? exchanged(z) : z; }
  const double* src;
};

struct Squares {
  explicit Squares(const Pass& p) : src(p.src) {}
  LUMARCH_INLINE static V intensity(const double* p) {
    const Z a = load_pairs(p);
    return fused(a.re, a.re, a.im * a.im);
  }
  LUMARCH_INLINE static Z of(const double* p) {
    const V a = intensity(p), b = intensity(p + 2 * W);
    return {shuffled<PartsOfRow<0>>(a, b), shuffled<PartsOfRow<1>>(a, b)};
  }
  LUMARCH_INLINE Z all(std::size_t at) const { return of(src + 2 * at); }
  LUMARCH_INLINE Z part(std::size_t at, std::size_t count) const {
    double row[4 * W] = {};
    for (std::size_t i = 0; i < 4 * count; ++i) row[i] = src[2 * at + i];
    return of(row);
  }
  const double* src;
};

// ---- where it writes ----
template <bool swap>
struct ToPairs {
  explicit ToPairs(const Pass& p) : dst(p.dst) {}
  LUMARCH_INLINE void all(std::size_t at, Z z) const { store_pairs(dst + at, swap ? exchanged(z) : z); }
  LUMARCH_INLINE void part(std::size_t at, std::size_t count, Z z) const {
    double row[2 * W];
    store_pairs(row, swap ? exchanged(z) : z);
    for (std::size_t i = 0; i < 2 * count; ++i) dst[at + i] = row[i];
  }
  double* dst;
};

struct Times {
  explicit Times(const Pass& p) : dst(p.dst), table(p.field) {}
  LUMARCH_INLINE void all(std::size_t at, Z z) const {
    store_pairs(dst + at, times(exchanged(z), load_pairs(table + at)));
  }
  LUMARCH_INLINE void part(std::size_t at, std::size_t count, Z z) const {
    double factor[2 * W] = {}, row[2 * W];
    for (std::size_t i = 0; i < 2 * count; ++i) factor[i] = table[at + i];
    store_pairs(row, times(exchanged(z), load_pairs(factor)));
    for (std::size_t i = 0; i < 2 * count; ++i) dst[at + i] = row[i];
  }
  double* dst;
  const double* table;
};

template <bool with_kerr>
struct Response {
  explicit Response(const Pass& p) : dst(p.dst), A(p.field), c(p.c) {}
  LUMARCH_INLINE void one(double* P, const double* field, V R) const {
    const Z a = load_pairs(field);
    const V factor = with_kerr ? fused(lumarch::cpu::LUMARCH_ROWS::all(c), fused(a.re, a.re, a.im * a.im), R) : R;
    store_pairs(P, {a.re * factor, a.im * factor});
  }
  LUMARCH_INLINE void both(double* P, const double* field, Z z) const {
    const Z R = exchanged(z);
    one(P, field, shuffled<RowOfParts<0>>(R.re, R.im));
    one(P + 2 * W, field + 2 * W, shuffled<RowOfParts<1>>(R.re, R.im));
  }
  LUMARCH_INLINE void all(std::size_t at, Z z) const { both(dst + 2 * at, A + 2 * at, z); }
  LUMARCH_INLINE void part(std::size_t at, std::size_t count, Z z) const {
    double field[4 * W] = {}, row[4 * W];
    for (std::size_t i = 0; i < 4 * count; ++i) field[i] = A[2 * at + i];
    both(row, field, z);
    for (std::size_t i = 0; i < 4 * count; ++i) dst[2 * at + i] = row[i];
  }
  double* dst;
  const double* A;
  double c;
};

// Number k of up to eight things that lie `step` apart, from few registers: base, step and three steps. Compilers keep
// a pointer to each instead, which are more than a machine has registers; `hidden` keeps them from it.
LUMARCH_INLINE std::size_t number(std::size_t k, std::size_t step, std::size_t step3) {
  switch (k) {
    case 3:
      return step3;
    case 5:
      return 4 * step + step;
    case 6:
      return 2 * step3;
    case 7:
      return 4 * step + step3;
    default:
      return k * step;
  }
}
template <class T>
LUMARCH_INLINE T hidden(T x) {
  asm("" : "+r"(x));
  return x;
}

// ---- passes whose lanes share their twiddles ----
template <std::size_t r, class Load, class Store>
LUMARCH_INLINE void shared_twiddles(const double* twiddle, Load load, Store store) {
  Z x[r];
  each<r>([&](auto k) { x[k] = load(k); });
  butterfly(x);
  store(0, x[0]);
  each<r - 1>([&](auto j) { store(j + 1, times(x[j + 1], Z{all(twiddle[2 * j]), all(twiddle[2 * j + 1])})); });
}

// Few lanes have many rows: the inner loop is the longer one.
template <std::size_t r>
void middle_pass(const Pass& pass) {
  const std::size_t in = hidden(2 * pass.m * pass.src_pitch), in3 = hidden(3 * in);
  const std::size_t out = hidden(2 * pass.dst_pitch), out3 = hidden(3 * out);
  const auto through = [&](const double* src, double* dst, const double* twiddle) __attribute__((always_inline)) {
    const double* const from = hidden(src);
    double* const to = hidden(dst);
    shared_twiddles<r>(
        twiddle, [&](std::size_t k) { return load_blocks(from + number(k, in, in3)); },
        [&](std::size_t j, Z z) { store_blocks(to + number(j, out, out3), z); });
  };
  if (pass.m * W > pass.width) {
    for (std::size_t b = 0; b < pass.width; b += W) {
      const double *src = pass.src + 2 * b, *twiddle = pass.twiddles;
      double* dst = pass.dst + 2 * b;
      for (std::size_t p = 0; p < pass.m; ++p) {
        through(src, dst, twiddle);
        src += 2 * pass.src_pitch;
        dst += r * out;
        twiddle += 2 * (r - 1);
      }
    }
  } else {
    for (std::size_t p = 0; p < pass.m; ++p)
      for (std::size_t b = 0; b < pass.width; b += W)
        through(pass.src + 2 * (p * pass.src_pitch + b), pass.dst + 2 * b + p * r * out,
                pass.twiddles + 2 * p * (r - 1));
  }
}

template <std::size_t r, class From>
void first_pass(const Pass& pass) {
  const From from(pass);
  const std::size_t in = 2 * pass.m * pass.src_pitch, out = 2 * pass.dst_pitch;
  for (std::size_t p = 0; p < pass.m; ++p) {
    const double* const twiddle = pass.twiddles + 2 * p * (r - 1);
    std::size_t b = 0;
    for (; b + W <= pass.width; b += W)
      shared_twiddles<r>(
          twiddle, [&](std::size_t k) { return from.all(2 * (p * pass.src_pitch + b) + k * in); },
          [&](std::size_t j, Z z) { store_blocks(pass.dst + 2 * b + (p * r + j) * out, z); });
    if (b < pass.width)
      shared_twiddles<r>(
          twiddle, [&](std::size_t k) { return from.part(2 * (p * pass.src_pitch + b) + k * in, pass.width - b); },
          [&](std::size_t j, Z z) { store_blocks(pass.dst + 2 * b + (p * r + j) * out, z); });
  }
}

template <std::size_t r, class To>
void last_pass(const Pass& pass) {
  const To to(pass);
  const std::size_t in = hidden(2 * pass.s * pass.src_pitch), in3 = hidden(3 * in);
  const std::size_t out = hidden(2 * pass.s * pass.dst_pitch), out3 = hidden(3 * out);
  for (std::size_t q = 0; q < pass.s; ++q) {
    const double* src = pass.src + 2 * q * pass.src_pitch;
    std::size_t at = 2 * q * pass.dst_pitch, b = 0;
    for (; b < pass.width; b += W, src += 2 * W, at += 2 * W) {
      Z x[r];
      const double* const from = hidden(src);
      each<r>([&](auto k) { x[k] = load_blocks(from + number(k, in, in3)); });
      butterfly(x);
      if (b + W <= pass.width)
        each<r>([&](auto j) { to.all(at + number(j, out, out3), x[j]); });
      else
        each<r>([&](auto j) { to.part(at + number(j, out, out3), pass.width - b, x[j]); });
    }
  }
}

// ---- passes whose lanes have their own twiddles, each of which serves all q ----
template <std::size_t r, class From>
void lanes_pass(const Pass& pass) {
  const From from(pass);
  const std::size_t in = hidden(2 * pass.s * pass.m * pass.src_pitch), in3 = hidden(3 * in);
  const std::size_t out = hidden(2 * pass.s * pass.dst_pitch), out3 = hidden(3 * out);
  for (std::size_t p = 0; p < pass.m; ++p)
    for (std::size_t b = 0; b < pass.width; b += W) {
      const double* const twiddle = pass.twiddles + 2 * (r - 1) * (p * pass.twiddle_pitch + b);
      std::size_t at = 2 * (pass.s * p * pass.src_pitch + b);
      double* dst = pass.dst + 2 * (pass.s * r * p * pass.dst_pitch + b);
      for (std::size_t q = 0; q < pass.s; ++q, at += 2 * pass.src_pitch, dst += 2 * pass.dst_pitch) {
        Z x[r];
        if (b + W <= pass.width)
          each<r>([&](auto k) { x[k] = from.all(at + number(k, in, in3)); });
        else
          each<r>([&](auto k) { x[k] = from.part(at + number(k, in, in3), pass.width - b); });
        butterfly(x);
        double* const to = hidden(dst);
        store_blocks(to, x[0]);
        each<r - 1>([&](auto j) {
          store_blocks(to + number(j + 1, out, out3), times(x[j + 1], load_blocks(twiddle + 2 * W * j)));
        });
      }
    }
}

// W rows of lanes as W rows of the other direction, both in the order of lanes; column i goes to dst + i pitch, for the
// first `columns`.
LUMARCH_INLINE void turn_tile(double* dst, std::size_t pitch, const Z (&z)[W], std::size_t columns) {
  V re[W], im[W];
  each<W>([&](auto i) {
    re[i] = z[lane_order(i, W)].re;
    im[i] = z[lane_order(i, W)].im;
  });
  transpose(re);
  transpose(im);
  each<W>([&](auto l) {
    if (lane_order(l, W) < columns) store_blocks(dst + 2 * pitch * lane_order(l, W), {re[l], im[l]});
  });
}

void turn(double* dst, std::size_t dst_pitch, const double* src, std::size_t rows, std::size_t lanes,
          std::size_t columns) {
  for (std::size_t b = 0; b < columns; b += W)
    for (std::size_t e = 0; e < rows; e += W) {
      Z z[W];
      each<W>([&](auto i) { z[i] = e + i < rows ? load_blocks(src + 2 * ((e + i) * lanes + b)) : Z{}; });
      turn_tile(dst + 2 * (b * dst_pitch + e), dst_pitch, z, columns - b);
    }
}

// Radix 8 as the only pass of its kind: eight rows of lanes become rows of eight.
template <class From>
void corner_pass(const Pass& pass) {
  const From from(pass);
  const std::size_t width = pass.width, step = hidden(2 * pass.src_pitch), step3 = hidden(3 * step);
  for (std::size_t b = 0; b < width; b += W) {
    const double* const twiddle = pass.twiddles + 14 * b;
    Z x[8];
    const std::size_t columns = width - b < W ? width - b : W;
    if (columns == W)
      each<8>([&](auto k) { x[k] = from.all(2 * b + number(k, step, step3)); });
    else
      each<8>([&](auto k) { x[k] = from.part(2 * b + number(k, step, step3), columns); });
    butterfly(x);
    each<7>([&](auto j) { x[j + 1] = times(x[j + 1], load_blocks(twiddle + 2 * W * j)); });
    each<8 / W>([&](auto g) {
      Z z[W];
      each<W>([&](auto i) { z[i] = x[g * W + i]; });
      if (columns == W)
        turn_tile(pass.dst + 2 * (8 * b + g * W), 8, z, W);
      else
        turn_tile(pass.dst + 2 * (8 * b + g * W), 8, z, columns);
    });
  }
}

template <std::size_t r>
constexpr void fill(FftPasses& t) {
  t.first[0][r] = &first_pass<r, Pairs<false>>;
  t.first[1][r] = &first_pass<r, Pairs<true>>;
  t.middle[r] = &middle_pass<r>;
  t.last[0][r] = &last_pass<r, ToPairs<false>>;
  t.last[1][r] = &last_pass<r, ToPairs<true>>;
  t.last_times[r] = &last_pass<r, Times>;
  t.last_response[0][r] = &last_pass<r, Response<false>>;
  t.last_response[1][r] = &last_pass<r, Response<true>>;
  t.lanes_first[0][r] = &lanes_pass<r, Pairs<false>>;
  t.lanes_first[1][r] = &lanes_pass<r, Pairs<true>>;
  t.lanes_middle[r] = &lanes_pass<r, Blocks>;
  t.squares_lanes_first[r] = &lanes_pass<r, Squares>;
}

constexpr FftPasses make_table() {
  FftPasses t{};
  t.W = W;
  fill<1>(t);
  fill<2>(t);
  fill<3>(t);
  fill<4>(t);
  fill<5>(t);
  fill<7>(t);
  fill<8>(t);
  t.corner[0] = &corner_pass<Pairs<false>>;
  t.corner[1] = &corner_pass<Pairs<true>>;
  t.squares_corner = &corner_pass<Squares>;
  t.turn = &turn;
  t.untangle = &untangle;
  t.tangle = &tangle;
  t.filter = &filter;
  return t;
}

}  // namespace

extern const FftPasses fft_passes;
const FftPasses fft_passes = make_table();

}  // namespace lumarch::cpu::LUMARCH_ROWS
