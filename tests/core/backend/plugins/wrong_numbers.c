/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, and computes nonsense: the first test of an opened device finds out. */
#define LINCOMB_ERROR 1e-12
#include "tiny_plugin.h"
