// SPDX-License-Identifier: Apache-2.0
// Goes the way that ld.so goes: program headers, the dynamic segment, the hash table of symbols. Section headers are
// not used, a stripped file may have none. Every number from the file is used only as an argument of a checked read.
#include "backend/elf_file.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <optional>

namespace lumarch {

namespace {

#if defined(__x86_64__)
constexpr unsigned machine = EM_X86_64;
constexpr const char* machine_name = "x86-64";
#elif defined(__aarch64__)
constexpr unsigned machine = EM_AARCH64;
constexpr const char* machine_name = "aarch64";
#else
#error "lumarch loads plugins on x86-64 and aarch64"
#endif

std::string name_of(unsigned e_machine) {
  switch (e_machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "aarch64";
    case EM_386:
      return "i386";
    case EM_ARM:
      return "arm";
    case EM_PPC64:
      return "ppc64";
    case EM_RISCV:
      return "riscv";
    default:
      return "machine " + std::to_string(e_machine);
  }
}

// Addresses in the tables below are those of the loaded image; a segment says where in the file they lie.
class Image {
public:
  Image(const ReadAt& read, std::vector<Elf64_Phdr> segments) : read_(read), segments_(std::move(segments)) {}

  bool bytes(std::uint64_t address, void* to, std::size_t size) const {
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
      const std::uint64_t within = address - segment.p_vaddr;
      if (within > segment.p_filesz || size > segment.p_filesz - within) continue;
      return segment.p_offset <= UINT64_MAX - within && read_(segment.p_offset + within, to, size);
    }
    return false;
  }

  template <class T>
  std::optional<T> get(std::uint64_t address, std::uint64_t index = 0) const {
    T value;
    if (index > UINT32_MAX || address > UINT64_MAX - index * sizeof(T)) return std::nullopt;
    return bytes(address + index * sizeof(T), &value, sizeof value) ? std::optional<T>(value) : std::nullopt;
  }

private:
  const ReadAt& read_;
  std::vector<Elf64_Phdr> segments_;
};

struct Dynamic {
  std::uint64_t symbols = 0, strings = 0, strings_size = 0, hash = 0, gnu_hash = 0;
};

std::optional<Dynamic> read_dynamic(const ReadAt& read, const Elf64_Phdr& segment) {
  Dynamic found;
  for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= segment.p_filesz; at += sizeof(Elf64_Dyn)) {
    Elf64_Dyn entry;
    if (segment.p_offset > UINT64_MAX - at || !read(segment.p_offset + at, &entry, sizeof entry)) return std::nullopt;
    switch (entry.d_tag) {
      case DT_NULL:
        return found;
      case DT_SYMTAB:
        found.symbols = entry.d_un.d_ptr;
        break;
      case DT_STRTAB:
        found.strings = entry.d_un.d_ptr;
        break;
      case DT_STRSZ:
        found.strings_size = entry.d_un.d_val;
        break;
      case DT_HASH:
        found.hash = entry.d_un.d_ptr;
        break;
      case DT_GNU_HASH:
        found.gnu_hash = entry.d_un.d_ptr;
        break;
      default:
        break;
    }
  }
  return found;
}

// The symbol of that index, where it is defined here, visible to others and has that name.
std::optional<Elf64_Sym> defined_as(const Image& image, const Dynamic& dynamic, std::uint32_t index,
                                    const std::string& name) {
  const auto symbol = image.get<Elf64_Sym>(dynamic.symbols, index);
  if (!symbol || symbol->st_shndx == SHN_UNDEF) return std::nullopt;
  const unsigned binding = ELF64_ST_BIND(symbol->st_info);
  if (binding != STB_GLOBAL && binding != STB_WEAK) return std::nullopt;
  if (dynamic.strings_size < name.size() + 1 || symbol->st_name > dynamic.strings_size - name.size() - 1) {
    return std::nullopt;
  }
  if (dynamic.strings > UINT64_MAX - symbol->st_name) return std::nullopt;
  std::string text(name.size() + 1, '\0');
  if (!image.bytes(dynamic.strings + symbol->st_name, text.data(), text.size())) return std::nullopt;
  return std::strcmp(text.c_str(), name.c_str()) == 0 && text.back() == '\0' ? symbol : std::nullopt;
}

// A chain of a damaged file may be a circle, or as long as the file; no real one is near this.
constexpr std::uint32_t longest_chain = 1u << 20;

std::optional<Elf64_Sym> find_by_gnu_hash(const Image& image, const Dynamic& dynamic, const std::string& name) {
  const auto buckets = image.get<std::uint32_t>(dynamic.gnu_hash, 0);
  const auto first = image.get<std::uint32_t>(dynamic.gnu_hash, 1);
  const auto bloom_words = image.get<std::uint32_t>(dynamic.gnu_hash, 2);
  if (!buckets || !first || !bloom_words || *buckets == 0) return std::nullopt;
  std::uint32_t hash = 5381;
  for (const char c : name) hash = hash * 33 + static_cast<unsigned char>(c);
  // In words of four bytes from the table's start: head (4), bloom filter (8 bytes a word), buckets, chain.
  const std::uint64_t bucket_at = 4 + std::uint64_t{2} * *bloom_words;
  const auto start = image.get<std::uint32_t>(dynamic.gnu_hash, bucket_at + hash % *buckets);
  if (!start || *start < *first) return std::nullopt;
  for (std::uint64_t index = *start; index - *start < longest_chain && index <= UINT32_MAX; ++index) {
    const auto link = image.get<std::uint32_t>(dynamic.gnu_hash, bucket_at + *buckets + (index - *first));
    if (!link) return std::nullopt;
    if ((*link | 1u) == (hash | 1u)) {
      if (const auto symbol = defined_as(image, dynamic, static_cast<std::uint32_t>(index), name)) return symbol;
    }
    if ((*link & 1u) != 0) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Elf64_Sym> find_by_hash(const Image& image, const Dynamic& dynamic, const std::string& name) {
  const auto buckets = image.get<std::uint32_t>(dynamic.hash, 0);
  const auto count = image.get<std::uint32_t>(dynamic.hash, 1);
  if (!buckets || !count || *buckets == 0) return std::nullopt;
  std::uint32_t hash = 0;
  for (const char c : name) {
    hash = (hash << 4) + static_cast<unsigned char>(c);
    const std::uint32_t high = hash & 0xf0000000u;
    hash = (hash ^ (high >> 24)) & ~high;
  }
  auto index = image.get<std::uint32_t>(dynamic.hash, 2 + hash % *buckets);
  for (std::uint32_t steps = 0; index && *index != STN_UNDEF && steps < *count && steps < longest_chain; ++steps) {
    if (const auto symbol = defined_as(image, dynamic, *index, name)) return symbol;
    index = image.get<std::uint32_t>(dynamic.hash, 2 + std::uint64_t{*buckets} + *index);
  }
  return std::nullopt;
}

std::string header_fault(const Elf64_Ehdr& header) {
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return "is not an ELF file: it is no shared library at all";
  constexpr unsigned char order = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != order) {
    return std::string("is not a 64-bit file of this machine (") + machine_name + "): build it for this machine";
  }
  if (header.e_machine != machine) {
    return "is built for " + name_of(header.e_machine) + ", this machine is " + machine_name +
           ": build it for this machine";
  }
  if (header.e_type != ET_DYN) return "is not a shared library: link it with -shared (CMake: MODULE)";
  return {};
}

}  // namespace

ElfReport read_elf(const ReadAt& read, std::uint64_t file_size, const std::string& symbol, std::size_t symbol_bytes) {
  const auto refuse = [](std::string fault) { return ElfReport{std::move(fault), {}}; };
  const std::string cut_short = "is cut short or damaged: copy or build it again";
  Elf64_Ehdr header;
  if (file_size < sizeof header || !read(0, &header, sizeof header)) {
    unsigned char magic[SELFMAG] = {};
    const bool elf = read(0, magic, sizeof magic) && std::memcmp(magic, ELFMAG, SELFMAG) == 0;
    return refuse(elf ? cut_short : "is not an ELF file: it is no shared library at all");
  }
  if (std::string fault = header_fault(header); !fault.empty()) return refuse(std::move(fault));
  if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phoff > file_size ||
      header.e_phnum * sizeof(Elf64_Phdr) > file_size - header.e_phoff) {
    return refuse(cut_short);
  }
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  if (!segments.empty() && !read(header.e_phoff, segments.data(), segments.size() * sizeof(Elf64_Phdr))) {
    return refuse(cut_short);
  }
  std::optional<Dynamic> dynamic;
  for (const Elf64_Phdr& segment : segments) {
    // Past its end a mapped file gives SIGBUS, also to ld.so: every segment must be there.
    if (segment.p_offset > file_size || segment.p_filesz > file_size - segment.p_offset) return refuse(cut_short);
    if (segment.p_type == PT_DYNAMIC && !dynamic) dynamic = read_dynamic(read, segment);
  }
  if (!dynamic || dynamic->symbols == 0 || dynamic->strings == 0) return refuse(cut_short);

  const Image image(read, std::move(segments));
  const auto found =
      dynamic->gnu_hash != 0 ? find_by_gnu_hash(image, *dynamic, symbol) : find_by_hash(image, *dynamic, symbol);
  if (!found) {
    return refuse("does not export " + symbol +
                  ": it is not a plugin of this lumarch, or its version script or visibility hides the symbol");
  }
  ElfReport report;
  report.symbol.resize(symbol_bytes);
  if (!image.bytes(found->st_value, report.symbol.data(), report.symbol.size())) report.symbol.clear();
  return report;
}

ElfReport read_elf_file(const std::string& path, const std::string& symbol, std::size_t symbol_bytes) {
  struct Descriptor {
    int value;
    explicit Descriptor(int fd) : value(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
      if (value >= 0) ::close(value);
    }
  };
  // O_NONBLOCK: a pipe of that name must not hold us up.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.value < 0) return {std::string("cannot be opened: ") + std::strerror(errno), {}};
  struct stat info {};
  if (::fstat(file.value, &info) != 0) return {std::string("cannot be looked at: ") + std::strerror(errno), {}};
  if (S_ISDIR(info.st_mode)) return {"is a directory, not a file: move it away", {}};
  if (!S_ISREG(info.st_mode)) return {"is not a regular file: move it away", {}};
  const auto size = static_cast<std::uint64_t>(info.st_size);
  const ReadAt read = [&](std::uint64_t offset, void* to, std::size_t wanted) {
    if (offset > size || wanted > size - offset) return false;
    return ::pread(file.value, to, wanted, static_cast<off_t>(offset)) == static_cast<ssize_t>(wanted);
  };
  return read_elf(read, size, symbol, symbol_bytes);
}

}  // namespace lumarch
