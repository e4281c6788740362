/* SPDX-License-Identifier: Apache-2.0 */
#define NO_ENTRY
#define AT_LOAD puts("none of this code may run");
#include "tiny_plugin.h"
