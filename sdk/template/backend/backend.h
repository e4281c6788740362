/* SPDX-License-Identifier: Apache-2.0
 * A whole backend in plain C11 to start from: host memory, one thread, the nine required kernels.
 *   device.c     the device table: memory, plans; and what the plugin exports
 *   rows.c       what a call's views name, checked, and the loop over its rows
 *   kernels.c    the kernels, as docs/kernels.md has them
 *   transform.c  Fourier transforms: put your library's here
 * Rename: the NAME in CMakeLists.txt, "template" in device.c. Check it: lumarch-conform liblumarch_backend_NAME.so */
#ifndef BACKEND_H
#define BACKEND_H

#include <complex.h>
#include <lumarch/abi.h>
#include <lumarch/abi_params.h>

typedef double _Complex c128;

struct lm_plan {
  lm_plan* next;
  int64_t n; /* 0: a propagator */
  lm_fft_desc fft;
  lm_propagator_desc linear;
  c128 *root, *in, *out, *spectrum; /* exp(direction 2 pi i k/n), and rows to work in: a device has one thread */
};

typedef struct buffer {
  char* data;
  uint64_t bytes;
} buffer;

struct lm_device {
  buffer* buffers; /* a handle is an index + 1, and is never used again */
  uint64_t n_buffers;
  lm_plan* plans;
  lm_exec exec;
  char error[160];
};

/* Leaves the words for last_error. */
lm_status fail(lm_device* d, lm_status status, const char* format, ...) __attribute__((format(printf, 3, 4)));
#define NEED(d, condition, ...) \
  if (!(condition)) return fail(d, LM_E_ARG, __VA_ARGS__)
#define TRY(call) \
  for (lm_status tried = (call); tried != LM_OK;) return tried

/* ---- rows.c ---- */
typedef struct rows { /* of one view */
  char* base;
  uint64_t size, pitch[4], bank; /* size: bytes of an element */
  int64_t n;
  uint32_t flip;
} rows;

typedef struct job { /* one call */
  lm_device* d;
  const lm_call* call;
  char *h, *active, *parity, *status, *numbers; /* of the member block */
  const lm_view* shape;                         /* the view whose rows are gone through */
  rows view[LM_MAX_TERMS + 1];
  void* row[LM_MAX_TERMS + 1]; /* the present one of each view, of this member */
  uint32_t member, new_member;
} job;

/* Checks the call, its members and that there are so many views and parameters. */
lm_status begin(job* j, lm_device* d, const lm_call* c, uint32_t n_views, size_t params_size);
/* View v as number i of the job: rows of n samples (n < 0: any number) of that element type. The first is the shape. */
lm_status take(job* j, uint32_t i, const lm_view* v, int32_t dtype, int64_t n);
/* Calls body for each row of the shape of each running member. */
lm_status each_row(job* j, uint32_t n_views, void (*body)(job*));

/* ---- transform.c ---- */
c128 times(c128 a, c128 b); /* C's own product repairs NaN: here they are passed on */
lm_status prepare_plan(lm_device* d, lm_plan* p);
void transform(const lm_plan* p, const c128* from, c128* out);
void real_to_half(const lm_plan* p, const double* from, c128* out);
void half_to_real(const lm_plan* p, const c128* from, double* out);

/* ---- kernels.c ---- */
lm_status register_kernels(const lm_registrar* to);

#endif
