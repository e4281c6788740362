/* SPDX-License-Identifier: Apache-2.0 */
#define SHUTDOWN NULL
#include "tiny_plugin.h"
