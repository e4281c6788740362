// SPDX-License-Identifier: Apache-2.0
// Real rows: n real numbers are m = n/2 pairs; Z, the transform of the pairs, and X, that of the row, belong together
// like this, with t_k = -i exp(-2 pi i k / n), S = Z_k + conj Z_{m-k} and D = Z_k - conj Z_{m-k}:
//   X_k = (S + t D)/2, X_{m-k} = conj (S - t D)/2; and back, unnormalised, with S and D of X: Z_k = S + conj(t) D.
#include "lanes.hpp"

namespace lumarch::cpu::LUMARCH_ROWS {
namespace {

template <class T>
struct Two {
  T low, high;  // k and m - k
};

// One k or a vector of them: T is Z, or c128 (for k = m - k and the rest).
LUMARCH_INLINE c128 operator+(c128 a, c128 b) { return {a.re + b.re, a.im + b.im}; }
LUMARCH_INLINE c128 operator-(c128 a, c128 b) { return {a.re - b.re, a.im - b.im}; }
template <class T>
LUMARCH_INLINE T conjugated(T a) {
  return {a.re, -a.im};
}
LUMARCH_INLINE c128 halved(c128 a) { return {0.5 * a.re, 0.5 * a.im}; }
LUMARCH_INLINE Z halved(Z a) { return {0.5 * a.re, 0.5 * a.im}; }

template <class T>
LUMARCH_INLINE Two<T> untangled(Two<T> z, T t) {
  const T s = z.low + conjugated(z.high), d = times(z.low - conjugated(z.high), t);
  return {halved(s + d), conjugated(halved(s - d))};
}
template <class T>
LUMARCH_INLINE Two<T> tangled(Two<T> x, T t) {
  const T s = x.low + conjugated(x.high), d = times(x.low - conjugated(x.high), conjugated(t));
  return {s + d, conjugated(s - d)};
}

// out_k, out_{m-k} = change(in_k, in_{m-k}, k, m - k) for k = 1 ... m/2.
template <class Change>
LUMARCH_INLINE void each_two(double* out, const double* in, const double* t, std::size_t m, Change change) {
  std::size_t k = 1;
  for (; k + W <= m - m / 2; k += W) {  // the highest k is below the lowest m - k
    const std::size_t mirror = m - k - W + 1;
    const Two<Z> z = change(Two<Z>{load_pairs(in + 2 * k), backwards(load_pairs(in + 2 * mirror))},
                            load_pairs(t + 2 * k), k, mirror);
    store_pairs(out + 2 * k, z.low);
    store_pairs(out + 2 * mirror, backwards(z.high));
  }
  for (; k <= m / 2; ++k) {
    const Two<c128> z = change(Two<c128>{load(in, k), load(in, m - k)}, load(t, k), k, m - k);
    store(out, k, z.low);
    store(out, m - k, z.high);
  }
}

struct Untangle {
  template <class T>
  LUMARCH_INLINE Two<T> operator()(Two<T> z, T t, std::size_t, std::size_t) const {
    return untangled(z, t);
  }
};
struct Tangle {
  template <class T>
  LUMARCH_INLINE Two<T> operator()(Two<T> x, T t, std::size_t, std::size_t) const {
    return tangled(x, t);
  }
};
struct Filter {
  const double* H;
  LUMARCH_INLINE Two<Z> operator()(Two<Z> z, Z t, std::size_t k, std::size_t mirror) const {
    const Two<Z> x = untangled(z, t);
    return tangled(Two<Z>{times(x.low, load_pairs(H + 2 * k)), times(x.high, backwards(load_pairs(H + 2 * mirror)))},
                   t);
  }
  LUMARCH_INLINE Two<c128> operator()(Two<c128> z, c128 t, std::size_t k, std::size_t mirror) const {
    const Two<c128> x = untangled(z, t);
    return tangled(Two<c128>{times(x.low, load(H, k)), times(x.high, load(H, mirror))}, t);
  }
};

}  // namespace

void untangle(double* X, const double* Z, const double* t, std::size_t m) {
  const c128 z = load(Z, 0);
  each_two(X, Z, t, m, Untangle{});
  store(X, 0, {z.re + z.im, 0.0});
  store(X, m, {z.re - z.im, 0.0});
}

void tangle(double* Z, const double* X, const double* t, std::size_t m) {
  const double first = X[0], last = X[2 * m];
  each_two(Z, X, t, m, Tangle{});
  store(Z, 0, {first + last, first - last});
}

void filter(double* Z, const double* H, const double* t, std::size_t m) {
  const c128 z = load(Z, 0);
  const c128 first = times({z.re + z.im, 0.0}, load(H, 0)), last = times({z.re - z.im, 0.0}, load(H, m));
  each_two(Z, Z, t, m, Filter{H});
  store(Z, 0, {first.re + last.re, first.re - last.re});
}

}  // namespace lumarch::cpu::LUMARCH_ROWS
