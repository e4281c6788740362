// SPDX-License-Identifier: Apache-2.0
#include "backend/ledger.hpp"

namespace lumarch {

void Ledger::add(const std::string& name, std::uint32_t members, std::uint64_t bytes) {
  now_[{name, members > 1 ? members : 1}] += bytes;
  bytes_ += bytes;
  if (bytes_ <= most_bytes_) return;
  most_bytes_ = bytes_;
  most_ = now_;
}

void Ledger::remove(const std::string& name, std::uint32_t members, std::uint64_t bytes) {
  const auto at = now_.find({name, members > 1 ? members : 1});
  if (at == now_.end()) return;
  at->second -= bytes;
  bytes_ -= bytes;
  if (at->second == 0) now_.erase(at);
}

std::map<std::string, std::uint64_t> Ledger::named(const Parts& parts) {
  std::map<std::string, std::uint64_t> all;
  for (const auto& [key, bytes] : parts) {
    const auto& [name, members] = key;
    if (members == 1)
      all[name] += bytes;
    else
      for (std::uint32_t m = 0; m < members; ++m) all["member " + std::to_string(m) + ": " + name] += bytes / members;
  }
  return all;
}

}  // namespace lumarch
