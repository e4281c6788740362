// SPDX-License-Identifier: Apache-2.0
// What a GPU backend uses of the host, with answers for a host that offers nothing.
#pragma once

#include <cstdint>
#include <string>

#include <lumarch/abi.h>

namespace lumarch::gpu {

class Host {
public:
  explicit Host(const lm_host* host) noexcept : host_(host) {}

  void log(std::int32_t level, const std::string& text) const noexcept {
    if (host_ && LM_HAS(host_, log)) host_->log(host_->ctx, level, text.c_str());
  }
  // Bytes that the run may use; 0 where there is no limit.
  [[nodiscard]] std::uint64_t memory_budget() const noexcept {
    if (!host_ || !LM_HAS(host_, extension)) return 0;
    const auto* bytes = static_cast<const std::uint64_t*>(host_->extension(host_->ctx, LM_EXT_MEMORY_BUDGET));
    return bytes ? *bytes : 0;
  }

private:
  const lm_host* host_;
};

}  // namespace lumarch::gpu
