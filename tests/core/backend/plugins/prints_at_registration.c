/* SPDX-License-Identifier: Apache-2.0 */
#define AT_REGISTRATION fputs("registering now\n", stderr);
#include "tiny_plugin.h"
