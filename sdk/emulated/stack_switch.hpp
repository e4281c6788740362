// SPDX-License-Identifier: Apache-2.0
// What AddressSanitizer must be told when a thread goes on on another stack; nothing in other builds.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace lumarch::emulated {

// One stack: that of a fiber, which makes itself known with has(), or that of whichever thread of the host runs them.
class SwitchedStack {
public:
  SwitchedStack() = default;
  SwitchedStack(const SwitchedStack&) = delete;
  SwitchedStack& operator=(const SwitchedStack&) = delete;

#if defined(__SANITIZE_ADDRESS__)
  void has(const void* bottom, std::size_t bytes) {
    bottom_ = bottom;
    bytes_ = bytes;
  }
  // On this stack, before a switch to another one and after one from it.
  void leave(SwitchedStack& to) { __sanitizer_start_switch_fiber(&kept_, to.bottom_, to.bytes_); }
  void arrive(SwitchedStack& from) { __sanitizer_finish_switch_fiber(kept_, &from.bottom_, &from.bytes_); }
  void leave_for_good(SwitchedStack& to) { __sanitizer_start_switch_fiber(nullptr, to.bottom_, to.bytes_); }

private:
  const void* bottom_ = nullptr;
  std::size_t bytes_ = 0;
  void* kept_ = nullptr;
#else
  void has(const void*, std::size_t) {}
  void leave(SwitchedStack&) {}
  void arrive(SwitchedStack&) {}
  void leave_for_good(SwitchedStack&) {}
#endif
};

}  // namespace lumarch::emulated
