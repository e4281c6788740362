// SPDX-License-Identifier: Apache-2.0
// What the reference registers, without the constant that it exports: the broken backends have their own.
#define lm_plugin_v1 lm_plugin_of_the_reference
#include "plugin.cpp"
