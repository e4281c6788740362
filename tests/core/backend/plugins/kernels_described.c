/* SPDX-License-Identifier: Apache-2.0 */
#define DEVICE NULL
#define PARAMETERS                                                                         \
  {sizeof(lm_parameter_info), 0, "power", "W", NAN, 1e-3, INFINITY, "where it glows"},     \
      {sizeof(lm_parameter_info), 0, "factor", "1", 2, -INFINITY, INFINITY, "how much"}, { \
    sizeof(lm_parameter_info), 0, "delay", "fs", 32, 0, 1000, NULL                         \
  }
#define AT_REGISTRATION registrar->kernel(registrar->ctx, "good", "response.org.example.described", 1, no_kernel);
#include "tiny_plugin.h"
