/* SPDX-License-Identifier: Apache-2.0 */
#define SYNC NULL
#include "tiny_plugin.h"
