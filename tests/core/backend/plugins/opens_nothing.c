// SPDX-License-Identifier: Apache-2.0
#define OPENED NULL
#include "tiny_plugin.h"
