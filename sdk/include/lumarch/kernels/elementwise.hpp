// SPDX-License-Identifier: Apache-2.0
// Kernels that make each sample from the same sample of their inputs. A body is a value that a launch copies to the
// device; body(grid, place, sample) does one sample. docs/kernels.md says what each kernel means.
#pragma once

#include <lumarch/abi_params.h>
#include <lumarch/kernels/elements.hpp>
#include <lumarch/kernels/grid.hpp>

#if !defined(__CUDACC__) && !defined(__HIPCC__)
#include <math.h>
#endif

namespace lumarch::kernels {

struct Fill {
  Rows<c128> out;
  c128 value;
  LM_MEMBER void operator()(const Grid&, const Place& at, int64_t s) const { out(at)[s] = value; }
};

struct FillReal {
  Rows<double> out;
  double value;
  LM_MEMBER void operator()(const Grid&, const Place& at, int64_t s) const { out(at)[s] = value; }
};

// sum_j c_j h^p_j x_j over terms first ... last - 1, from the lowest j up.
struct Combination {
  Rows<const c128> x[LM_MAX_TERMS];
  double c[LM_MAX_TERMS];
  int32_t hpow[LM_MAX_TERMS];
  uint32_t scale[LM_MAX_TERMS];  // 0, or 1 + an entry of the member's factors
  int32_t n = 0;

  [[nodiscard]] LM_MEMBER double coefficient(const Grid& grid, const Place& at, int j) const {
    const double fixed = scale[j] ? c[j] * grid.scale_of(at, scale[j]) : c[j];
    return hpow[j] ? fixed * grid.step(at) : fixed;
  }
  [[nodiscard]] LM_MEMBER c128 sum(const Grid& grid, const Place& at, int64_t s, int first, int last) const {
    c128 total = {0.0, 0.0};
    for (int j = first; j < last; ++j) {
      const c128 value = x[j](at)[s];
      const double factor = coefficient(grid, at, j);
      total = j == first ? scaled(value, factor) : plus_scaled(total, factor, value);
    }
    return total;
  }
};

struct LinearCombination {
  Rows<c128> out;
  Combination terms;
  LM_MEMBER void operator()(const Grid& grid, const Place& at, int64_t s) const {
    out(at)[s] = terms.sum(grid, at, s, 0, terms.n);
  }
};

// out = S0 + E (S1 + E S2); the terms of a level stand together, level 0 first, and end at end[level].
struct StepCombine {
  Rows<c128> out;
  Rows<const c128> E;
  Combination terms;
  int32_t end[3];
  LM_MEMBER void operator()(const Grid& grid, const Place& at, int64_t s) const {
    c128 total = terms.sum(grid, at, s, end[1], end[2]);
    if (end[2] > end[0]) {
      const c128 factor = E(at)[s];
      if (end[2] > end[1]) total = plus(terms.sum(grid, at, s, end[0], end[1]), times(factor, total));
      if (end[2] == end[1]) total = terms.sum(grid, at, s, end[0], end[1]);
      total = times(factor, total);
    }
    out(at)[s] = plus(terms.sum(grid, at, s, 0, end[0]), total);
  }
};

struct Multiply {
  Rows<c128> out;
  Rows<const c128> x, table;
  LM_MEMBER void operator()(const Grid&, const Place& at, int64_t s) const {
    out(at)[s] = times(x(at)[s], table(at)[s]);
  }
};

struct MultiplyReal {
  Rows<c128> out;
  Rows<const c128> x;
  Rows<const double> table;
  LM_MEMBER void operator()(const Grid&, const Place& at, int64_t s) const {
    out(at)[s] = scaled(x(at)[s], table(at)[s]);
  }
};

struct Divide {
  Rows<c128> out;
  Rows<const c128> x, E;
  LM_MEMBER void operator()(const Grid&, const Place& at, int64_t s) const { out(at)[s] = divided(x(at)[s], E(at)[s]); }
};

// exp(node h D).
struct Propagator {
  Rows<c128> E;
  Rows<const c128> D;
  double node;
  int32_t lossless;
  LM_MEMBER void operator()(const Grid& grid, const Place& at, int64_t s) const {
    const c128 exponent = scaled(D(at)[s], node * grid.step(at));
    const double size = lossless ? 1.0 : exp(exponent.re);
    E(at)[s] = {size * cos(exponent.im), size * sin(exponent.im)};
  }
};

struct Kerr {
  Rows<const c128> A;
  Rows<c128> P;
  double c;
  bool accumulate;
  LM_MEMBER void operator()(const Grid&, const Place& at, int64_t s) const {
    const c128 a = A(at)[s];
    P(at)[s] = response(accumulate ? P(at)[s] : a, a, kerr_factor(a, c), accumulate);
  }
};

struct Intensity {
  Rows<const c128> A;
  Rows<double> I;
  LM_MEMBER void operator()(const Grid&, const Place& at, int64_t s) const { I(at)[s] = intensity(A(at)[s]); }
};

// P (+)= A (c |A|^2 + R), R the convolution of Raman's response with the intensity; c is 0 for Raman alone.
struct KerrRaman {
  Rows<const c128> A;
  Rows<const double> R;
  Rows<c128> P;
  double c;
  bool with_kerr, accumulate;
  LM_MEMBER void operator()(const Grid&, const Place& at, int64_t s) const {
    const c128 a = A(at)[s];
    const double factor = with_kerr ? kerr_raman_factor(a, c, R(at)[s]) : R(at)[s];
    P(at)[s] = response(accumulate ? P(at)[s] : a, a, factor, accumulate);
  }
};

// pre (u + noise), what a right-hand side takes to time.
struct Launch {
  Rows<c128> out;
  Rows<const c128> u, noise;
  Rows<const double> pre;
  LM_MEMBER void operator()(const Grid&, const Place& at, int64_t s) const {
    c128 value = u(at)[s];
    if (noise.given()) value = plus(value, noise(at)[s]);
    out(at)[s] = pre.given() ? scaled(value, pre(at)[s]) : value;
  }
};

// From rows as they lie to rows in the order of the launch, one after the other, and back: transforms want them so.
template <class T>
struct Copy {
  Rows<T> to;
  Rows<const T> from;
  LM_MEMBER void operator()(const Grid&, const Place& at, int64_t s) const { to(at)[s] = from(at)[s]; }
};

}  // namespace lumarch::kernels
