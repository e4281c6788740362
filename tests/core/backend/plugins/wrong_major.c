/* SPDX-License-Identifier: Apache-2.0 */
#define MAJOR 9
#define AT_LOAD puts("none of this code may run");
#define MINOR 0
#include "tiny_plugin.h"
