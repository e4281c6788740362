/* SPDX-License-Identifier: Apache-2.0 */
#include "tiny_plugin.h"
