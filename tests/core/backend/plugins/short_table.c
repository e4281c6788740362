/* SPDX-License-Identifier: Apache-2.0 */
#define PLUGIN_SIZE 24
#include "tiny_plugin.h"
