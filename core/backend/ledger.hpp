// SPDX-License-Identifier: Apache-2.0
// What a device holds: bytes by name, and what they were when there were most of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace lumarch {

class Ledger {
public:
  // `members` above 1: the bytes are even parts of so many members, and each has an entry of its own.
  void add(const std::string& name, std::uint32_t members, std::uint64_t bytes);
  void remove(const std::string& name, std::uint32_t members, std::uint64_t bytes);

  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::uint64_t most_bytes() const noexcept { return most_bytes_; }
  [[nodiscard]] std::map<std::string, std::uint64_t> entries() const { return named(now_); }
  [[nodiscard]] std::map<std::string, std::uint64_t> most() const { return named(most_); }

private:
  using Parts = std::map<std::pair<std::string, std::uint32_t>, std::uint64_t>;
  [[nodiscard]] static std::map<std::string, std::uint64_t> named(const Parts& parts);
  Parts now_, most_;
  std::uint64_t bytes_ = 0, most_bytes_ = 0;
};

}  // namespace lumarch
