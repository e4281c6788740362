// SPDX-License-Identifier: Apache-2.0
// What an emulated device is asked to be: docs/emulated-device.md has the list.
#pragma once

#include <cstdint>
#include <string>

#include <lumarch/abi.h>

namespace lumarch::emulated {

enum class Order { forward, reversed, shuffled };

struct Options {
  Order order = Order::forward;
  std::uint32_t warp = 32;
  std::uint64_t seed = 1;
  bool guard_at_end = true;
  bool late = true;
  bool replay = true;
  std::uint64_t fail_alloc = 0, lose_launch = 0;  // which one; 0: none
  std::uint64_t fail_launch = 0, fail_copy = 0, lose_call = 0;
  std::uint64_t memory = 0;  // bytes that there are; 0: as the machine has
  std::int32_t devices = 1;
  std::uint32_t workers = 64;
  std::uint32_t chunk = 0;  // 0: as many as there are rows for

  // Fault(LM_E_ARG) that lists what there is.
  void set(const std::string& key, const std::string& value);
};

// The defaults, changed by LUMARCH_EMULATED="key=value,key=value".
[[nodiscard]] Options options_of_environment();

}  // namespace lumarch::emulated
