/* SPDX-License-Identifier: Apache-2.0
 *
 * What a CPU device holds, for tests: lm_plugin.extension(LUMARCH_CPU_COUNTERS) gives a lumarch_cpu_counters.
 */
#ifndef LUMARCH_CPU_COUNTERS_H
#define LUMARCH_CPU_COUNTERS_H

#include <lumarch/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LUMARCH_CPU_COUNTERS "lumarch.cpu.counters/1"

typedef struct lumarch_cpu_counts {
  uint32_t struct_size, reserved;
  uint64_t buffers, plans, bytes, most_bytes; /* held now, and the most bytes at once: of buffers that core allocated */
} lumarch_cpu_counts;

typedef struct lumarch_cpu_counters {
  uint32_t struct_size, reserved;
  /* [device] Fills `out`, whose struct_size the caller has set; LM_E_ARG where one is NULL or too short. */
  lm_status (*read)(lm_device* device, lumarch_cpu_counts* out) LM_NOEXCEPT;
} lumarch_cpu_counters;

#ifdef __cplusplus
}
#endif

#endif
