/* SPDX-License-Identifier: Apache-2.0 */
/* Of the first minor, without its optional members: struct_size is a lower bound. */
#define PLUGIN_SIZE offsetof(lm_plugin, score)
#define DEVICE_SIZE offsetof(lm_device_api, preferred_members)
#define MINOR 0
#include "tiny_plugin.h"
