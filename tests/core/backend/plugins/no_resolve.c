// SPDX-License-Identifier: Apache-2.0
#define RESOLVE NULL
#include "tiny_plugin.h"
