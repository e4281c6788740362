// SPDX-License-Identifier: Apache-2.0
// The ELF reader takes any bytes. Run it under the sanitizers: what counts is that nothing is read out of bounds.
#include <doctest/doctest.h>
#include <elf.h>

#include <cstring>
#include <random>

#include "backend/elf_file.hpp"
#include "backend/plugin_table.hpp"
#include "plugin_folders.hpp"

using namespace lumarch;
using namespace lumarch::testing;

namespace {

ElfReport read_bytes(const std::string& bytes) {
  const ReadAt read = [&](std::uint64_t offset, void* to, std::size_t size) {
    if (offset > bytes.size() || size > bytes.size() - offset) return false;
    std::memcpy(to, bytes.data() + offset, size);
    return true;
  };
  return read_elf(read, bytes.size(), LM_PLUGIN_SYMBOL, plugin_head_bytes);
}

std::string good_bytes() { return bytes_of(built("good") + "/" + file_of("good")); }

}  // namespace

TEST_CASE("the entry's head is read from the file") {
  const ElfReport report = read_bytes(good_bytes());
  CHECK(report.fault == "");
  REQUIRE(report.symbol.size() == plugin_head_bytes);
  CHECK(head_fault(report.symbol.data()) == "");
}

TEST_CASE("a library of the system is no plugin") {
  const ElfReport report = read_elf_file(std::string(LUMARCH_BINARY_DIR) + "/lib/liblumarch.so", LM_PLUGIN_SYMBOL, 16);
  CHECK(contains(report.fault, "does not export lm_plugin_v1"));
  CHECK(contains(read_elf_file("/proc/self/exe", LM_PLUGIN_SYMBOL, 16).fault, "not"));
  CHECK(contains(read_elf_file("/dev/null", LM_PLUGIN_SYMBOL, 16).fault, "not a regular file"));
  CHECK(contains(read_elf_file("/nowhere", LM_PLUGIN_SYMBOL, 16).fault, "cannot be opened"));
}

TEST_CASE("a file that is cut short anywhere is refused or still whole where it counts") {
  const std::string good = good_bytes();
  for (std::size_t size = 0; size < good.size(); size += size < 1200 ? 1 : 97) {
    const ElfReport report = read_bytes(good.substr(0, size));
    if (size < 4096) CHECK(report.fault != "");
  }
}

TEST_CASE("a file whose last mapped byte is missing is refused: mapping it would end the process") {
  const std::string good = good_bytes();
  Elf64_Ehdr header;
  std::memcpy(&header, good.data(), sizeof header);
  std::size_t end = 0;
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, good.data() + header.e_phoff + i * sizeof segment, sizeof segment);
    end = std::max<std::size_t>(end, segment.p_offset + segment.p_filesz);
  }
  CHECK(read_bytes(good.substr(0, end)).fault == "");
  CHECK(contains(read_bytes(good.substr(0, end - 1)).fault, "cut short"));
}

TEST_CASE("flipped bytes are survived") {
  const std::string good = good_bytes();
  std::mt19937 random(20240229);
  // The headers and tables that the reader follows lie in front; hit them more often than the rest.
  std::uniform_int_distribution<std::size_t> anywhere(0, good.size() - 1), in_front(0, 1500);
  std::size_t refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = good;
    for (int flips = 1 + round % 4; flips > 0; --flips) {
      bytes[round % 3 == 0 ? anywhere(random) : in_front(random)] = static_cast<char>(random());
    }
    if (!read_bytes(bytes).fault.empty()) ++refused;
  }
  CHECK(refused > 1000);
}

TEST_CASE("hostile numbers in the headers are survived") {
  const std::string good = good_bytes();
  constexpr std::uint64_t extremes[] = {0, 1, 0x7fffffffffffffff, 0x8000000000000000, 0xfffffffffffffff0, UINT64_MAX};
  for (std::size_t at = 0; at + 8 <= 1500; at += 4) {
    for (const std::uint64_t value : extremes) {
      std::string bytes = good;
      std::memcpy(bytes.data() + at, &value, sizeof value);
      (void)read_bytes(bytes);
    }
  }
}

TEST_CASE("random bytes after an ELF header are survived") {
  std::string bytes = good_bytes();
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    for (std::size_t i = sizeof(Elf64_Ehdr); i < bytes.size(); ++i) bytes[i] = static_cast<char>(random());
    CHECK(read_bytes(bytes).fault != "");
  }
}
