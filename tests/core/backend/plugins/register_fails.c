/* SPDX-License-Identifier: Apache-2.0 */
#define REGISTER_STATUS LM_E_DRIVER
#include "tiny_plugin.h"
