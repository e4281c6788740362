/* SPDX-License-Identifier: Apache-2.0 */
#define DEVICE NULL
#define DESCRIBED "response.glow"
#define PARAMETERS \
  { sizeof(lm_parameter_info), 0, "power", "W", NAN, 0, 1, "" }
#define AT_REGISTRATION registrar->kernel(registrar->ctx, "good", "response.org.example.described", 1, no_kernel);
#include "tiny_plugin.h"
