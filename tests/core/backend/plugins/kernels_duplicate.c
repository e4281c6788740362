/* SPDX-License-Identifier: Apache-2.0 */
/* Registers what "good" has, and goes on. */
#define DEVICE NULL
#define AT_REGISTRATION                                                                \
  if (registrar->kernel(registrar->ctx, "good", "core.mul", 1, no_kernel) == LM_E_ARG) \
    host->log(host->ctx, LM_LOG_INFO, "was told LM_E_ARG");
#include "tiny_plugin.h"
