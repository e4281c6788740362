// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), for digests of problems. Not meant for secrets.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace lumarch::problem {

class Sha256 {
public:
  void add(std::string_view bytes);
  // 64 hex digits. The object is spent afterwards.
  [[nodiscard]] std::string hex();

private:
  void block(const unsigned char* bytes);

  std::array<std::uint32_t, 8> state_{0x6a09e667U, 0xbb67ae85U, 0x3c6ef372U, 0xa54ff53aU,
                                      0x510e527fU, 0x9b05688cU, 0x1f83d9abU, 0x5be0cd19U};
  std::array<unsigned char, 64> pending_{};
  std::size_t held_ = 0;
  std::uint64_t total_ = 0;
};

[[nodiscard]] std::string sha256(std::string_view bytes);

}  // namespace lumarch::problem
