/* SPDX-License-Identifier: Apache-2.0 */
#define MAGIC 0x4C554D31u
#include "tiny_plugin.h"
