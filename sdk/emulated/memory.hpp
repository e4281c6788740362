// SPDX-License-Identifier: Apache-2.0
// Buffers of an emulated device. They have addresses in a space where nothing is mapped, and lie `distance` further on
// (address.hpp), each between pages that fault. Addresses are never used twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lumarch/sdk/fault.hpp>

namespace lumarch::emulated {

class Memory {
public:
  static constexpr std::uint64_t alignment = 64;

  explicit Memory(bool guard_at_end);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // New memory is full of 0xFF, which makes every double a NaN.
  lm_buffer alloc(std::uint64_t bytes);

  // The host's address, which is not to be dereferenced; NULL where the handle is none of ours.
  void* resolve(lm_buffer buffer, std::uint64_t* bytes) const noexcept;

  // Where [offset, offset + bytes) of a buffer lies, for work in the queue.
  [[nodiscard]] std::byte* range(lm_buffer buffer, std::uint64_t offset, std::uint64_t bytes) const;

  struct Pages {
    std::byte* at = nullptr;  // where the memory is
    std::size_t bytes = 0;
  };
  // The handle is dead from now on; the pages go with unmap(), when the queue has no more use for them.
  Pages retire(lm_buffer buffer);
  void unmap(const Pages& pages) const noexcept;

  [[nodiscard]] std::uint64_t addresses_left() const noexcept;

private:
  struct Block {
    std::byte* host = nullptr;
    std::uint64_t bytes = 0;
    Pages pages;
  };
  [[nodiscard]] const Block& at(lm_buffer buffer) const;

  bool guard_at_end_;
  std::size_t page_;
  std::byte* base_ = nullptr;
  std::uint64_t next_ = 0;  // bytes of the address space that are used up
  std::vector<Block> blocks_;
};

}  // namespace lumarch::emulated
