// SPDX-License-Identifier: Apache-2.0
// Products, responses, and the table of a variant.
#include "basics.hpp"

namespace lumarch::cpu::LUMARCH_ROWS {
namespace {

void fill(double* out, double re, double im, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    out[2 * i] = re;
    out[2 * i + 1] = im;
  }
}

void multiply(double* out, const double* x, const double* y, std::size_t n) {
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) {
    const double xr = x[2 * i], xi = x[2 * i + 1], yr = y[2 * i], yi = y[2 * i + 1];
    out[2 * i] = product_re(xr, xi, yr, yi);
    out[2 * i + 1] = product_im(xr, xi, yr, yi);
  }
}

void multiply_real(double* out, const double* x, const double* y, std::size_t n) {
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) {
    const double xr = x[2 * i], xi = x[2 * i + 1], factor = y[i];
    out[2 * i] = xr * factor;
    out[2 * i + 1] = xi * factor;
  }
}

void divide(double* out, const double* x, const double* E, std::size_t n) {
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) {
    const double xr = x[2 * i], xi = x[2 * i + 1], er = E[2 * i], ei = E[2 * i + 1];
    const double norm = fma(er, er, ei * ei);
    out[2 * i] = product_re(xr, xi, er, -ei) / norm;
    out[2 * i + 1] = product_im(xr, xi, er, -ei) / norm;
  }
}

template <bool add>
void kerr_row(double* P, const double* A, double c, std::size_t n) {
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) {
    const double re = A[2 * i], im = A[2 * i + 1];
    const double factor = c * fma(re, re, im * im);
    P[2 * i] = add ? fma(re, factor, P[2 * i]) : re * factor;
    P[2 * i + 1] = add ? fma(im, factor, P[2 * i + 1]) : im * factor;
  }
}
void kerr(double* P, const double* A, double c, bool accumulate, std::size_t n) {
  accumulate ? kerr_row<true>(P, A, c, n) : kerr_row<false>(P, A, c, n);
}

void intensity(double* I, const double* A, std::size_t n) {
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) {
    const double re = A[2 * i], im = A[2 * i + 1];
    I[i] = fma(re, re, im * im);
  }
}

// |A|^2 is formed anew where Kerr's part needs it: the transform has overwritten the row that held it.
template <bool add, bool with_kerr>
void raman_row(double* P, const double* A, const double* R, double c, std::size_t n) {
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) {
    const double re = A[2 * i], im = A[2 * i + 1];
    const double factor = with_kerr ? fma(c, fma(re, re, im * im), R[i]) : R[i];
    P[2 * i] = add ? fma(re, factor, P[2 * i]) : re * factor;
    P[2 * i + 1] = add ? fma(im, factor, P[2 * i + 1]) : im * factor;
  }
}
void raman(double* P, const double* A, const double* R, bool accumulate, std::size_t n) {
  accumulate ? raman_row<true, false>(P, A, R, 0.0, n) : raman_row<false, false>(P, A, R, 0.0, n);
}
void kerr_raman(double* P, const double* A, const double* R, double c, bool accumulate, std::size_t n) {
  accumulate ? raman_row<true, true>(P, A, R, c, n) : raman_row<false, true>(P, A, R, c, n);
}

template <bool with_noise, bool with_pre>
void launch_row(double* out, const double* u, const double* noise, const double* pre, std::size_t n) {
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) {
    const double re = with_noise ? u[2 * i] + noise[2 * i] : u[2 * i];
    const double im = with_noise ? u[2 * i + 1] + noise[2 * i + 1] : u[2 * i + 1];
    const double factor = with_pre ? pre[i] : 1.0;
    out[2 * i] = with_pre ? re * factor : re;
    out[2 * i + 1] = with_pre ? im * factor : im;
  }
}
void launch(double* out, const double* u, const double* noise, const double* pre, std::size_t n) {
  if (noise)
    pre ? launch_row<true, true>(out, u, noise, pre, n) : launch_row<true, false>(out, u, noise, pre, n);
  else
    pre ? launch_row<false, true>(out, u, noise, pre, n) : launch_row<false, false>(out, u, noise, pre, n);
}

}  // namespace

extern const RowFunctions table;
const RowFunctions table = {LUMARCH_ROWS_NAME, LUMARCH_ROWS_LEVEL, &fill,   &lincomb,   &multiply, &multiply_real,
                            &divide,           &propagator,        &kerr,   &intensity, &raman,    &kerr_raman,
                            &launch,           &squares,           &combine};

}  // namespace lumarch::cpu::LUMARCH_ROWS
