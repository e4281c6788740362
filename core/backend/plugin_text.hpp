// SPDX-License-Identifier: Apache-2.0
// What a plugin says, made fit for people: it may say anything, or nothing.
#pragma once

#include <string>

#include <lumarch/abi.h>

namespace lumarch {

// One line without control characters; bytes that are no UTF-8 are '?'. Empty for NULL; cut after 2000 bytes.
[[nodiscard]] std::string plugin_text(const char* text);

// The same, and "it gives no reason" where that would be empty.
[[nodiscard]] std::string plugin_reason(const char* text);

// "wrong argument"; "status 77, which the ABI does not know".
[[nodiscard]] std::string status_text(lm_status status);

}  // namespace lumarch
