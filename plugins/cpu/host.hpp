// SPDX-License-Identifier: Apache-2.0
// What the host offers, with answers for a host that offers nothing.
#pragma once

#include <cstdint>
#include <string>

#include <lumarch/abi.h>

namespace lumarch::cpu {

class Host {
public:
  Host() = default;
  explicit Host(const lm_host* host) noexcept : host_(host) {}

  void log(std::int32_t level, const std::string& text) const noexcept {
    if (host_ && LM_HAS(host_, log)) host_->log(host_->ctx, level, text.c_str());
  }
  // Whether whoever runs wants an end.
  [[nodiscard]] bool stopped() const noexcept {
    return host_ && LM_HAS(host_, poll) && host_->poll(host_->ctx, 0.0) != 0;
  }
  // Empty where the host has no place for caches.
  [[nodiscard]] std::string cache_directory() const {
    const auto* text = static_cast<const char*>(extension(LM_EXT_CACHE_DIRECTORY));
    return text ? text : "";
  }
  // 0 where there is no limit.
  [[nodiscard]] std::uint64_t memory_budget() const noexcept {
    const auto* bytes = static_cast<const std::uint64_t*>(extension(LM_EXT_MEMORY_BUDGET));
    return bytes ? *bytes : 0;
  }
  [[nodiscard]] const lm_planner_lock* planner_lock() const noexcept {
    return static_cast<const lm_planner_lock*>(extension(LM_EXT_PLANNER_LOCK));
  }

private:
  [[nodiscard]] const void* extension(const char* id) const noexcept {
    return host_ && LM_HAS(host_, extension) ? host_->extension(host_->ctx, id) : nullptr;
  }
  const lm_host* host_ = nullptr;
};

}  // namespace lumarch::cpu
