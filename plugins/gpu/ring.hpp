// SPDX-License-Identifier: Apache-2.0
// Pinned memory in slots that are used in turn: what crosses goes through them, so that a caller may use its own memory
// again at once and nobody waits until the ring wraps. Must not outlive its runtime.
#pragma once

#include <cstddef>
#include <vector>

namespace lumarch::gpu {

template <class R>
class PinnedRing {
public:
  // Check(code, what) throws where code is not 0.
  template <class Check>
  PinnedRing(R& runtime, std::size_t slots, std::size_t bytes, Check&& check)
      : runtime_(runtime), bytes_(bytes), slots_(slots) {
    try {
      check(runtime_.pin(&memory_, slots * bytes), "pinned memory");
      for (Slot& slot : slots_) {
        check(runtime_.make(&slot.event), "an event");
        slot.made = true;
      }
    } catch (...) {
      release();
      throw;
    }
  }
  // Whoever destroys it has waited for the stream.
  ~PinnedRing() { release(); }
  PinnedRing(const PinnedRing&) = delete;
  PinnedRing& operator=(const PinnedRing&) = delete;

  [[nodiscard]] std::size_t slots() const noexcept { return slots_.size(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::byte* memory(std::size_t slot) const noexcept {
    return static_cast<std::byte*>(memory_) + slot * bytes_;
  }

  // The next slot, free again: waits for what was put into the stream when it was used last.
  template <class Check>
  [[nodiscard]] std::size_t take(Check&& check) {
    const std::size_t slot = next_;
    next_ = (next_ + 1) % slots_.size();
    await(slot, check);
    return slot;
  }
  // The slot is in use until the stream has come to here.
  template <class Check>
  void mark(std::size_t slot, Check&& check) {
    check(runtime_.record(slots_[slot].event), "recording an event");
    slots_[slot].used = true;
  }
  template <class Check>
  void await(std::size_t slot, Check&& check) {
    if (!slots_[slot].used) return;
    check(runtime_.wait_for(slots_[slot].event), "waiting for a copy");
    slots_[slot].used = false;
  }

private:
  struct Slot {
    typename R::Event event{};
    bool made = false, used = false;
  };

  void release() noexcept {
    for (Slot& slot : slots_)
      if (slot.made) runtime_.destroy(slot.event);
    if (memory_) runtime_.unpin(memory_);
  }

  R& runtime_;
  void* memory_ = nullptr;
  std::size_t bytes_;
  std::size_t next_ = 0;
  std::vector<Slot> slots_;
};

}  // namespace lumarch::gpu
