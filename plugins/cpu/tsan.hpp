// SPDX-License-Identifier: Apache-2.0
// Tells ThreadSanitizer what it cannot see in a oneTBB that was built without it: that a region begins after what came
// before it, and ends before what comes after. Nothing in other builds.
#pragma once

#if defined(__SANITIZE_THREAD__)
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

namespace lumarch::cpu {

class Region {
public:
#if defined(__SANITIZE_THREAD__)
  Region() { __tsan_release(&begin_); }
  ~Region() { __tsan_acquire(&end_); }
  void enter() { __tsan_acquire(&begin_); }
  void leave() { __tsan_release(&end_); }
#else
  Region() = default;
  ~Region() = default;
  void enter() noexcept {}
  void leave() noexcept {}
#endif
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

private:
#if defined(__SANITIZE_THREAD__)
  char begin_ = 0, end_ = 0;
#endif
};

}  // namespace lumarch::cpu
