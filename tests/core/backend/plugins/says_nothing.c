// SPDX-License-Identifier: Apache-2.0
#define LAST_ERROR NULL
#define LINCOMB_STATUS 77
#include "tiny_plugin.h"
