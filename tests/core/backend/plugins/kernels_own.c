/* SPDX-License-Identifier: Apache-2.0 */
/* Names no backend, and has no device of its own. */
#define DEVICE NULL
#define AT_REGISTRATION registrar->kernel(registrar->ctx, NULL, "response.org.example.extra", 1, no_kernel);
#include "tiny_plugin.h"
