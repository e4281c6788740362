/* SPDX-License-Identifier: Apache-2.0 */
#define MAJOR 9
#include "tiny_plugin.h"
