// SPDX-License-Identifier: Apache-2.0
// Buffers of a GPU as handles, what crosses to and from them, and the areas that kernels share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <lumarch/abi.h>
#include <lumarch/sdk/fault.hpp>

#include "ring.hpp"
#include "runtime.hpp"

namespace lumarch::gpu {

template <class R>
class Device;

// How things cross. Pageable memory is staged by the driver, and may be read after the call has returned on some
// machines; so what is small goes through a ring of our own without waiting, what is large through a ring of chunks
// that the copies of driver and processor fill in turn, and what lies between is waited for.
template <class R>
struct Sizes {
  static constexpr std::size_t small_bytes = std::size_t{64} << 10, small_slots = 16;
  static constexpr std::uint64_t large_bytes = std::uint64_t{256} << 20;
  static constexpr std::size_t chunk_bytes = std::size_t{16} << 20, chunk_slots = 4;
};

template <class R>
class Memory {
public:
  Memory(R& runtime, Device<R>& device) noexcept : runtime_(runtime), device_(device) {}

  lm_buffer alloc(std::uint64_t bytes) {
    buffers_.reserve(buffers_.size() + 1);
    void* at = get(bytes, "a buffer");
    buffers_.push_back({static_cast<std::byte*>(at), bytes});  // a handle is never used twice: a freed one stays dead
    used_ += bytes;
    return buffers_.size();
  }
  void free(lm_buffer buffer) {
    Block& block = find(buffer);
    void* at = block.at;
    used_ -= block.bytes;
    block = {};
    device_.changed();
    device_.usable();
    device_.check(runtime_.free(at), "free");
  }
  // NULL where the handle is none of ours.
  [[nodiscard]] void* resolve(lm_buffer buffer, std::uint64_t* bytes) const noexcept {
    if (buffer == 0 || buffer > buffers_.size()) return nullptr;
    const Block& block = buffers_[buffer - 1];
    if (bytes) *bytes = block.bytes;
    return block.at;
  }
  [[nodiscard]] std::uint64_t available() {
    std::size_t bytes = 0;
    device_.check(runtime_.free_memory(&bytes), "asking for the free memory");
    const std::uint64_t budget = device_.host().memory_budget();
    if (budget == 0) return bytes;
    return std::min<std::uint64_t>(bytes, budget > used_ ? budget - used_ : 0);
  }

  void upload(lm_buffer to, std::uint64_t offset, const void* from, std::uint64_t bytes) {
    std::byte* at = range(to, offset, bytes);
    if (bytes == 0) return;
    if (!from) throw sdk::Fault(LM_E_ARG, "nothing to upload from");
    const auto* source = static_cast<const std::byte*>(from);
    if (bytes <= Sizes<R>::small_bytes) {
      up(small(), at, source, bytes);
    } else if (bytes >= Sizes<R>::large_bytes) {
      PinnedRing<R>& ring = large();
      for (std::uint64_t done = 0; done < bytes; done += ring.bytes())
        up(ring, at + done, source + done, std::min<std::uint64_t>(ring.bytes(), bytes - done));
    } else {
      device_.check(runtime_.to_device(at, source, bytes), "an upload");
      device_.check(runtime_.wait(), "an upload");
    }
  }
  void download(lm_buffer from, std::uint64_t offset, void* to, std::uint64_t bytes) {
    const std::byte* at = range(from, offset, bytes);
    if (bytes == 0) {
      wait();
      return;
    }
    if (!to) throw sdk::Fault(LM_E_ARG, "nowhere to download to");
    auto* target = static_cast<std::byte*>(to);
    if (bytes <= Sizes<R>::small_bytes) {
      down(small(), at, target, bytes);
    } else if (bytes >= Sizes<R>::large_bytes) {
      down(large(), at, target, bytes);
    } else {
      device_.check(runtime_.to_host(target, at, bytes), "a download");
      wait();
    }
  }
  void copy(lm_buffer to, std::uint64_t to_offset, lm_buffer from, std::uint64_t from_offset, std::uint64_t bytes) {
    std::byte* target = range(to, to_offset, bytes);
    const std::byte* source = range(from, from_offset, bytes);
    if (bytes == 0 || target == source) return;
    const std::uint64_t apart = to_offset > from_offset ? to_offset - from_offset : from_offset - to_offset;
    if (to != from || apart >= bytes) {
      device_.check(runtime_.on_device(target, source, bytes), "a copy");
      return;
    }
    void* between = get(bytes, "a copy onto itself");  // ranges that overlap, as memmove has it
    device_.check(runtime_.on_device(between, source, bytes), "a copy");
    device_.check(runtime_.on_device(target, between, bytes), "a copy");
    device_.check(runtime_.free(between), "a copy");
  }
  void wait() { device_.check(runtime_.wait(), "waiting for the device"); }

  // The work area that all transforms share, and what reductions leave for their next launch: each as large as was ever
  // asked for. What is in the stream still uses the old one, which is freed behind it.
  [[nodiscard]] void* area(std::size_t bytes) { return grown(area_, bytes, "the work area of the transforms"); }
  [[nodiscard]] double* partials(std::size_t doubles) {
    return static_cast<double*>(grown(partials_, doubles * sizeof(double), "the partial sums"));
  }

  // Frees all that is left, after the stream has been waited for.
  void clear() noexcept {
    small_.reset();
    large_.reset();
    for (Block& block : buffers_)
      if (block.at) (void)runtime_.free(block.at);
    for (Block* block : {&area_, &partials_}) {
      if (block->at) (void)runtime_.free(block->at);
      *block = {};
    }
    buffers_.clear();
    (void)runtime_.wait();
  }

private:
  struct Block {
    std::byte* at = nullptr;
    std::uint64_t bytes = 0;
  };

  auto checking() {
    return [this](int code, const char* what) { device_.check(code, what); };
  }

  [[nodiscard]] void* get(std::uint64_t bytes, const char* what) {
    device_.not_while_capturing("memory was asked for");
    // More than there is at all is not asked for: drivers call that by other names than memory.
    void* at = nullptr;
    const bool impossible = bytes > device_.properties().memory_bytes;
    const int code = impossible ? 0 : runtime_.alloc(&at, std::max<std::uint64_t>(bytes, 1));
    if (impossible || R::trouble(code) == Trouble::memory) {
      R::clear_error();
      std::size_t free = 0;
      const bool known = runtime_.free_memory(&free) == 0;
      throw sdk::Fault(LM_E_NOMEM, "no memory for " + std::string(what) + " of " + std::to_string(bytes) + " bytes, " +
                                       (known ? std::to_string(free) + " are free" : std::string("and none is free")) +
                                       (impossible ? "" : " (" + std::string(R::name(code)) + ")"));
    }
    device_.check(code, "alloc");
    device_.changed();
    return at;
  }

  [[nodiscard]] void* grown(Block& block, std::size_t bytes, const char* what) {
    if (bytes <= block.bytes) return block.at;
    void* larger = get(bytes, what);
    void* old = block.at;
    block = {static_cast<std::byte*>(larger), bytes};
    if (old) device_.check(runtime_.free(old), "free");
    return larger;
  }

  Block& find(lm_buffer buffer) {
    if (buffer == 0 || buffer > buffers_.size() || !buffers_[buffer - 1].at)
      throw sdk::Fault(LM_E_ARG, "no such buffer: " + std::to_string(buffer));
    return buffers_[buffer - 1];
  }
  // Address of [offset, offset + bytes) of a buffer.
  std::byte* range(lm_buffer buffer, std::uint64_t offset, std::uint64_t bytes) {
    Block& block = find(buffer);
    if (offset > block.bytes || bytes > block.bytes - offset)
      throw sdk::Fault(LM_E_ARG, "bytes " + std::to_string(offset) + " to " + std::to_string(offset + bytes) +
                                     " of a buffer that has " + std::to_string(block.bytes));
    return block.at + offset;
  }

  PinnedRing<R>& small() {
    if (!small_) small_.emplace(runtime_, Sizes<R>::small_slots, Sizes<R>::small_bytes, checking());
    return *small_;
  }
  PinnedRing<R>& large() {
    if (!large_) large_.emplace(runtime_, Sizes<R>::chunk_slots, Sizes<R>::chunk_bytes, checking());
    return *large_;
  }

  void up(PinnedRing<R>& ring, std::byte* to, const std::byte* from, std::size_t bytes) {
    const std::size_t slot = ring.take(checking());
    std::memcpy(ring.memory(slot), from, bytes);
    device_.check(runtime_.to_device(to, ring.memory(slot), bytes), "an upload");
    ring.mark(slot, checking());
  }
  // A chunk is taken out of its slot while the next ones arrive.
  void down(PinnedRing<R>& ring, const std::byte* from, std::byte* to, std::uint64_t bytes) {
    struct Piece {
      std::size_t slot;
      std::uint64_t offset;
      std::size_t bytes;
    };
    std::vector<Piece> under_way(ring.slots());
    const std::uint64_t pieces = (bytes + ring.bytes() - 1) / ring.bytes();
    for (std::uint64_t i = 0; i < pieces + ring.slots(); ++i) {
      Piece& piece = under_way[i % ring.slots()];
      if (i >= ring.slots() && i - ring.slots() < pieces) {
        ring.await(piece.slot, checking());
        std::memcpy(to + piece.offset, ring.memory(piece.slot), piece.bytes);
      }
      if (i >= pieces) continue;
      piece.slot = ring.take(checking());
      piece.offset = i * ring.bytes();
      piece.bytes = std::min<std::uint64_t>(ring.bytes(), bytes - piece.offset);
      device_.check(runtime_.to_host(ring.memory(piece.slot), from + piece.offset, piece.bytes), "a download");
      ring.mark(piece.slot, checking());
    }
  }

  R& runtime_;
  Device<R>& device_;
  std::vector<Block> buffers_;
  Block area_, partials_;
  std::uint64_t used_ = 0;
  std::optional<PinnedRing<R>> small_, large_;
};

}  // namespace lumarch::gpu
