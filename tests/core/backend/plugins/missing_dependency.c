/* SPDX-License-Identifier: Apache-2.0 */
int lumarch_test_gone(void);
#define AT_LOAD lumarch_test_gone();
#include "tiny_plugin.h"
