/* SPDX-License-Identifier: Apache-2.0
 * A whole plugin in one include: a faulty one defines the macro of what is wrong with it, then includes this.
 *   NAME  MAGIC  MAJOR  MINOR  PLUGIN_SIZE  LAYOUT  SHUTDOWN  SCORE  DEVICE  DEVICE_SIZE  SYNC  DEVICES  WHY
 *   REGISTER_STATUS   what register_all returns
 *   LEFT_OUT          the name of a required kernel that is not registered
 *   AT_LOAD           statements of a constructor
 *   AT_REGISTRATION   statements in register_all, with `registrar`
 *   PARAMETERS        of the response DESCRIBED (response.org.example.described), which the plugin then describes
 *   OPENED            what open gives; RESOLVE, of its exec; LAST_ERROR; DEVICE_NAME
 *   LINCOMB_ERROR     added to every number of core.lincomb
 * Memory is the host's: a handle is the address. */
#include <lumarch/abi.h>
#include <lumarch/abi_params.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MAGIC
#define MAGIC LM_MAGIC
#endif
#ifndef MAJOR
#define MAJOR LM_ABI_MAJOR
#endif
#ifndef MINOR
#define MINOR LM_ABI_MINOR
#endif
#ifndef PLUGIN_SIZE
#define PLUGIN_SIZE sizeof(lm_plugin)
#endif
#ifndef DEVICE_SIZE
#define DEVICE_SIZE sizeof(lm_device_api)
#endif
#ifndef LAYOUT
#define LAYOUT LM_LAYOUT
#endif
#ifndef SHUTDOWN
#define SHUTDOWN shut_down
#endif
#ifndef SYNC
#define SYNC sync_device
#endif
#ifndef DEVICES
#define DEVICES 1
#endif
#ifndef WHY
#define WHY ""
#endif
#ifndef DEVICE
#define DEVICE &device_api
#endif
#ifndef REGISTER_STATUS
#define REGISTER_STATUS LM_OK
#endif
#ifndef LEFT_OUT
#define LEFT_OUT ""
#endif
#ifndef AT_REGISTRATION
#define AT_REGISTRATION
#endif
#ifndef LINCOMB_ERROR
#define LINCOMB_ERROR 0
#endif

#ifdef AT_LOAD
__attribute__((constructor)) static void at_load(void) { AT_LOAD }
#endif

#ifndef LINCOMB_STATUS
#define LINCOMB_STATUS LM_OK
#endif
#ifndef OPENED
#define OPENED (lm_device*)&opened
#endif
#ifndef RESOLVE
#define RESOLVE resolve
#endif
#ifndef LAST_ERROR
#define LAST_ERROR "tiny"
#endif
#ifndef DEVICE_NAME
#define DEVICE_NAME "tiny test device"
#endif

static __attribute__((unused)) int32_t opened;

static lm_status count_devices(const lm_host* host, int32_t* n, char* why, uint32_t why_len) {
  (void)host;
  *n = DEVICES;
  snprintf(why, why_len, "%s", WHY);
  return LM_OK;
}
static lm_status tell(int32_t index, lm_device_info* info) {
  info->index = index;
  info->caps = LM_CAP_FP64 | LM_CAP_HOST_MEMORY;
  info->memory_bytes = 3ull << 29;
  snprintf(info->name, sizeof info->name, "%s", DEVICE_NAME);
  snprintf(info->id, sizeof info->id, "tiny:%d", (int)index);
  return LM_OK;
}
static lm_status open_device(const lm_host* host, int32_t index, const lm_option* options, uint32_t n_options,
                             lm_device** device, char* why, uint32_t why_len) {
  (void)host, (void)index, (void)options, (void)n_options, (void)why, (void)why_len;
  *device = OPENED;
  return LM_OK;
}
static void close_device(lm_device* device) { (void)device; }
static const char* last_error(lm_device* device) {
  (void)device;
  return LAST_ERROR;
}
__attribute__((unused)) static void* resolve(lm_device* device, lm_buffer buffer, uint64_t* bytes) {
  (void)device;
  *bytes = UINT64_MAX;
  return (void*)(uintptr_t)buffer;
}
static const lm_exec* exec_of(lm_device* device) {
  static const lm_exec exec = {sizeof(lm_exec), 0, 1, 0, RESOLVE, NULL};
  (void)device;
  return &exec;
}
static lm_status alloc_bytes(lm_device* device, uint64_t bytes, lm_buffer* buffer) {
  (void)device;
  *buffer = (lm_buffer)(uintptr_t)malloc(bytes);
  return *buffer != 0 ? LM_OK : LM_E_NOMEM;
}
static lm_status free_bytes(lm_device* device, lm_buffer buffer) {
  (void)device;
  free((void*)(uintptr_t)buffer);
  return LM_OK;
}
static lm_status upload(lm_device* device, lm_buffer to, uint64_t offset, const void* from, uint64_t bytes) {
  (void)device;
  memcpy((char*)(uintptr_t)to + offset, from, bytes);
  return LM_OK;
}
static lm_status download(lm_device* device, lm_buffer from, uint64_t offset, void* to, uint64_t bytes) {
  (void)device;
  memcpy(to, (const char*)(uintptr_t)from + offset, bytes);
  return LM_OK;
}
static lm_status copy_bytes(lm_device* device, lm_buffer to, uint64_t to_offset, lm_buffer from, uint64_t from_offset,
                            uint64_t bytes) {
  return download(device, from, from_offset, (char*)(uintptr_t)to + to_offset, bytes);
}
__attribute__((unused)) static lm_status sync_device(lm_device* device) {
  (void)device;
  return LM_OK;
}
static lm_status plan_fft(lm_device* device, const lm_fft_desc* desc, lm_plan** plan, uint64_t* work_bytes) {
  (void)device, (void)desc, (void)plan, (void)work_bytes;
  return LM_E_UNSUPPORTED;
}
static lm_status plan_propagator(lm_device* device, const lm_propagator_desc* desc, lm_plan** plan,
                                 uint64_t* work_bytes) {
  (void)device, (void)desc, (void)plan, (void)work_bytes;
  return LM_E_UNSUPPORTED;
}
static lm_status plan_free(lm_device* device, lm_plan* plan) {
  (void)device, (void)plan;
  return LM_OK;
}
static lm_status memory_available(lm_device* device, uint64_t* bytes) {
  (void)device;
  *bytes = 1u << 20;
  return LM_OK;
}
static uint32_t count_workers(lm_device* device) {
  (void)device;
  return 1;
}

static lm_status no_kernel(lm_device* device, const lm_call* call) {
  (void)device, (void)call;
  return LM_E_UNSUPPORTED;
}
/* Of the first member only. */
static lm_status lincomb(lm_device* device, const lm_call* call) {
  const lm_p_combine* p = call->params;
  const double h = *(const double*)((const char*)(uintptr_t)call->members->block + call->members->h);
  (void)device;
  double* out = (double*)(uintptr_t)call->views[0].buffer;
  for (int64_t s = 0; s < 2 * call->views[0].extent[LM_AXIS_SAMPLE]; ++s) {
    double sum = LINCOMB_ERROR;
    for (uint32_t j = 0; j < p->n; ++j) {
      const double* x = (const double*)(uintptr_t)call->views[j + 1].buffer;
      sum += p->term[j].c * (p->term[j].hpow ? h : 1.0) * x[s];
    }
    out[s] = sum;
  }
  return LINCOMB_STATUS;
}

static const lm_device_api device_api __attribute__((unused)) = {DEVICE_SIZE,   0,
                                                                 count_devices, tell,
                                                                 open_device,   close_device,
                                                                 last_error,    exec_of,
                                                                 alloc_bytes,   free_bytes,
                                                                 upload,        download,
                                                                 copy_bytes,    SYNC,
                                                                 plan_fft,      plan_propagator,
                                                                 plan_free,     memory_available,
                                                                 count_workers, NULL,
                                                                 NULL};

static lm_status register_required(const lm_registrar* registrar) {
  static const char* const names[] = {"core.fill", "core.lincomb",  "core.mul",       "fft.exec",    "lin.prepare",
                                      "lin.apply", "response.kerr", "response.raman", "reduce.error"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    if (strcmp(names[i], LEFT_OUT) == 0) continue;
    const lm_status status = registrar->kernel(registrar->ctx, NULL, names[i], 1,
                                               strcmp(names[i], "core.lincomb") == 0 ? lincomb : no_kernel);
    if (status != LM_OK) return status;
  }
  return LM_OK;
}
static lm_status register_all(const lm_host* host, const lm_registrar* registrar) {
  const lm_device_api* const device = DEVICE;
  (void)host;
  AT_REGISTRATION
  const lm_status status = device != NULL ? register_required(registrar) : LM_OK;
  return status != LM_OK ? status : REGISTER_STATUS;
}
__attribute__((unused)) static void shut_down(void) {}
#ifdef SCORE
static int32_t rate(const lm_host* host) {
  (void)host;
  return SCORE;
}
#else
#define rate NULL
#endif

#ifdef PARAMETERS
#ifndef DESCRIBED
#define DESCRIBED "response.org.example.described"
#endif
static const lm_parameter_info parameters[] = {PARAMETERS};
static const lm_response_info response = {
    sizeof(lm_response_info), sizeof parameters / sizeof *parameters, DESCRIBED, 1, 0, parameters, "glows"};
static const lm_response_list responses = {sizeof(lm_response_list), 1, &response};
static const void* extend(const char* id) { return strcmp(id, LM_EXT_RESPONSES) == 0 ? &responses : NULL; }
#else
#define extend NULL
#endif

#ifndef NO_ENTRY
LM_EXPORT
#else
static __attribute__((used))
#endif
const lm_plugin lm_plugin_v1 = {MAGIC,          MAJOR,  MINOR,        PLUGIN_SIZE, LAYOUT, NAME,  "1.2",
                                "by the tests", DEVICE, register_all, SHUTDOWN,    rate,   extend};
