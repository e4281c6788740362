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
  for (std::size_t i = 0; i < n; ++i) store(out, i, times(load(x, i), load(y, i)));
}

void multiply_real(double* out, const double* x, const double* y, std::size_t n) {
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) store(out, i, scaled(load(x, i), y[i]));
}

void divide(double* out, const double* x, const double* E, std::size_t n) {
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) store(out, i, divided(load(x, i), load(E, i)));
}

template <bool add>
void kerr_row(double* P, const double* A, double c, std::size_t n) {
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) {
    const c128 a = load(A, i);
    store(P, i, response(add ? load(P, i) : a, a, kerr_factor(a, c), add));
  }
}
void kerr(double* P, const double* A, double c, bool accumulate, std::size_t n) {
  accumulate ? kerr_row<true>(P, A, c, n) : kerr_row<false>(P, A, c, n);
}

void intensity_row(double* I, const double* A, std::size_t n) {
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) I[i] = intensity(load(A, i));
}

// |A|^2 is formed anew where Kerr's part needs it: the transform has overwritten the row that held it.
template <bool add, bool with_kerr>
void raman_row(double* P, const double* A, const double* R, double c, std::size_t n) {
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) {
    const c128 a = load(A, i);
    const double factor = with_kerr ? kerr_raman_factor(a, c, R[i]) : R[i];
    store(P, i, response(add ? load(P, i) : a, a, factor, add));
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
    const c128 value = with_noise ? plus(load(u, i), load(noise, i)) : load(u, i);
    store(out, i, with_pre ? scaled(value, pre[i]) : value);
  }
}
void launch(double* out, const double* u, const double* noise, const double* pre, std::size_t n) {
  if (noise)
    pre ? launch_row<true, true>(out, u, noise, pre, n) : launch_row<true, false>(out, u, noise, pre, n);
  else
    pre ? launch_row<false, true>(out, u, noise, pre, n) : launch_row<false, false>(out, u, noise, pre, n);
}

}  // namespace

extern const FftPasses fft_passes;
extern const MediaRows media_rows;
extern const RowFunctions table;
const RowFunctions table = {LUMARCH_ROWS_NAME, LUMARCH_ROWS_LEVEL, &fill,    &lincomb,       &multiply,  &multiply_real,
                            &divide,           &propagator,        &kerr,    &intensity_row, &raman,     &kerr_raman,
                            &launch,           &squares,           &combine, &fft_passes,    &media_rows};

}  // namespace lumarch::cpu::LUMARCH_ROWS
