// SPDX-License-Identifier: Apache-2.0
#include "backend/large_pages.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <new>
#include <utility>

namespace lumarch {

void advise_large_pages(void* memory, std::size_t bytes) noexcept {
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  const auto first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto last = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  if (last > first) (void)::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

LargePages::LargePages(std::size_t bytes) : bytes_(bytes) {
  void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  advise_large_pages(at, bytes);
  at_ = static_cast<std::byte*>(at);
}

LargePages::LargePages(LargePages&& other) noexcept
    : at_(std::exchange(other.at_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

LargePages& LargePages::operator=(LargePages&& other) noexcept {
  std::swap(at_, other.at_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

LargePages::~LargePages() {
  if (at_ != nullptr) ::munmap(at_, bytes_);
}

}  // namespace lumarch
