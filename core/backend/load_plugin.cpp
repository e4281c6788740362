// SPDX-License-Identifier: Apache-2.0
#include "backend/load_plugin.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "backend/elf_file.hpp"
#include "backend/plugin_library.hpp"
#include "backend/plugin_table.hpp"
#include "backend/process_watch.hpp"

namespace lumarch {

namespace {

using State = BackendCandidate::State;
using Output = ProcessWatch::Output;

// Text and status of a plugin's answer; `why` is cut off where it must end.
std::string status_name(lm_status status) {
  static constexpr const char* names[] = {"LM_OK",        "LM_E_ARG",   "LM_E_UNSUPPORTED", "LM_E_NO_DEVICE",
                                          "LM_E_DRIVER",  "LM_E_NOMEM", "LM_E_DEVICE_LOST", "LM_E_CANCELLED",
                                          "LM_E_INTERNAL"};
  const bool known = status <= 0 && status > -static_cast<lm_status>(std::size(names));
  return known ? names[-status] : "status " + std::to_string(status);
}

template <std::size_t n>
std::string text_of(const char (&buffer)[n]) {
  return std::string(buffer, ::strnlen(buffer, n));
}

std::string in_units(std::uint64_t bytes) {
  const double gib = static_cast<double>(bytes) / (1024.0 * 1024.0 * 1024.0);
  const long long tenths = std::llround(gib * 10);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

// The checks. Each returns an empty text or the reason to refuse the plugin.
class Loading {
public:
  Loading(const Candidate& candidate, const EntryOwner& owner, LoadedPlugin& loaded)
      : candidate_(candidate), owner_(owner), loaded_(loaded) {}

  std::string all() {
    using Check = std::string (Loading::*)();
    // Up to `file` no code of the plugin runs; `open` runs its constructors, nothing else before `table` is past.
    constexpr Check checks[] = {&Loading::place, &Loading::file,    &Loading::open,        &Loading::table,
                                &Loading::score, &Loading::devices, &Loading::register_all};
    for (const Check check : checks) {
      if (std::string fault = (this->*check)(); !fault.empty()) return fault;
    }
    return {};
  }

private:
  // Its name, and that nobody else could have put something else there.
  std::string place() {
    if (!is_plugin_name(candidate_.name)) return "has a name with other characters than a-z, 0-9 and _: rename it";
    const PlaceVerdict verdict = judge_place(candidate_.path);
    if (!verdict.warning.empty()) warn(verdict.warning);
    return verdict.refusal;
  }

  // A regular file, ELF of this machine, exports the entry; and the entry's head says ABI and layout of this core.
  std::string file() {
    const ElfReport report = read_elf_file(candidate_.path, LM_PLUGIN_SYMBOL, plugin_head_bytes);
    if (!report.fault.empty()) return report.fault;
    return report.symbol.empty() ? std::string() : head_fault(report.symbol.data());
  }

  // dlopen works, the entry lies in this file, and the constructors leave the process as it was.
  std::string open() {
    ProcessWatch watch(Output::caught);
    const OpenedLibrary library = open_library(candidate_.path);
    std::string left = watch.finish();
    loaded_.mapped = library.mapped;
    if (!library.fault.empty()) return library.fault;
    if (!left.empty()) return left;
    loaded_.plugin = library.plugin;
    return {};
  }

  std::string table() {
    const lm_plugin& plugin = *loaded_.plugin;
    if (std::string fault = head_fault(reinterpret_cast<const std::byte*>(&plugin)); !fault.empty()) return fault;
    loaded_.shown.abi_major = plugin.abi_major;
    loaded_.shown.abi_minor = plugin.abi_minor;
    if (plugin.version != nullptr) loaded_.shown.version = plugin.version;
    if (plugin.build != nullptr) loaded_.shown.build = plugin.build;
    return table_fault(plugin, candidate_.name, candidate_.kernels_only);
  }

  std::string score() {
    if (!LM_HAS(loaded_.plugin, score)) return {};
    ProcessWatch watch(Output::let_through);
    const int32_t score = loaded_.plugin->score(host());
    if (std::string left = watch.finish(); !left.empty()) return left;
    return score > 0 ? std::string() : "cannot run on this machine, it says (score 0): use another build of it";
  }

  // Drivers may print here, so the output is let through. No device is no fault of the plugin.
  std::string devices() {
    if (loaded_.plugin->device == nullptr) return {};
    const lm_device_api& device = *loaded_.plugin->device;
    ProcessWatch watch(Output::let_through);
    int32_t n = 0;
    char why[512] = {};
    const lm_status status = device.count(host(), &n, why, sizeof why);
    std::string fault;
    if (status != LM_OK && status != LM_E_NO_DEVICE) fault = "cannot count its devices: " + status_name(status);
    for (int32_t index = 0; fault.empty() && status == LM_OK && index < n; ++index) {
      lm_device_info info{};
      info.struct_size = sizeof info;
      const lm_status told = device.info(index, &info);
      if (told != LM_OK) fault = "cannot describe its device " + std::to_string(index) + ": " + status_name(told);
      std::string line = text_of(info.id) + " " + text_of(info.name);
      if (info.memory_bytes != 0) line += ", " + in_units(info.memory_bytes);
      loaded_.shown.devices.push_back(line);
    }
    if (std::string left = watch.finish(); !left.empty()) return left;
    const std::string said = text_of(why);
    if (!fault.empty()) return said.empty() ? fault : fault + " (" + said + ")";
    if (loaded_.shown.devices.empty()) {
      no_device_ = said.empty() ? "it gives no reason" : said;
    }
    return {};
  }

  // Nothing of it counts unless all of it does.
  std::string register_all() {
    Staging staging(candidate_.name, loaded_.plugin->device != nullptr, owner_);
    ProcessWatch watch(Output::caught);
    const lm_status status = loaded_.plugin->register_all(host(), staging.table());
    std::string undescribed;
    std::vector<ResponseDescription> described;
    if (status == LM_OK) described = described_by(*loaded_.plugin, undescribed);
    if (std::string left = watch.finish(); !left.empty()) return left;
    if (!staging.faults.empty()) return staging.faults.front();
    if (status != LM_OK)
      return "cannot register its kernels: register_all gave " + status_name(status) + ": its log says more";
    if (std::string fault = missing_kernels(staging); !fault.empty()) return fault;
    if (!undescribed.empty()) return undescribed;
    for (const ResponseDescription& response : described) {
      const auto is_it = [&](const Registration& entry) {
        return std::holds_alternative<lm_kernel_fn>(entry.fn) && entry.name == response.name &&
               entry.version == response.version;
      };
      if (std::none_of(staging.made.begin(), staging.made.end(), is_it))
        return "describes " + response.name + " version " + std::to_string(response.version) +
               " and registers no such kernel";
    }
    loaded_.described = std::move(described);
    for (const std::string& warning : staging.warnings) warn(warning);
    loaded_.made = std::move(staging.made);
    loaded_.shown.state = no_device_.empty() ? State::loaded : State::no_device;
    if (!no_device_.empty()) loaded_.shown.reason = no_device_;
    return {};
  }

  std::string missing_kernels(const Staging& staging) const {
    if (loaded_.plugin->device == nullptr) return {};
    std::string missing;
    for (const std::string& name : required_kernels()) {
      const Registration wanted{candidate_.name, name, 1, lm_kernel_fn{}};
      if (std::none_of(staging.made.begin(), staging.made.end(),
                       [&](const Registration& entry) { return entry.same_entry(wanted); })) {
        missing += (missing.empty() ? "" : ", ") + name;
      }
    }
    if (missing.empty()) return {};
    return "lacks required kernels (" + missing + ", version 1): docs/kernels.md says what they do";
  }

  void warn(const std::string& text) {
    std::string& reason = loaded_.shown.reason;
    reason += (reason.empty() ? "warning: " : "; ") + text;
  }

  [[nodiscard]] const lm_host* host() const { return loaded_.host->table(); }

  const Candidate& candidate_;
  const EntryOwner& owner_;
  LoadedPlugin& loaded_;
  std::string no_device_;
};

}  // namespace

std::unique_ptr<LoadedPlugin> load_plugin(const Candidate& candidate, const Host::Log& log, const EntryOwner& owner) {
  const auto start = std::chrono::steady_clock::now();
  auto loaded = std::make_unique<LoadedPlugin>();
  loaded->shown.path = candidate.path;
  loaded->shown.name = candidate.name;
  loaded->host = std::make_unique<Host>(candidate.path, log);
  if (std::string fault = Loading(candidate, owner, *loaded).all(); !fault.empty()) {
    loaded->shown.state = State::skipped;
    loaded->shown.reason = fault;
  }
  loaded->host->set_log({});
  loaded->shown.load_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return loaded;
}

}  // namespace lumarch
