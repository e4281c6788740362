/* SPDX-License-Identifier: Apache-2.0 */
#define AT_REGISTRATION registrar->kernel(registrar->ctx, NULL, "Core Mul", 1, no_kernel);
#include "tiny_plugin.h"
