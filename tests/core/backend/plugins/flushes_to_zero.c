/* SPDX-License-Identifier: Apache-2.0 */
/* What linking with -ffast-math does. */
#if defined(__x86_64__)
#include <immintrin.h>
#define AT_LOAD _mm_setcsr(_mm_getcsr() | 0x8040u);
#else
#define AT_LOAD __asm__ volatile("msr fpcr, %0" : : "r"(1ul << 24));
#endif
#include "tiny_plugin.h"
