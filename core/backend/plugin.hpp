// SPDX-License-Identifier: Apache-2.0
// A loaded backend: the validated table of a plugin and the kernels registered for it, by it and by others.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lumarch/abi.h>
#include <lumarch/backends.hpp>

#include "backend/described.hpp"

namespace lumarch {

// Everything registered for one backend. Keys are (name, version).
struct KernelTable {
  using Key = std::pair<std::string, std::uint32_t>;
  template <class Fn>
  struct Entry {
    Fn fn = nullptr;
    std::string from;  // path of the plugin that registered it
  };
  std::map<Key, Entry<lm_kernel_fn>, std::less<>> kernels;
  std::map<Key, Entry<lm_edge_fn>, std::less<>> edge_readers;
  std::map<Key, Entry<lm_observe_fn>, std::less<>> batch_observers;
  std::map<Key, ResponseDescription, std::less<>> responses;  // of kernels whose plugin describes them

  // NULL where nobody registered it.
  [[nodiscard]] lm_kernel_fn find(std::string_view name, std::uint32_t version = 1) const {
    const auto at = kernels.find(Key{std::string(name), version});
    return at == kernels.end() ? nullptr : at->second.fn;
  }
};

// Lives to the end of the process: plugins are never unloaded (docs/embed.md says why).
struct LoadedBackend {
  const lm_plugin* plugin = nullptr;
  const lm_host* host = nullptr;  // what to hand to the plugin's functions
  std::string path, name;
  KernelTable table;
  std::vector<std::string> looked_at;  // this plugin and all files of kernels in the same folders, with their refusals
};

// Loads the backend of that name, and after it the kernels that other plugins in the same folders add to it. Throws
// Error(Fault::refused) with the reason of each candidate of that name, or the list of what there is.
[[nodiscard]] const LoadedBackend& load_backend(std::string_view name, const BackendSearch& search);

}  // namespace lumarch
