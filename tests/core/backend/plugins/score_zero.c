/* SPDX-License-Identifier: Apache-2.0 */
#define SCORE 0
#include "tiny_plugin.h"
