/* SPDX-License-Identifier: Apache-2.0 */
#define DEVICE NULL
#define AT_REGISTRATION registrar->kernel(registrar->ctx, "good", "response.org.example.extra", 1, no_kernel);
#include "tiny_plugin.h"
