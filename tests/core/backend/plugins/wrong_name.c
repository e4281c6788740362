/* SPDX-License-Identifier: Apache-2.0 */
#define NAME "somebody_else"
#include "tiny_plugin.h"
