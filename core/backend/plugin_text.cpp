// SPDX-License-Identifier: Apache-2.0
#include "backend/plugin_text.hpp"

#include <algorithm>
#include <cstring>

#include "problem/text.hpp"

namespace lumarch {

std::string plugin_text(const char* text) {
  if (text == nullptr) return {};
  std::string out(text, ::strnlen(text, 2000));
  const bool utf8 = problem::valid_utf8(out);
  for (char& c : out) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      c = ' ';
    else if (byte >= 0x80 && !utf8)
      c = '?';
  }
  return out;
}

std::string plugin_reason(const char* text) {
  const std::string said = plugin_text(text);
  return std::all_of(said.begin(), said.end(), [](char c) { return c == ' ' || c == '.'; }) ? "it gives no reason"
                                                                                            : said;
}

std::string status_text(lm_status status) {
  switch (status) {
    case LM_OK:
      return "ok";
    case LM_E_ARG:
      return "wrong argument";
    case LM_E_UNSUPPORTED:
      return "unsupported";
    case LM_E_NO_DEVICE:
      return "no device";
    case LM_E_DRIVER:
      return "driver";
    case LM_E_NOMEM:
      return "out of memory";
    case LM_E_DEVICE_LOST:
      return "device lost";
    case LM_E_CANCELLED:
      return "cancelled";
    case LM_E_INTERNAL:
      return "internal error";
    default:
      return "status " + std::to_string(status) + ", which the ABI does not know";
  }
}

}  // namespace lumarch
