/* SPDX-License-Identifier: Apache-2.0 */
#define MAGIC 0x12345678u
#include "tiny_plugin.h"
