/* SPDX-License-Identifier: Apache-2.0 */
#define DEVICES 0
#define WHY "there is no driver"
#include "tiny_plugin.h"
