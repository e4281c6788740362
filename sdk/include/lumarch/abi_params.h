/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameter structs of the kernels that lumarch knows; docs/kernels.md says which kernel takes which, and what its
 * views are. Each begins with struct_size; unknown flags are LM_E_UNSUPPORTED.
 */
#ifndef LUMARCH_ABI_PARAMS_H
#define LUMARCH_ABI_PARAMS_H

#include <lumarch/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LM_MAX_TERMS 8

/* A coefficient c * h^hpow of a view, and how many times the propagator factor is applied to it: nothing here
 * changes from attempt to attempt, the kernel forms it from the member's h. */
typedef struct lm_term {
  double c;
  int32_t hpow;  /* 0 or 1 */
  int32_t level; /* 0, 1, 2: powers of E; in core.lincomb 2 and reduce.error 2 a scale (since 1.2) */
} lm_term;

typedef struct lm_p_fill { /* core.fill */
  uint32_t struct_size, reserved;
  double re, im;
} lm_p_fill;

typedef struct lm_p_combine { /* core.lincomb, step.combine, reduce.error */
  uint32_t struct_size;
  uint32_t n; /* 1 ... LM_MAX_TERMS */
  lm_term term[LM_MAX_TERMS];
  uint32_t slot; /* reduce.error: the first of its two entries of `numbers` */
  uint32_t reserved;
} lm_p_combine;

enum { LM_APPLY_INVERSE = 1u << 0 };
typedef struct lm_p_apply { /* lin.apply */
  uint32_t struct_size;
  uint32_t flags; /* LM_APPLY_INVERSE: divide by E */
} lm_p_apply;

enum { LM_RESPONSE_ACCUMULATE = 1u << 0 };
typedef struct lm_p_response { /* response.kerr, response.raman, response.kerr_raman */
  uint32_t struct_size;
  uint32_t flags; /* LM_RESPONSE_ACCUMULATE: add to the output in place of overwriting it */
  double c;       /* Kerr's coefficient (1 - f_R); response.raman has f_R in its table and ignores c */
} lm_p_response;

/* A response as the fused right-hand side calls it: views[0] the field and views[1] the polarisation are put in
 * front of `tables`; the call gets these plans, these parameters and the part of the work view after the two rows. */
typedef struct lm_response {
  lm_kernel_fn fn;
  const void* params;
  const lm_view* tables;
  lm_plan* const* plans;
  uint32_t params_size, n_tables, n_plans;
  union {
    uint32_t output; /* rhs.columns: what it adds to, LM_POLARISATION or LM_CURRENT (since 1.2) */
    uint32_t reserved;
  };
  uint64_t work_bytes; /* what its plans and itself need, a worker */
} lm_response;

typedef struct lm_p_rhs { /* rhs.fibre */
  uint32_t struct_size;
  uint32_t n_responses;
  const lm_response* responses;
} lm_p_rhs;

typedef struct lm_p_own_response { /* response.<reverse domain>.<name> (since 1.1) */
  uint32_t struct_size;
  uint32_t flags; /* LM_RESPONSE_ACCUMULATE */
  uint32_t n;     /* as many as its description has parameters */
  uint32_t reserved;
  const double* values; /* SI, in the order of the description; host memory, valid during the call */
} lm_p_own_response;

typedef struct lm_p_edge { /* edge readers (since 1.1) */
  uint32_t struct_size, reserved;
  double measure; /* what a sample counts: the time rim's is dt in s, so that abs(A)^2 dt is an energy in J */
} lm_p_edge;

/* ---- routes with transverse nodes, and media in SI (since 1.2) ----
 * `scale` is 0, or 1 + an entry of the member's `scales`: a factor that depends on z. */

typedef struct lm_p_axis { /* spatial.fft */
  uint32_t struct_size;
  int32_t axis; /* LM_AXIS_OUTER or LM_AXIS_INNER */
} lm_p_axis;

/* How a row of the propagated band lies in a longer row that is taken to time. */
enum {
  LM_BAND_ENVELOPE = 0, /* both in FFT order; the middle of the longer row is empty */
  LM_BAND_HALF = 1,     /* omega >= 0 of a real field, taken to time by c2r: conjugated on the way */
  LM_BAND_ANALYTIC = 2  /* omega >= 0 of a real field, taken to its analytic signal by c2c: doubled above 0 */
};
enum { LM_CROP_ACCUMULATE = 1u << 0 };
typedef struct lm_p_band { /* fft.pad, fft.crop */
  uint32_t struct_size;
  uint32_t flags; /* fft.crop: LM_CROP_ACCUMULATE */
  uint32_t kind;  /* LM_BAND_* */
  uint32_t scale;
} lm_p_band;

typedef struct lm_p_scaled { /* lin.prepare 2 */
  uint32_t struct_size;
  uint32_t n;     /* operators, 1 ... LM_MAX_TERMS */
  uint32_t scale; /* of the first; the others have the entries after it */
  uint32_t reserved;
} lm_p_scaled;

enum { LM_RESPONSE_THIRD_HARMONIC = 1u << 1, LM_RESPONSE_TENSOR = 1u << 2 };

/* response.kerr 2, response.chi2: c = eps0 chi. For envelopes the carrier is exp(-i omega0 t), t = t0 + s dt. */
typedef struct lm_p_kerr {
  uint32_t struct_size;
  uint32_t flags; /* LM_RESPONSE_ACCUMULATE, LM_RESPONSE_THIRD_HARMONIC (kerr of envelopes) */
  uint32_t scale;
  uint32_t reserved;
  double c;
  double saturation; /* kerr: abs(E)^2 becomes abs(E)^2/(1 + saturation abs(E)^2), m^2/V^2; 0: it does not */
  double omega0, t0, dt;
} lm_p_kerr;

typedef struct lm_p_convolution { /* response.convolution */
  uint32_t struct_size;
  uint32_t flags; /* LM_RESPONSE_ACCUMULATE, LM_RESPONSE_TENSOR */
  uint32_t scale;
  uint32_t reserved;
  double c;
} lm_p_convolution;

typedef struct lm_p_plasma { /* response.plasma */
  uint32_t struct_size;
  uint32_t flags; /* LM_RESPONSE_ACCUMULATE */
  uint32_t scale;
  uint32_t reserved;
  double density;           /* of what can be ionised, 1/m^3; times the scale */
  double acceleration;      /* e^2/m_e, C^2/kg */
  double ionisation_energy; /* I_p, J */
  double fraction;          /* ionised before the pulse, 0 ... 1 */
  double dt;
  double field_min, field_step; /* V/m: where the rate's table starts, and its spacing */
} lm_p_plasma;

enum { LM_POLARISATION = 0, LM_CURRENT = 1 };
typedef struct lm_p_columns { /* rhs.columns */
  uint32_t struct_size;
  uint32_t n_responses;
  const lm_response* responses;
  int64_t n;                      /* samples in time */
  uint32_t kind;                  /* LM_BAND_*, on the way to time */
  uint32_t together;              /* nodes that the work area has room for, 1 ... */
  uint32_t pre_scale, post_scale; /* as lm_p_band.scale, on the way in and out */
} lm_p_columns;

/* ---- reads on the state (since 1.3) ---- */
enum {
  LM_READ_ACCUMULATE = 1u << 0, /* add to what stands there; with LM_READ_PEAK the larger of the two */
  LM_READ_REAL = 1u << 1,       /* the square of the real part in place of abs(x)^2 */
  LM_READ_PEAK = 1u << 2        /* read.nodes: the largest sample in place of the sum */
};
typedef struct lm_p_read { /* read.samples, read.nodes */
  uint32_t struct_size;
  uint32_t flags;
  double c;
} lm_p_read;

#ifdef __cplusplus
}
#endif

LM_STATIC_ASSERT(sizeof(lm_p_read) == 16, "lm_p_read");
LM_STATIC_ASSERT(sizeof(lm_p_kerr) == 56, "lm_p_kerr");
LM_STATIC_ASSERT(sizeof(lm_p_columns) == 40, "lm_p_columns");
LM_STATIC_ASSERT(sizeof(lm_term) == 16, "lm_term");
LM_STATIC_ASSERT(sizeof(lm_p_combine) == 144, "lm_p_combine");
LM_STATIC_ASSERT(sizeof(lm_response) == 56, "lm_response");

#endif
