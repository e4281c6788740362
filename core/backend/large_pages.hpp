// SPDX-License-Identifier: Apache-2.0
// Memory of the host in large pages, for what crosses in large pieces: a page fault every 2 MiB, not every 4 KiB.
#pragma once

#include <cstddef>

namespace lumarch {

// Advice for memory that has not been written to yet; nothing where the system has no large pages, or it is small.
void advise_large_pages(void* memory, std::size_t bytes) noexcept;

class LargePages {
public:
  LargePages() = default;
  explicit LargePages(std::size_t bytes);  // std::bad_alloc where there are none
  LargePages(LargePages&& other) noexcept;
  LargePages& operator=(LargePages&& other) noexcept;
  ~LargePages();
  [[nodiscard]] std::byte* data() const noexcept { return at_; }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_; }

private:
  std::byte* at_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace lumarch
