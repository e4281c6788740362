/* SPDX-License-Identifier: Apache-2.0 */
/* Of a later minor, with members that this core does not know. */
#define PLUGIN_SIZE (sizeof(lm_plugin) + 64)
#define DEVICE_SIZE (sizeof(lm_device_api) + 64)
#define MINOR 7
#include "tiny_plugin.h"
