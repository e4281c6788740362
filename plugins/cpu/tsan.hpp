// SPDX-License-Identifier: Apache-2.0
// Tells ThreadSanitizer what it cannot see in a oneTBB that was built without it: what a thread did before it releases
// an address comes before what another does after it acquires that address. Nothing in other builds.
#pragma once

#if defined(__SANITIZE_THREAD__)
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

namespace lumarch::cpu {

// Only the address matters; what lies there is not looked at.
inline void acquire([[maybe_unused]] const void* address) noexcept {
#if defined(__SANITIZE_THREAD__)
  __tsan_acquire(const_cast<void*>(address));
#endif
}
inline void release([[maybe_unused]] const void* address) noexcept {
#if defined(__SANITIZE_THREAD__)
  __tsan_release(const_cast<void*>(address));
#endif
}

}  // namespace lumarch::cpu
