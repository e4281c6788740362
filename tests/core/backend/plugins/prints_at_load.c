/* SPDX-License-Identifier: Apache-2.0 */
#define AT_LOAD puts("hello from the plugin");
#include "tiny_plugin.h"
