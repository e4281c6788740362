/* SPDX-License-Identifier: Apache-2.0 */
#include <locale.h>
#define AT_LOAD setlocale(LC_ALL, "C.UTF-8");
#include "tiny_plugin.h"
