/* SPDX-License-Identifier: Apache-2.0 */
#define LAYOUT (LM_LAYOUT ^ 1u)
#include "tiny_plugin.h"
