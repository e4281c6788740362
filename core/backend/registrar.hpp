// SPDX-License-Identifier: Apache-2.0
// What a plugin registers, kept aside until it is known that the whole plugin is good.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include <lumarch/abi.h>

namespace lumarch {

struct Registration {
  std::string backend;  // whose device it is for
  std::string name;
  std::uint32_t version = 0;
  std::variant<lm_kernel_fn, lm_edge_fn, lm_observe_fn> fn;

  [[nodiscard]] const char* kind() const;  // "kernel", "edge reader", "batch observer"
  [[nodiscard]] bool same_entry(const Registration& other) const;
};

// The path of the plugin that already has this entry, or "".
using EntryOwner = std::function<std::string(const Registration&)>;

class Staging {
public:
  Staging(std::string plugin, bool has_device, EntryOwner owner);
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  [[nodiscard]] const lm_registrar* table() const noexcept { return &table_; }

  std::vector<Registration> made;
  std::vector<std::string> faults;  // what was refused with LM_E_ARG
  std::vector<std::string> warnings;

private:
  template <class Fn>
  static lm_status take(void* ctx, const char* for_backend, const char* name, uint32_t version, Fn fn) noexcept;
  lm_status add(const char* for_backend, const char* name, std::uint32_t version,
                std::variant<lm_kernel_fn, lm_edge_fn, lm_observe_fn> fn, bool given);

  std::string plugin_;
  bool has_device_;
  EntryOwner owner_;
  lm_registrar table_{};
};

}  // namespace lumarch
