/* SPDX-License-Identifier: Apache-2.0 */
#define DEVICE NULL
#include "tiny_plugin.h"
