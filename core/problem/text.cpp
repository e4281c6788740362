// SPDX-License-Identifier: Apache-2.0
#include "problem/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace lumarch::problem {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Optimal string alignment: a swap of neighbours counts as one error, upper case as none.
std::size_t errors_between(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> cost((a.size() + 1) * width);
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      std::size_t& here = cost[i * width + j];
      if (i == 0 || j == 0) {
        here = i + j;
        continue;
      }
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      here = std::min({cost[(i - 1) * width + j] + 1, cost[i * width + j - 1] + 1,
                       cost[(i - 1) * width + j - 1] + (same ? 0U : 1U)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        here = std::min(here, cost[(i - 2) * width + j - 2] + 1);
      }
    }
  }
  return cost.back();
}

// Length of the UTF-8 sequence at the start of `text`, 0 where it is none.
std::size_t sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xc2 && first < 0xe0 ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  if (first == 0xe0 && byte(1) < 0xa0) return 0;
  if (first == 0xed && byte(1) >= 0xa0) return 0;  // surrogates
  if (first == 0xf0 && byte(1) < 0x90) return 0;
  if (first == 0xf4 && byte(1) >= 0x90) return 0;
  return length;
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongest = 64;  // a key of a megabyte resembles none of ours
  if (word.empty() || word.size() > kLongest) return std::nullopt;
  std::optional<std::string> best;
  std::size_t least = std::max<std::size_t>(word.size() < 5 ? 1 : 2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t errors = errors_between(word, candidate);
    if (errors < least && errors < candidate.size()) {
      least = errors;
      best = candidate;
    }
  }
  return best;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string printable(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    if (shown.size() >= kMost) return shown + "...";
    const std::size_t length = sequence(text.substr(at));
    const auto first = static_cast<unsigned char>(text[at]);
    if (length == 0 || first < 0x20 || first == 0x7f) {
      shown += first == '\t' || first == '\n' || first == '\r' ? ' ' : '?';
      ++at;
    } else {
      shown += text.substr(at, length);
      at += length;
    }
  }
  return shown;
}

std::string in_quotes(std::string_view text) {
  std::string marked = "\"";
  marked += printable(text);
  marked += '"';
  return marked;
}

std::string short_number(double value) {
  std::array<char, 32> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 6).ptr;
  return {digits.data(), end};
}

bool valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = sequence(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace lumarch::problem
