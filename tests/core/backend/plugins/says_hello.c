/* SPDX-License-Identifier: Apache-2.0 */
#define AT_REGISTRATION host->log(host->ctx, LM_LOG_INFO, "hello by the log");
#include "tiny_plugin.h"
