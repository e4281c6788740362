/* SPDX-License-Identifier: Apache-2.0
 * The nine required kernels: each has a function that checks its call, and one that works on a row. */
#include <math.h>
#include <string.h>

#include "backend.h"

static double norm2(c128 a) { return creal(a) * creal(a) + cimag(a) * cimag(a); }
#define EACH(j, s) for (int64_t s = 0; s < (j)->view[0].n; ++s)
#define PARAMS(j, type) ((const type*)(j)->call->params)

static void fill_row(job* j) {
  const lm_p_fill* p = PARAMS(j, lm_p_fill);
  EACH(j, s) {
    if (j->shape->dtype == LM_F64)
      ((double*)j->row[0])[s] = p->re;
    else
      ((c128*)j->row[0])[s] = CMPLX(p->re, p->im);
  }
}
static lm_status fill(lm_device* d, const lm_call* c) {
  job j;
  TRY(begin(&j, d, c, 1, sizeof(lm_p_fill)));
  TRY(take(&j, 0, c->views, c->views->dtype == LM_F64 ? LM_F64 : LM_C128, -1));
  return each_row(&j, 1, fill_row);
}

static c128 sum(const job* j, int64_t s) {
  const lm_p_combine* p = PARAMS(j, lm_p_combine);
  c128 all = 0;
  for (uint32_t i = 0; i < p->n; ++i)
    all += (p->term[i].hpow ? p->term[i].c * ((double*)j->h)[j->member] : p->term[i].c) * ((c128*)j->row[i + 1])[s];
  return all;
}
static void lincomb_row(job* j) { EACH(j, s)((c128*)j->row[0])[s] = sum(j, s); }
static void error_row(job* j) {
  double* numbers =
      (double*)j->numbers + (uint64_t)j->member * j->call->members->n_numbers + PARAMS(j, lm_p_combine)->slot;
  if (j->new_member) numbers[0] = numbers[1] = 0;
  EACH(j, s) numbers[0] += norm2(sum(j, s)), numbers[1] += norm2(((c128*)j->row[0])[s]);
}
static lm_status combine(lm_device* d, const lm_call* c, int error) {
  job j;
  TRY(begin(&j, d, c, 2, sizeof(lm_p_combine)));
  const lm_p_combine* p = PARAMS(&j, lm_p_combine);
  NEED(d, p->n >= 1 && p->n <= LM_MAX_TERMS && c->n_views > p->n, "1 to 8 terms, a view each");
  NEED(d, !error || (c->members->n_numbers >= 2 && p->slot <= c->members->n_numbers - 2),
       "the slot lies outside the numbers");
  for (uint32_t i = 0; i <= p->n; ++i) TRY(take(&j, i, &c->views[i], LM_C128, i ? j.view[0].n : -1));
  for (uint32_t i = 0; i < p->n; ++i)
    NEED(d, p->term[i].level == 0 && (p->term[i].hpow | 1) == 1, "a level, or a power of h, that is not there");
  return each_row(&j, p->n + 1, error ? error_row : lincomb_row);
}
static lm_status lincomb(lm_device* d, const lm_call* c) { return combine(d, c, 0); }
static lm_status reduce_error(lm_device* d, const lm_call* c) { return combine(d, c, 1); }

static void mul_row(job* j) {
  EACH(j, s)
  ((c128*)j->row[0])[s] = j->view[2].size == 8 ? ((c128*)j->row[1])[s] * ((double*)j->row[2])[s]
                                               : times(((c128*)j->row[1])[s], ((c128*)j->row[2])[s]);
}
static void divide_row(job* j) {
  EACH(j, s)
  ((c128*)j->row[0])[s] = times(((c128*)j->row[1])[s], conj(((c128*)j->row[2])[s])) / norm2(((c128*)j->row[2])[s]);
}
static lm_status product(lm_device* d, const lm_call* c, size_t params_size) {
  job j;
  TRY(begin(&j, d, c, 3, params_size));
  const uint32_t flags = params_size ? PARAMS(&j, lm_p_apply)->flags : 0;
  NEED(d, !(flags & ~(uint32_t)LM_APPLY_INVERSE), "unknown flags");
  TRY(take(&j, 0, &c->views[0], LM_C128, -1));
  TRY(take(&j, 1, &c->views[1], LM_C128, j.view[0].n));
  TRY(take(&j, 2, &c->views[2], !params_size && c->views[2].dtype == LM_F64 ? LM_F64 : LM_C128, j.view[0].n));
  return each_row(&j, 3, flags ? divide_row : mul_row);
}
static lm_status mul(lm_device* d, const lm_call* c) { return product(d, c, 0); }
static lm_status apply(lm_device* d, const lm_call* c) { return product(d, c, sizeof(lm_p_apply)); }

static void kerr_row(job* j) {
  const lm_p_response* p = PARAMS(j, lm_p_response);
  const c128* A = j->row[0];
  c128* P = j->row[1];
  EACH(j, s) P[s] = p->c * norm2(A[s]) * A[s] + (p->flags ? P[s] : 0);
}
static lm_status kerr(lm_device* d, const lm_call* c) {
  job j;
  TRY(begin(&j, d, c, 2, sizeof(lm_p_response)));
  NEED(d, !(PARAMS(&j, lm_p_response)->flags & ~(uint32_t)LM_RESPONSE_ACCUMULATE), "unknown flags");
  for (uint32_t i = 0; i < 2; ++i) TRY(take(&j, i, &c->views[i], LM_C128, i ? j.view[0].n : -1));
  return each_row(&j, 2, kerr_row);
}

static void prepare_row(job* j) {
  const lm_propagator_desc* linear = &j->call->plans[0]->linear;
  EACH(j, s) {
    const c128 e = linear->node * ((double*)j->h)[j->member] * ((c128*)j->row[1])[s];
    ((c128*)j->row[0])[s] = (linear->lossless ? 1.0 : exp(creal(e))) * CMPLX(cos(cimag(e)), sin(cimag(e)));
  }
}
static lm_status prepare(lm_device* d, const lm_call* c) {
  job j;
  TRY(begin(&j, d, c, 1, 0));
  NEED(d, c->n_plans && c->plans && c->plans[0] && !c->plans[0]->n, "a propagator is needed");
  TRY(take(&j, 0, &c->views[0], LM_C128, -1));
  TRY(take(&j, 1, &c->plans[0]->linear.D, LM_C128, j.view[0].n));
  return each_row(&j, 2, prepare_row);
}

static void fft_row(job* j) {
  const lm_plan* p = j->call->plans[0];
  if (p->fft.kind == LM_FFT_C2C)
    transform(p, j->row[1], j->row[0]);
  else if (p->fft.kind == LM_FFT_R2C)
    real_to_half(p, j->row[1], j->row[0]);
  else
    half_to_real(p, j->row[1], j->row[0]);
}
static lm_status fft(lm_device* d, const lm_call* c) {
  job j;
  TRY(begin(&j, d, c, 2, 0));
  NEED(d, c->n_plans && c->plans && c->plans[0] && c->plans[0]->n, "a transform is needed");
  const lm_fft_desc* f = &c->plans[0]->fft;
  for (uint32_t i = 0; i < 2; ++i) {
    const int real = f->kind == (i ? LM_FFT_R2C : LM_FFT_C2R), half = f->kind != LM_FFT_C2C && !real;
    TRY(take(&j, i, &c->views[i], real ? LM_F64 : LM_C128, half ? f->n / 2 + 1 : f->n));
  }
  return each_row(&j, 2, fft_row);
}

static void raman_row(job* j) {
  const lm_plan* p = j->call->plans[0];
  const c128 *A = j->row[0], *H = j->row[2];
  c128* P = j->row[1];
  double* power = (double*)(p->spectrum + p->n / 2 + 1);
  EACH(j, s) power[s] = norm2(A[s]);
  real_to_half(p, power, p->spectrum);
  for (int64_t k = 0; k <= p->n / 2; ++k) p->spectrum[k] = times(p->spectrum[k], H[k]);
  half_to_real(j->call->plans[1], p->spectrum, power);
  EACH(j, s) P[s] = power[s] * A[s] + (PARAMS(j, lm_p_response)->flags ? P[s] : 0);
}
static lm_status raman(lm_device* d, const lm_call* c) {
  job j;
  TRY(begin(&j, d, c, 3, sizeof(lm_p_response)));
  NEED(d, !(PARAMS(&j, lm_p_response)->flags & ~(uint32_t)LM_RESPONSE_ACCUMULATE), "unknown flags");
  for (uint32_t i = 0; i < 3; ++i)
    TRY(take(&j, i, &c->views[i], LM_C128, i == 0 ? -1 : i == 1 ? j.view[0].n : j.view[0].n / 2 + 1));
  for (uint32_t i = 0; i < 2; ++i)
    NEED(d,
         c->n_plans == 2 && c->plans && c->plans[i] && c->plans[i]->n == j.view[0].n &&
             c->plans[i]->fft.kind == (i ? LM_FFT_C2R : LM_FFT_R2C),
         "r2c and c2r of the rows' length are needed");
  return each_row(&j, 3, raman_row);
}

lm_status register_kernels(const lm_registrar* to) {
  const struct {
    const char* name;
    lm_kernel_fn fn;
  } kernels[] = {
      {"core.fill", fill},     {"core.lincomb", lincomb}, {"core.mul", mul},
      {"fft.exec", fft},       {"lin.prepare", prepare},  {"lin.apply", apply},
      {"response.kerr", kerr}, {"response.raman", raman}, {"reduce.error", reduce_error},
  };
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i)
    TRY(to->kernel(to->ctx, NULL, kernels[i].name, 1, kernels[i].fn));
  return LM_OK;
}
