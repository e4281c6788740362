// SPDX-License-Identifier: Apache-2.0
#include "backend/host.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <lumarch/log.hpp>

namespace lumarch {

static_assert(log_level::debug == LM_LOG_DEBUG && log_level::info == LM_LOG_INFO && log_level::warning == LM_LOG_WARN &&
              log_level::error == LM_LOG_ERROR);

namespace {

// FFTW's planner is not safe in several threads, and plugins that use FFTW share one copy of it: one lock a process.
const lm_planner_lock* planner_lock() noexcept {
  static std::mutex mutex;
  static const lm_planner_lock lock = {sizeof(lm_planner_lock), 0, &mutex,
                                       [](void* ctx) noexcept { static_cast<std::mutex*>(ctx)->lock(); },
                                       [](void* ctx) noexcept { static_cast<std::mutex*>(ctx)->unlock(); }};
  return &lock;
}

std::string cache_directory() {
  if (const char* const cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && cache[0] == '/') {
    return std::string(cache) + "/lumarch";
  }
  if (const char* const home = std::getenv("HOME"); home != nullptr && home[0] == '/') {
    return std::string(home) + "/.cache/lumarch";
  }
  return {};
}

}  // namespace

Host::Host(const std::string& plugin_path, Log log, Poll poll)
    : log_(std::move(log)),
      poll_(std::move(poll)),
      library_directory_(std::filesystem::path(plugin_path).parent_path().string()),
      cache_directory_(cache_directory()) {
  table_.struct_size = sizeof table_;
  table_.abi_major = LM_ABI_MAJOR;
  table_.abi_minor = LM_ABI_MINOR;
  table_.ctx = this;
  table_.log = [](void* ctx, int32_t level, const char* text) noexcept { static_cast<Host*>(ctx)->write(level, text); };
  table_.poll = [](void* ctx, double fraction) noexcept -> int32_t {
    const Host& host = *static_cast<Host*>(ctx);
    try {
      return host.poll_ && host.poll_(fraction) ? 1 : 0;
    } catch (...) {
      return 1;  // it must not pass through the plugin; a caller that throws wants an end
    }
  };
  table_.extension = [](void* ctx, const char* id) noexcept -> const void* {
    const Host& host = *static_cast<Host*>(ctx);
    if (id == nullptr) return nullptr;
    if (std::strcmp(id, LM_EXT_PLANNER_LOCK) == 0) return planner_lock();
    if (std::strcmp(id, LM_EXT_LIBRARY_DIRECTORY) == 0) return host.library_directory_.c_str();
    if (std::strcmp(id, LM_EXT_CACHE_DIRECTORY) == 0 && !host.cache_directory_.empty()) {
      return host.cache_directory_.c_str();
    }
    return nullptr;
  };
}

void Host::set_log(Log log) {
  const std::scoped_lock lock(mutex_);
  log_ = std::move(log);
}

void Host::write(int level, const char* text) noexcept {
  try {
    const std::scoped_lock lock(mutex_);
    if (log_ && text != nullptr) log_(level, text);
  } catch (...) {  // nothing of a log may pass through a plugin
  }
}

}  // namespace lumarch
