/* SPDX-License-Identifier: Apache-2.0
 *
 * lumarch backend ABI 1: what core and a backend plugin say to each other.
 *
 * Plain C11 (also C++17 and newer). A plugin exports ONE symbol, the constant `lm_plugin_v1`; everything else is
 * reached through tables. docs/kernels.md is the other half of this ABI: for each kernel name its views, parameter
 * struct (abi_params.h) and meaning.
 *
 * Rules
 *   Growth      Append only. A new member goes to the end of its struct; `struct_size` is a lower bound, never an
 *               equality: read a member only where LM_HAS() says it is there. A changed meaning of a kernel is a new
 *               version of its name. Reordering, removing or retyping is a new major and a new symbol.
 *   Errors      Negative lm_status, text by `last_error`. Nothing throws, aborts or exits across the boundary.
 *   Ownership   Who makes it frees it. Strings from a plugin are static, or live to the next call on that device.
 *   Threads     A device is used by one thread at a time (the caller's duty); different devices in parallel. A kernel
 *               of a host-memory device may run in several threads at once on disjoint members or workers: it keeps
 *               no state of its own. [any] = any thread, [device] = the thread that uses the device now,
 *               [load] = the loading thread, once.
 */
#ifndef LUMARCH_ABI_H
#define LUMARCH_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#if __cplusplus >= 201703L
#define LM_NOEXCEPT noexcept /* part of a function's type only since C++17; older hipcc defaults to less */
#else
#define LM_NOEXCEPT
#endif
#else
#define LM_NOEXCEPT
#endif

#define LM_EXPORT __attribute__((visibility("default")))

#define LM_MAGIC 0x314D554Cu /* "LUM1" in little endian: a wrong byte order shows too */
#define LM_ABI_MAJOR 1u
#define LM_ABI_MINOR 3u
#define LM_PLUGIN_SYMBOL "lm_plugin_v1"

/* ---- status of a call: 0 is success, negative is an error; new codes are appended ---- */
typedef int32_t lm_status;
enum {
  LM_OK = 0,
  LM_E_ARG = -1,         /* a view, parameter or plan is wrong: a fault of the caller */
  LM_E_UNSUPPORTED = -2, /* right but not for this kernel: core composes it from other kernels */
  LM_E_NO_DEVICE = -3,
  LM_E_DRIVER = -4,
  LM_E_NOMEM = -5,
  LM_E_DEVICE_LOST = -6,
  LM_E_CANCELLED = -7,
  LM_E_INTERNAL = -8
};

/* ---- status of a member or a sample (one byte; 16 and up are the kernel's own) ---- */
enum {
  LM_RUNNING = 0,
  LM_DONE = 1,
  LM_STOPPED = 2,
  LM_CAPPED = 3,
  LM_NON_FINITE = 4,
  LM_STEP_TOO_SMALL = 5,
  LM_OWN_STATUS = 16
};

enum { LM_LOG_DEBUG = 0, LM_LOG_INFO = 1, LM_LOG_WARN = 2, LM_LOG_ERROR = 3 };

/* ---- element types; a c128 is two f64, real part first ---- */
enum { LM_F64 = 1, LM_C128 = 2, LM_F32 = 3, LM_C64 = 4, LM_I32 = 5, LM_U8 = 6, LM_I64 = 7, LM_U32 = 8 };

/* ---- capabilities of a device (lm_device_info.caps) ---- */
#define LM_CAP_ASYNC (1ull << 0)        /* the queue runs behind the caller; `sync` and `download` wait */
#define LM_CAP_FP64 (1ull << 1)         /* double precision at a useful speed */
#define LM_CAP_HOST_MEMORY (1ull << 2)  /* kernels run on the host: resolve() gives host addresses */
#define LM_CAP_REPRODUCIBLE (1ull << 3) /* a member has the same bits alone, in any batch, at any thread count */

typedef struct lm_device lm_device; /* opaque, made by `open`, freed by `close` */
typedef struct lm_plan lm_plan;     /* opaque, made by plan_*, freed by plan_free */
typedef uint64_t lm_buffer;         /* a handle, never a pointer; 0 is none */

/* ---- a view: the elements of a buffer that a kernel works on ----
 * Axes are [member][component][outer node][inner node][sample]; modes are (inner) nodes, polarisations components,
 * Cartesian grids use both node axes (y outer, x inner), everything else has extent 1 there. Element (m, c, y, x, s):
 *
 *     offset + ((parity[m] ^ flip) & 1) * bank + m * pitch[0] + c * pitch[1] + y * pitch[2] + x * pitch[3] + s
 *
 * in elements of dtype. pitch[0] = 0: one row shared by all members. bank = 0: not banked, the parity plays no part.
 * LM_VIEW_SCRATCH: m is a row of scratch memory, and the contents last until the member's list of calls ends.
 * On a device with LM_CAP_HOST_MEMORY each worker has one member after the other: m is lm_exec.worker. Any other device
 * works on members together: entry first + i of a call's range has row lm_exec.worker + i, where that is below
 * lm_exec.n_workers. A longer range is worked on in pieces of n_workers - worker entries, one after the other, each
 * from row `worker` on: after the call the rows hold what the last piece left. Rows of entries whose member is not
 * RUNNING hold nothing. */
#define LM_AXES 5
enum { LM_AXIS_MEMBER = 0, LM_AXIS_COMPONENT = 1, LM_AXIS_OUTER = 2, LM_AXIS_INNER = 3, LM_AXIS_SAMPLE = 4 };
enum { LM_VIEW_FLIP = 1u << 0, LM_VIEW_SCRATCH = 1u << 1 };
typedef struct lm_view {
  lm_buffer buffer; /* 0: an optional view that is not given */
  uint64_t offset;
  int64_t extent[LM_AXES];
  int64_t pitch[LM_AXES]; /* pitch[4], between samples, is 1 in ABI 1.0 */
  uint64_t bank;
  int32_t dtype;
  uint32_t flags;
} lm_view;

/* ---- the member block: one piece of device memory, one upload and one readback an attempt ----
 * Byte offsets into `block`. Core writes z ... status before an attempt, kernels write `numbers` (and may change
 * `status`), core reads status and numbers back in one download. A kernel works on the members
 * active[first] ... active[first + n_active - 1], and skips those whose status is not LM_RUNNING. */
typedef struct lm_members {
  uint32_t struct_size;
  uint32_t count;     /* members of the batch */
  uint32_t n_active;  /* how many entries of the active map a call works on */
  uint32_t first;     /* the first of them */
  uint32_t n_numbers; /* doubles a member in `numbers` */
  uint32_t reserved;
  lm_buffer block;
  uint64_t z;       /* f64[count], m: where the attempt starts */
  uint64_t h;       /* f64[count], m: its length */
  uint64_t active;  /* u32[count] */
  uint64_t parity;  /* u8[count]: which bank holds the present state */
  uint64_t status;  /* u8[count] */
  uint64_t numbers; /* f64[count][n_numbers] */
  /* since 1.2: factors of a member that core writes before an attempt, where something depends on z */
  uint64_t scales; /* f64[count][n_scales] */
  uint32_t n_scales;
  uint32_t reserved2;
} lm_members;
#define LM_MEMBERS_1_0 80u /* struct_size of one without scales */

/* ---- how a kernel, also one of another plugin, reaches its data; valid inside the call only ---- */
typedef struct lm_exec {
  uint32_t struct_size;
  uint32_t worker;    /* which row of a SCRATCH view is ours, or our first one (lm_view) */
  uint32_t n_workers; /* rows that every SCRATCH view of the call has at least */
  uint32_t reserved;
  /* Address of a buffer where the kernel runs and its size in bytes; NULL where the handle is none of the device's. On
   * a device without LM_CAP_HOST_MEMORY the host must not look there: what runs in the queue does. */
  void* (*resolve)(lm_device* device, lm_buffer buffer, uint64_t* bytes)LM_NOEXCEPT;
  void* stream; /* the native stream (cudaStream_t, hipStream_t) or NULL */
} lm_exec;

/* ---- a call of a kernel: every kernel has this one shape ---- */
typedef struct lm_call {
  uint32_t struct_size;
  uint32_t n_views;
  const lm_view* views;
  const lm_members* members;
  const lm_exec* exec;
  const void* params; /* the kernel's parameter struct, which begins with its struct_size */
  uint32_t params_size;
  uint32_t n_plans;
  lm_plan* const* plans;
  const lm_view* work; /* SCRATCH view of u8: what the call's plans and the kernel asked for; or NULL */
} lm_call;
typedef lm_status (*lm_kernel_fn)(lm_device* device, const lm_call* call) LM_NOEXCEPT; /* [device] */

/* ---- a step is a program: this list is built once and replayed for every attempt ---- */
typedef struct lm_step {
  lm_kernel_fn fn;
  const lm_call* call;
} lm_step;

/* ---- edge readers and batch observers (docs/kernels.md, "Edge readers", "Batch observers") ---- */
typedef struct lm_edge_request {
  uint32_t struct_size;
  int32_t axis;    /* which axis of the state, LM_AXIS_*; the time rim is LM_AXES */
  int32_t parity;  /* 0 the present bank, 1 the flipped one */
  int32_t strip;   /* 1: also the fluence of each rim node */
  double fraction; /* width of the rim in half widths, 0.05 by default */
} lm_edge_request;
/* out: share, energy, peak of each rim, then the strip. [device] */
typedef lm_status (*lm_edge_fn)(lm_device* device, const lm_call* call, const lm_edge_request* request, double* out,
                                uint64_t out_len) LM_NOEXCEPT;
/* One record of record_size bytes a member, in one readback. [device] */
typedef lm_status (*lm_observe_fn)(lm_device* device, const lm_call* call, void* records,
                                   uint32_t record_size) LM_NOEXCEPT;

/* ---- core -> plugin ---- */
typedef struct lm_host {
  uint32_t struct_size;
  uint16_t abi_major, abi_minor;
  void* ctx;
  void (*log)(void* ctx, int32_t level, const char* text) LM_NOEXCEPT; /* [any] */
  int32_t (*poll)(void* ctx, double fraction) LM_NOEXCEPT;             /* [device] progress; nonzero = stop soon */
  const void* (*extension)(void* ctx, const char* id)LM_NOEXCEPT;      /* [any] NULL = the host has no such thing */
} lm_host;

/* Host extensions of ABI 1.0. */
#define LM_EXT_PLANNER_LOCK "lumarch.planner_lock/1" /* lm_planner_lock: hold it around any FFTW planner call */
typedef struct lm_planner_lock {
  uint32_t struct_size, reserved;
  void* ctx;
  void (*lock)(void* ctx) LM_NOEXCEPT;
  void (*unlock)(void* ctx) LM_NOEXCEPT;
} lm_planner_lock;
#define LM_EXT_CACHE_DIRECTORY "lumarch.cache_directory/1"     /* const char*: the user's cache, may not exist yet */
#define LM_EXT_LIBRARY_DIRECTORY "lumarch.library_directory/1" /* const char*: where the plugin's file lies */
#define LM_EXT_MEMORY_BUDGET "lumarch.memory_budget/1"         /* const uint64_t*: bytes the run may use, 0 = any */

typedef struct lm_registrar {
  uint32_t struct_size;
  uint32_t reserved;
  void* ctx;
  /* [load] for_backend NULL: for this plugin's own device. Names are lower-case dotted; those of third parties
   * reverse-domain (response.org.example.saturable). A duplicate is refused with LM_E_ARG. */
  lm_status (*kernel)(void* ctx, const char* for_backend, const char* name, uint32_t version,
                      lm_kernel_fn fn) LM_NOEXCEPT;
  lm_status (*edge_reader)(void* ctx, const char* for_backend, const char* name, uint32_t version,
                           lm_edge_fn fn) LM_NOEXCEPT;
  lm_status (*batch_observer)(void* ctx, const char* for_backend, const char* name, uint32_t version,
                              lm_observe_fn fn) LM_NOEXCEPT;
} lm_registrar;

/* ---- plans ---- */
enum { LM_FFT_C2C = 0, LM_FFT_R2C = 1, LM_FFT_C2R = 2 };
/* The sign of the exponent, as FFTW names it: FORWARD is exp(-i), BACKWARD exp(+i); neither is normalised. */
enum { LM_FFT_FORWARD = -1, LM_FFT_BACKWARD = 1 };
typedef struct lm_fft_desc {
  uint32_t struct_size;
  int32_t kind;
  int32_t dtype;     /* of the complex side: LM_C128 (LM_C64 may be UNSUPPORTED) */
  int32_t direction; /* R2C is FORWARD, C2R BACKWARD */
  int64_t n;         /* length of ONE transform, samples of the long side; batches are the kernel's loop */
  int32_t in_place;
  int32_t destroys_input; /* 1: the plan may overwrite its input (C2R always may) */
} lm_fft_desc;

/* A propagator holds D (rad/m and 1/m: the operator of dA/dz = D A, complex, per member or shared) and where in the
 * step it is used: lin.prepare writes exp(node * h * D). */
typedef struct lm_propagator_desc {
  uint32_t struct_size;
  int32_t lossless; /* 1: Re D = 0 everywhere, no exponential of a real part is needed */
  double node;
  lm_view D;
} lm_propagator_desc;

/* ---- a device ---- */
typedef struct lm_device_info {
  uint32_t struct_size;
  int32_t index;
  uint64_t caps;
  uint64_t memory_bytes;
  char name[96]; /* for people: "2 threads, AVX-512" */
  char id[32];   /* for programs: "cpu:0" */
} lm_device_info;

typedef struct lm_option {
  const char* key;
  const char* value;
} lm_option;

typedef struct lm_device_api {
  uint32_t struct_size;
  uint32_t reserved;
  /* [any] Cheap, makes no context. With *n = 0 the reason goes into why (zero-terminated, cut to why_len). */
  lm_status (*count)(const lm_host* host, int32_t* n, char* why, uint32_t why_len) LM_NOEXCEPT;
  lm_status (*info)(int32_t index, lm_device_info* info) LM_NOEXCEPT; /* [any] */
  /* [any] Options: "threads" (how many), "plan" (estimate | measure | patient); an unknown key or value is LM_E_ARG. */
  lm_status (*open)(const lm_host* host, int32_t index, const lm_option* options, uint32_t n_options,
                    lm_device** device, char* why, uint32_t why_len) LM_NOEXCEPT;
  void (*close)(lm_device* device) LM_NOEXCEPT;            /* [device] frees all that is left */
  const char* (*last_error)(lm_device* device)LM_NOEXCEPT; /* [device] valid to the next call; never NULL */
  const lm_exec* (*exec)(lm_device* device)LM_NOEXCEPT;    /* [device] for calls made one by one; worker 0 */
  lm_status (*alloc)(lm_device* device, uint64_t bytes, lm_buffer* buffer) LM_NOEXCEPT; /* contents undefined */
  /* The handle is dead at once; what was put into the queue before still has the memory. */
  lm_status (*free)(lm_device* device, lm_buffer buffer) LM_NOEXCEPT;
  /* `from` may be used again as soon as the call is back; the bytes reach the device in the order of the queue. */
  lm_status (*upload)(lm_device* device, lm_buffer to, uint64_t offset, const void* from, uint64_t bytes) LM_NOEXCEPT;
  /* Waits for the queue. What fails while the queue runs is answered by the `sync` or `download` that waited for it;
   * after LM_E_DEVICE_LOST nothing but `close` and `free` is of use. */
  lm_status (*download)(lm_device* device, lm_buffer from, uint64_t offset, void* to, uint64_t bytes) LM_NOEXCEPT;
  lm_status (*copy)(lm_device* device, lm_buffer to, uint64_t to_offset, lm_buffer from, uint64_t from_offset,
                    uint64_t bytes) LM_NOEXCEPT;
  lm_status (*sync)(lm_device* device) LM_NOEXCEPT;
  /* [device] *work_bytes: what a call with this plan needs in its work view, a worker. */
  lm_status (*plan_fft)(lm_device* device, const lm_fft_desc* desc, lm_plan** plan, uint64_t* work_bytes) LM_NOEXCEPT;
  lm_status (*plan_propagator)(lm_device* device, const lm_propagator_desc* desc, lm_plan** plan,
                               uint64_t* work_bytes) LM_NOEXCEPT;
  /* What was put into the queue before still has the plan. */
  lm_status (*plan_free)(lm_device* device, lm_plan* plan) LM_NOEXCEPT;
  /* What is free for allocations; 0 where that is not known: then core refuses no run for it. */
  lm_status (*memory_available)(lm_device* device, uint64_t* bytes) LM_NOEXCEPT;
  /* Rows that a SCRATCH view must have for calls made one by one. Without LM_CAP_HOST_MEMORY: how many members the
   * device works on together at most; the views of a list for `run` may have fewer rows there, down to the number of
   * members. */
  uint32_t (*workers)(lm_device* device) LM_NOEXCEPT;
  /* (optional) How many members of so many bytes each to march together; 0 = as many as there are. */
  uint32_t (*preferred_members)(lm_device* device, uint64_t bytes_a_member) LM_NOEXCEPT;
  /* (optional) Runs a list: in list order within a member, in any order over members. Without it core makes the
   * calls one by one. Every call's `members` is the one given here; `exec` is replaced by the device's own. A device
   * without LM_CAP_HOST_MEMORY runs the whole list for a piece of as many members as every SCRATCH view and work area
   * of the list has rows, then for the next piece. What `list` points to, at any depth, is the same whenever `run` gets
   * the same pointer, unless a buffer or a plan was allocated or freed in between: a device may repeat what it
   * recorded. Contents of buffers and of `members` may change freely. */
  lm_status (*run)(lm_device* device, const lm_step* list, uint32_t n, const lm_members* members) LM_NOEXCEPT;
} lm_device_api;

/* ---- plugin -> core: the one exported constant, readable before any code of the plugin runs ---- */
typedef struct lm_plugin {
  /* 16 bytes that never change */
  uint32_t magic;
  uint16_t abi_major, abi_minor;
  uint32_t struct_size;
  uint32_t layout;             /* LM_LAYOUT as the plugin was compiled */
  const char* name;            /* [a-z0-9_]+, the <name> of liblumarch_backend_<name>.so */
  const char* version;         /* of the plugin */
  const char* build;           /* compiler, flags, libraries: for people */
  const lm_device_api* device; /* NULL: the plugin only adds kernels to another plugin's device */
  lm_status (*register_all)(const lm_host* host, const lm_registrar* registrar) LM_NOEXCEPT; /* [load] */
  /* [load] Ends threads and frees caches while no device is open: before the process exits or forks. May come more than
   * once, and devices may be opened again after it; the library stays mapped. */
  void (*shutdown)(void) LM_NOEXCEPT;
  /* (optional, may be NULL) How well this build suits the machine: 0 = cannot run here, higher is better. */
  int32_t (*score)(const lm_host* host) LM_NOEXCEPT;
  const void* (*extension)(const char* id)LM_NOEXCEPT; /* (optional, may be NULL) NULL = no such thing */
} lm_plugin;

/* ---- plugin extensions: what lm_plugin.extension(id) answers (since 1.1) ---- */
/* const lm_response_list*, constant: the responses that this plugin registers as kernels, for problem files that call
 * them by name. Arrays are walked by the struct_size of their elements. docs/kernels.md, "A response of a third
 * party". */
#define LM_EXT_RESPONSES "lumarch.responses/1"
typedef struct lm_parameter_info {
  uint32_t struct_size, reserved;
  const char* name;   /* [a-z][a-z0-9_]*, the key in a problem file; not "type" */
  const char* unit;   /* as problem files spell it: "W", "1/m"; "1" for a plain number */
  double standard;    /* in `unit`, as least and most are; NaN: it must be given */
  double least, most; /* inclusive; infinities are allowed */
  const char* text;   /* one line for people */
} lm_parameter_info;
typedef struct lm_response_info {
  uint32_t struct_size, n_parameters;
  const char* name; /* response.<reverse domain>.<name> */
  uint32_t version; /* of the kernel that is meant */
  uint32_t reserved;
  const lm_parameter_info* parameters;
  const char* text; /* one line for people */
} lm_response_info;
typedef struct lm_response_list {
  uint32_t struct_size, n;
  const lm_response_info* responses;
} lm_response_list;
/* const lm_known_failures*: what lumarch-conform must not take for a regression, cases that the plugin's author knows
 * to fail, by their full names, each with its reason. They count as warnings. */
#define LM_EXT_KNOWN_FAILURES "lumarch.known_failures/1"
typedef struct lm_known_failure {
  const char* test; /* "kernel.fft.exec.non_finite" */
  const char* reason;
} lm_known_failure;
typedef struct lm_known_failures {
  uint32_t struct_size;
  uint32_t n;
  const lm_known_failure* list;
} lm_known_failures;

/* True where `member` is inside what the other side compiled and is not NULL. */
#define LM_HAS(table, member) \
  ((table)->struct_size >= offsetof(__typeof__(*(table)), member) + sizeof((table)->member) && (table)->member)

/* Fingerprint of the layout: differs where a struct that a plugin was built with has other sizes. */
#define LM_LAYOUT_MIX(hash, value) (((uint32_t)(hash)*16777619u) ^ (uint32_t)(value))
#define LM_LAYOUT                                                                                      \
  LM_LAYOUT_MIX(LM_LAYOUT_MIX(LM_LAYOUT_MIX(LM_LAYOUT_MIX(LM_LAYOUT_MIX(2166136261u, sizeof(lm_view)), \
                                                          offsetof(lm_view, dtype)),                   \
                                            offsetof(lm_members, numbers)),                            \
                              offsetof(lm_call, work)),                                                \
                sizeof(void*) + 256u * sizeof(lm_step))

#ifdef __cplusplus
} /* extern "C" */
#define LM_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
#define LM_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#endif

LM_STATIC_ASSERT(offsetof(lm_plugin, struct_size) == 8 && offsetof(lm_plugin, name) == 16, "the head is frozen");
LM_STATIC_ASSERT(sizeof(lm_view) == 112, "lm_view");
LM_STATIC_ASSERT(sizeof(lm_members) == 96 && offsetof(lm_members, scales) == LM_MEMBERS_1_0, "lm_members");
LM_STATIC_ASSERT(sizeof(lm_exec) == 32, "lm_exec");
LM_STATIC_ASSERT(sizeof(lm_call) == 64, "lm_call");
LM_STATIC_ASSERT(offsetof(lm_device_api, count) == 8, "a table starts after its head");

#endif
