/* SPDX-License-Identifier: Apache-2.0
 *
 * What an emulated device has done since it was opened: lm_plugin.extension(LUMARCH_EMULATED_COUNTERS) gives a
 * lumarch_emulated_counters. docs/emulated-device.md says what is counted when.
 */
#ifndef LUMARCH_EMULATED_COUNTERS_H
#define LUMARCH_EMULATED_COUNTERS_H

#include <lumarch/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LUMARCH_EMULATED_COUNTERS "lumarch.emulated.counters/1"

typedef struct lumarch_emulated_counts {
  uint32_t struct_size, reserved;
  uint64_t elements, blocks, transforms; /* launches that ran, by kind */
  uint64_t waits;                        /* calls of sync and download */
  uint64_t allocations, frees;
  uint64_t uploads, bytes_up;
  uint64_t downloads, bytes_down;
  uint64_t copies, bytes_copied;
  uint64_t replays; /* lists that were repeated from their record */
  /* what is held now, and the most bytes at once: of buffers that core allocated */
  uint64_t buffers, plans, bytes, most_bytes;
} lumarch_emulated_counts;

typedef struct lumarch_emulated_counters {
  uint32_t struct_size, reserved;
  /* [any] Fills `out`, whose struct_size the caller has set; LM_E_ARG where one is NULL or too short. */
  lm_status (*read)(lm_device* device, lumarch_emulated_counts* out) LM_NOEXCEPT;
} lumarch_emulated_counters;

#ifdef __cplusplus
}
#endif

#endif
