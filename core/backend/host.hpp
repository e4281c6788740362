// SPDX-License-Identifier: Apache-2.0
// The host's side of the ABI: what a plugin may call. One is made for loading each plugin; whoever opens a device makes
// another, with the run's own log and stop, that lives as long as the device.
#pragma once

#include <functional>
#include <mutex>
#include <string>

#include <lumarch/abi.h>

namespace lumarch {

class Host {
public:
  using Log = std::function<void(int, const std::string&)>;
  using Poll = std::function<bool(double)>;  // true = stop soon

  // `plugin_path`: the plugin whose library directory this host tells.
  explicit Host(const std::string& plugin_path, Log log = {}, Poll poll = {});
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  [[nodiscard]] const lm_host* table() const noexcept { return &table_; }

  // A log belongs to its caller: the loader's hosts outlive every call, so they have one only for as long as it lasts.
  void set_log(Log log);

private:
  void write(int level, const char* text) noexcept;

  lm_host table_{};
  std::mutex mutex_;
  Log log_;
  Poll poll_;
  std::string library_directory_, cache_directory_;
};

}  // namespace lumarch
