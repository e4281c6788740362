// SPDX-License-Identifier: Apache-2.0
// What backends there are, and why one is not used.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lumarch {

// A parameter of a response, as its plugin describes it. Numbers are in `unit`.
struct ParameterEntry {
  std::string name, unit;
  std::optional<double> standard;  // none: it must be given
  double least = 0, most = 0;
  std::string text;  // for people
};

struct KernelEntry {
  std::string name;
  std::uint32_t version = 0;
  std::string kind;        // "kernel", "edge reader", "batch observer"
  std::string from;        // path of the plugin that registered it
  bool described = false;  // a response that problem files can name; then also:
  std::string text;
  std::vector<ParameterEntry> parameters;
};

// One file that could be a backend, and what became of it.
struct BackendCandidate {
  enum class State { loaded, skipped, no_device };
  std::string path, name;
  State state = State::skipped;
  std::string reason;  // why skipped, why no device, or a warning
  std::string version, build;
  std::uint32_t abi_major = 0, abi_minor = 0;
  double load_ms = 0;
  std::vector<std::string> devices;  // one line each
  std::vector<KernelEntry> kernels;
};

struct BackendSearch {
  std::vector<std::string> folders;                  // --backend-path, searched first: folders, or a plugin's file
  std::function<void(int, const std::string&)> log;  // level as LM_LOG_*, text
};

// Every candidate in search order: --backend-path, LUMARCH_BACKEND_PATH (ignored when privileges are raised), then
// <libdir>/lumarch/backends beside the core library. Loads each one; never throws for a bad plugin.
[[nodiscard]] std::vector<BackendCandidate> explain_backends(const BackendSearch& search);

// Has every loaded plugin end its threads: for a host that forks, or wants none at its exit. No run may be going on;
// a later run starts them again. Plugins stay loaded.
void shut_down_backends() noexcept;

}  // namespace lumarch
