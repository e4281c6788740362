// SPDX-License-Identifier: Apache-2.0
// The two addresses of device memory. The host has the first: nothing is ever mapped there, so whoever dereferences it
// outside a kernel faults. Kernel bodies add a constant distance (LM_DEVICE_ADDRESS) and arrive where the memory is.
// Include this before any header of lumarch/kernels/.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lumarch::emulated {

// Also the address space of a device. AddressSanitizer keeps a shadow of all that is mapped: it gets less.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr std::uintptr_t distance = std::uintptr_t{4} << 30;
#else
inline constexpr std::uintptr_t distance = std::uintptr_t{64} << 30;
#endif

template <class T>
inline __attribute__((always_inline)) T* device_address(T* host) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(host) + distance);
}

}  // namespace lumarch::emulated

#define LM_DEVICE_ADDRESS(address) (::lumarch::emulated::device_address(address))
