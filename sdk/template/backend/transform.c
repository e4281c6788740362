/* SPDX-License-Identifier: Apache-2.0
 * Radix 2 for powers of two; any other length is a plain sum, whose time grows with n^2. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"

c128 times(c128 a, c128 b) { /* C's own product repairs NaN: here they are passed on */
  return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b), creal(a) * cimag(b) + cimag(a) * creal(b));
}

/* The rows of a plan are one piece of memory, which begins at root. */
lm_status prepare_plan(lm_device* d, lm_plan* p) {
  if (!(p->root = calloc((size_t)(5 * p->n + 1), sizeof(c128)))) return fail(d, LM_E_NOMEM, "no memory for a plan");
  p->in = p->root + p->n;
  p->out = p->in + p->n;
  p->spectrum = p->out + p->n;
  for (int64_t k = 0; k < p->n; ++k) {
    const double angle = p->fft.direction * 2 * 3.14159265358979323846 * (double)k / (double)p->n;
    p->root[k] = CMPLX(cos(angle), sin(angle));
  }
  return LM_OK;
}

void transform(const lm_plan* p, const c128* from, c128* out) {
  const int64_t n = p->n;
  const c128* x = memcpy(p->in, from, sizeof(c128) * (size_t)n);
  if (n & (n - 1)) {
    for (int64_t k = 0; k < n; ++k) {
      out[k] = 0;
      for (int64_t s = 0, turns = 0; s < n; ++s, turns = (turns + k) % n) out[k] += times(x[s], p->root[turns]);
    }
    return;
  }
  for (int64_t s = 0, k = 0; s < n; ++s) { /* k is s with its bits in reverse */
    out[k] = x[s];
    int64_t bit = n >> 1;
    for (; k & bit; bit >>= 1) k ^= bit;
    k |= bit;
  }
  for (int64_t half = 1; half < n; half *= 2)
    for (int64_t at = 0; at < n; at += 2 * half)
      for (int64_t k = 0; k < half; ++k) {
        const c128 odd = times(out[at + half + k], p->root[k * (n / (2 * half))]);
        out[at + half + k] = out[at + k] - odd;
        out[at + k] += odd;
      }
}
void real_to_half(const lm_plan* p, const double* from, c128* out) {
  for (int64_t s = 0; s < p->n; ++s) p->in[s] = from[s];
  transform(p, p->in, p->out);
  memcpy(out, p->out, sizeof(c128) * (size_t)(p->n / 2 + 1));
}
void half_to_real(const lm_plan* p, const c128* from, double* out) {
  for (int64_t k = 0; k < p->n; ++k) p->out[k] = 2 * k <= p->n ? from[k] : conj(from[p->n - k]);
  p->out[0] = creal(p->out[0]);
  if (p->n % 2 == 0) p->out[p->n / 2] = creal(p->out[p->n / 2]);
  transform(p, p->out, p->out);
  for (int64_t s = 0; s < p->n; ++s) out[s] = creal(p->out[s]);
}
