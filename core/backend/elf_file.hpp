// SPDX-License-Identifier: Apache-2.0
// What an ELF file says of itself, read without running any of its code. Survives any bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lumarch {

struct ElfReport {
  std::string fault;              // empty: a shared object of this machine that defines the symbol
  std::vector<std::byte> symbol;  // the first bytes of the symbol as the file has them, before any relocation
};

// Reads exactly `size` bytes at `offset`, or says that they are not there.
using ReadAt = std::function<bool(std::uint64_t offset, void* to, std::size_t size)>;

[[nodiscard]] ElfReport read_elf(const ReadAt& read, std::uint64_t file_size, const std::string& symbol,
                                 std::size_t symbol_bytes);
[[nodiscard]] ElfReport read_elf_file(const std::string& path, const std::string& symbol, std::size_t symbol_bytes);

}  // namespace lumarch
