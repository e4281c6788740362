/* SPDX-License-Identifier: Apache-2.0 */
#define LAYOUT (LM_LAYOUT ^ 1u)
#define AT_LOAD puts("none of this code may run");
#include "tiny_plugin.h"
