// SPDX-License-Identifier: Apache-2.0
#include "exported.hpp"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace lumarch::conform {

std::vector<std::string> exported_names(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  const auto read = [&bytes](std::uint64_t at, auto& to) {
    if (at > bytes.size() || sizeof to > bytes.size() - at) throw std::runtime_error("the file is cut short");
    std::memcpy(&to, bytes.data() + at, sizeof to);
  };
  Elf64_Ehdr header;
  read(0, header);
  std::vector<std::string> names;
  bool found = false;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section, strings;
    read(header.e_shoff + std::uint64_t{i} * header.e_shentsize, section);
    if (section.sh_type != SHT_DYNSYM) continue;
    found = true;
    read(header.e_shoff + std::uint64_t{section.sh_link} * header.e_shentsize, strings);
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      read(section.sh_offset + at, symbol);
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL)
        continue;
      const std::uint64_t name = strings.sh_offset + symbol.st_name;
      if (name >= bytes.size()) throw std::runtime_error("a symbol has its name outside the file");
      names.emplace_back(bytes.data() + name, ::strnlen(bytes.data() + name, bytes.size() - name));
    }
  }
  if (!found) throw std::runtime_error("the file has no table of dynamic symbols");
  return names;
}

}  // namespace lumarch::conform
