/* SPDX-License-Identifier: Apache-2.0 */
#define LEFT_OUT "fft.exec"
#include "tiny_plugin.h"
