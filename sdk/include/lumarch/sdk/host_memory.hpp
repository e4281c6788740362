// SPDX-License-Identifier: Apache-2.0
// Buffers of a device whose memory is the host's: handles in, addresses out. One thread at a time allocates and frees;
// resolve() may be called from many threads while no one does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <lumarch/sdk/fault.hpp>

namespace lumarch::sdk {

class HostMemory {
public:
  static constexpr std::uint64_t alignment = 64;  // bytes: a cache line, and the widest vector

  // Every new buffer is filled with this byte where it is not negative: 0xFF makes every double a NaN.
  explicit HostMemory(int fill = -1) : fill_(fill) {}

  lm_buffer alloc(std::uint64_t bytes) {
    if (bytes > (std::uint64_t{1} << 46)) throw Fault(LM_E_NOMEM, "a buffer of " + std::to_string(bytes) + " bytes");
    const std::uint64_t rounded = (bytes + alignment - 1) / alignment * alignment;
    Block block{{static_cast<std::byte*>(std::aligned_alloc(alignment, rounded ? rounded : alignment)), &std::free},
                bytes};
    if (!block.data) throw Fault(LM_E_NOMEM, "no memory for a buffer of " + std::to_string(bytes) + " bytes");
    if (fill_ >= 0) std::memset(block.data.get(), fill_, rounded);
    blocks_.push_back(std::move(block));  // a handle is never used twice: a freed one stays dead
    used_ += bytes;
    most_ = std::max(most_, used_);
    ++live_;
    return blocks_.size();
  }

  void free(lm_buffer buffer) {
    Block& block = at(buffer);
    used_ -= block.bytes;
    --live_;
    block = Block{{nullptr, &std::free}, 0};
  }

  // NULL where the handle is none of ours.
  void* resolve(lm_buffer buffer, std::uint64_t* bytes) const noexcept {
    if (buffer == 0 || buffer > blocks_.size()) return nullptr;
    const Block& block = blocks_[buffer - 1];
    if (bytes) *bytes = block.bytes;
    return block.data.get();
  }

  // Address of [offset, offset + bytes) of a buffer.
  std::byte* range(lm_buffer buffer, std::uint64_t offset, std::uint64_t bytes) {
    Block& block = at(buffer);
    if (offset > block.bytes || bytes > block.bytes - offset)
      throw Fault(LM_E_ARG, "bytes " + std::to_string(offset) + " to " + std::to_string(offset + bytes) +
                                " of a buffer that has " + std::to_string(block.bytes));
    return block.data.get() + offset;
  }

  // Bytes that were asked for and not freed; the most of them at once; and in how many buffers.
  [[nodiscard]] std::uint64_t used() const noexcept { return used_; }
  [[nodiscard]] std::uint64_t most() const noexcept { return most_; }
  [[nodiscard]] std::uint64_t live() const noexcept { return live_; }

private:
  struct Block {
    std::unique_ptr<std::byte, void (*)(void*)> data;
    std::uint64_t bytes;
  };

  Block& at(lm_buffer buffer) {
    if (buffer == 0 || buffer > blocks_.size() || !blocks_[buffer - 1].data)
      throw Fault(LM_E_ARG, "no such buffer: " + std::to_string(buffer));
    return blocks_[buffer - 1];
  }

  std::vector<Block> blocks_;
  std::uint64_t used_ = 0, most_ = 0, live_ = 0;
  int fill_;
};

}  // namespace lumarch::sdk
