// SPDX-License-Identifier: Apache-2.0
// A device opened through its table and nothing else, so that what the table answers is seen as it is.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "backend/plugin_text.hpp"
#include "cases.hpp"

namespace lumarch::conform {

using Options = std::vector<std::pair<std::string, std::string>>;

class OpenDevice {
public:
  OpenDevice(const LoadedBackend& backend, const Options& options);
  OpenDevice(const OpenDevice&) = delete;
  OpenDevice& operator=(const OpenDevice&) = delete;
  ~OpenDevice();

  [[nodiscard]] lm_device* handle() const noexcept { return handle_; }
  [[nodiscard]] const lm_device_api& api() const noexcept { return *backend.plugin->device; }
  [[nodiscard]] std::string error() const;
  // Fails the case unless the call succeeded; `what` was done.
  void need(lm_status status, const std::string& what) const;
  [[nodiscard]] lm_buffer alloc(std::uint64_t bytes) const;

  const LoadedBackend& backend;

private:
  lm_device* handle_ = nullptr;
};

// The status, or the text of the refusal in `why`.
lm_status try_open(const LoadedBackend& backend, const Options& options, lm_device** device, std::string& why);

// "plan" = estimate where the device takes it and the run is not thorough: the cases then take seconds, not minutes,
// and two devices have the same plans.
[[nodiscard]] Options usual_options(const LoadedBackend& backend, bool thorough);
[[nodiscard]] std::uint64_t capabilities(const LoadedBackend& backend);

}  // namespace lumarch::conform
