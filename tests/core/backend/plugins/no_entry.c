/* SPDX-License-Identifier: Apache-2.0 */
#define NO_ENTRY
#include "tiny_plugin.h"
