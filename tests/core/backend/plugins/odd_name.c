// SPDX-License-Identifier: Apache-2.0
#define DEVICE_NAME "\xff\x1b[31m"
#include "tiny_plugin.h"
