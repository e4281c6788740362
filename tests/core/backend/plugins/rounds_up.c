/* SPDX-License-Identifier: Apache-2.0 */
#include <fenv.h>
#define AT_REGISTRATION fesetround(FE_UPWARD);
#include "tiny_plugin.h"
