/* SPDX-License-Identifier: Apache-2.0 */
#define MAGIC 0x12345678u
#define AT_LOAD puts("none of this code may run");
#include "tiny_plugin.h"
