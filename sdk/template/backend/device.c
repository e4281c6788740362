/* SPDX-License-Identifier: Apache-2.0
 * The device table, and the one exported constant. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"

lm_status fail(lm_device* d, lm_status status, const char* format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(d->error, sizeof d->error, format, values);
  va_end(values);
  return status;
}

static lm_status count(const lm_host* host, int32_t* n, char* why, uint32_t why_len) {
  (void)host;
  if (!n) return LM_E_ARG;
  *n = 1;
  if (why && why_len) why[0] = 0;
  return LM_OK;
}
static lm_status info(int32_t index, lm_device_info* out) {
  if (!out || out->struct_size < sizeof *out || index != 0) return LM_E_ARG;
  *out = (lm_device_info){out->struct_size,      0,           LM_CAP_FP64 | LM_CAP_HOST_MEMORY | LM_CAP_REPRODUCIBLE, 0,
                          "plain C, one thread", "template:0"};
  return LM_OK;
}
static void* resolve(lm_device* d, lm_buffer b, uint64_t* bytes) {
  if (b == 0 || b > d->n_buffers || !d->buffers[b - 1].data) return NULL;
  if (bytes) *bytes = d->buffers[b - 1].bytes;
  return d->buffers[b - 1].data;
}
static lm_status open_device(const lm_host* host, int32_t index, const lm_option* options, uint32_t n_options,
                             lm_device** out, char* why, uint32_t why_len) {
  (void)host;
  lm_status status = !out ? LM_E_ARG : index != 0 ? LM_E_NO_DEVICE : LM_OK;
  for (uint32_t i = 0; i < n_options; ++i)
    if (strcmp(options[i].key, "threads") != 0 || strcmp(options[i].value, "1") != 0) status = LM_E_ARG;
  if (why)
    snprintf(why, why_len, "%s",
             status != LM_OK ? "there is device 0 alone, with one thread and no plans to choose" : "");
  if (status != LM_OK) return status;
  *out = calloc(1, sizeof **out);
  if (!*out) return LM_E_NOMEM;
  (*out)->exec = (lm_exec){sizeof(lm_exec), 0, 1, 0, resolve, NULL};
  return LM_OK;
}
static const char* last_error(lm_device* d) { return d->error; }
static const lm_exec* exec(lm_device* d) { return &d->exec; }
static lm_status alloc(lm_device* d, uint64_t bytes, lm_buffer* out) {
  NEED(d, out, "no place for the handle");
  void* data = bytes < (uint64_t)1 << 46 ? aligned_alloc(64, bytes / 64 * 64 + 64) : NULL;
  void* more = realloc(d->buffers, (d->n_buffers + 1) * sizeof *d->buffers);
  if (more) d->buffers = more;
  if (!data || !more) return free(data), fail(d, LM_E_NOMEM, "no memory for %llu bytes", (unsigned long long)bytes);
  d->buffers[d->n_buffers].data = data, d->buffers[d->n_buffers].bytes = bytes;
  *out = ++d->n_buffers;
  return LM_OK;
}
static lm_status free_buffer(lm_device* d, lm_buffer b) {
  NEED(d, resolve(d, b, NULL), "no such buffer");
  free(d->buffers[b - 1].data), d->buffers[b - 1].data = NULL;
  return LM_OK;
}
static char* range(lm_device* d, lm_buffer b, uint64_t offset, const void* other, uint64_t bytes) {
  uint64_t size = 0;
  char* data = resolve(d, b, &size);
  if (data && (other || !bytes) && offset <= size && bytes <= size - offset) return data + offset;
  fail(d, LM_E_ARG, "no such buffer, or not so long, or no other side: buffer %llu", (unsigned long long)b);
  return NULL;
}
static lm_status upload(lm_device* d, lm_buffer to, uint64_t offset, const void* from, uint64_t bytes) {
  char* data = range(d, to, offset, from, bytes);
  if (data && bytes) memcpy(data, from, bytes);
  return data ? LM_OK : LM_E_ARG;
}
static lm_status download(lm_device* d, lm_buffer from, uint64_t offset, void* to, uint64_t bytes) {
  const char* data = range(d, from, offset, to, bytes);
  if (data && bytes) memcpy(to, data, bytes);
  return data ? LM_OK : LM_E_ARG;
}
static lm_status copy(lm_device* d, lm_buffer to, uint64_t to_offset, lm_buffer from, uint64_t offset, uint64_t bytes) {
  const char* data = range(d, from, offset, d, bytes);
  char* target = data ? range(d, to, to_offset, d, bytes) : NULL;
  if (target) memmove(target, data, bytes);
  return target ? LM_OK : LM_E_ARG;
}
static lm_status sync_device(lm_device* d) { return d ? LM_OK : LM_E_ARG; }
static void drop(lm_plan* p) { free(p->root), free(p); }
static lm_status keep(lm_device* d, lm_plan model, lm_plan** out) {
  lm_plan* p = malloc(sizeof *p);
  NEED(d, p, "no memory for a plan");
  *p = model;
  lm_status status = prepare_plan(d, p);
  if (status != LM_OK) return free(p), status;
  p->next = d->plans;
  *out = d->plans = p;
  return LM_OK;
}
static lm_status plan_fft(lm_device* d, const lm_fft_desc* f, lm_plan** out, uint64_t* work) {
  NEED(d, f && f->struct_size >= sizeof *f && out && work, "an argument is missing or short");
  NEED(d, f->n >= 1 && f->n <= 1 << 28 && (f->direction == 1 || f->direction == -1),
       "a length or direction that is not there");
  NEED(d,
       f->kind == LM_FFT_C2C || (f->kind == LM_FFT_R2C && f->direction == -1 && !f->in_place) ||
           (f->kind == LM_FFT_C2R && f->direction == 1 && !f->in_place),
       "a kind that is not there");
  if (f->dtype != LM_C128) return fail(d, LM_E_UNSUPPORTED, "double precision only");
  *work = 0;
  return keep(d, (lm_plan){.n = f->n, .fft = *f}, out);
}
static lm_status plan_propagator(lm_device* d, const lm_propagator_desc* l, lm_plan** out, uint64_t* work) {
  NEED(d, l && l->struct_size >= sizeof *l && out && work && l->D.dtype == LM_C128,
       "an argument is missing, short or not complex");
  *work = 0;
  return keep(d, (lm_plan){.linear = *l}, out);
}
static lm_status plan_free(lm_device* d, lm_plan* plan) {
  lm_plan** at = &d->plans;
  while (*at && *at != plan) at = &(*at)->next;
  NEED(d, *at, "no plan of this device");
  *at = plan->next;
  drop(plan);
  return LM_OK;
}
static void close_device(lm_device* d) {
  for (lm_plan *p = d->plans, *next; p; p = next) next = p->next, drop(p);
  for (uint64_t b = 0; b < d->n_buffers; ++b) free(d->buffers[b].data);
  free(d->buffers), free(d);
}
static lm_status memory_available(lm_device* d, uint64_t* bytes) {
  NEED(d, bytes, "no place for the number");
  *bytes = 0; /* not known */
  return LM_OK;
}
static uint32_t workers(lm_device* d) { return d->exec.n_workers; }

static const lm_device_api device_api = {sizeof(lm_device_api),
                                         0,
                                         count,
                                         info,
                                         open_device,
                                         close_device,
                                         last_error,
                                         exec,
                                         alloc,
                                         free_buffer,
                                         upload,
                                         download,
                                         copy,
                                         sync_device,
                                         plan_fft,
                                         plan_propagator,
                                         plan_free,
                                         memory_available,
                                         workers,
                                         NULL,
                                         NULL};

static lm_status register_all(const lm_host* host, const lm_registrar* to) {
  (void)host;
  return register_kernels(to);
}
static void shut_down(void) {}

LM_EXPORT const lm_plugin lm_plugin_v1 = {LM_MAGIC,   LM_ABI_MAJOR, LM_ABI_MINOR, sizeof(lm_plugin), LM_LAYOUT,
                                          "template", "1.0",        "plain C",    &device_api,       register_all,
                                          shut_down,  NULL,         NULL};
