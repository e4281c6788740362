// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>

#include <lumarch/error.hpp>

#include "backend/load_plugin.hpp"
#include "backend/plugin.hpp"

namespace lumarch {

namespace {

using State = BackendCandidate::State;

// The one piece of global state. A library is mapped once a process and never unmapped, so whatever was learned by
// running its code (its table, its host, its kernels) has to live as long and must not be asked for twice, however
// many searches meet it. Never destroyed: plugins may have threads that run into the end of the process.
struct Registry {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<LoadedPlugin>> plugins;    // by real path and name
  std::map<std::string, std::unique_ptr<LoadedBackend>> backends;  // by path and folders searched

  static Registry& instance() {
    static Registry* const registry = std::make_unique<Registry>().release();
    return *registry;
  }
};

void say(const BackendSearch& search, int level, const std::string& text) {
  if (search.log) search.log(level, text);
}

// What is refused before any of its code ran may be put right and tried again: it is not kept.
std::shared_ptr<const LoadedPlugin> load_once(Registry& registry, const Candidate& candidate,
                                              const BackendSearch& search, const EntryOwner& owner = {}) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(candidate.path, error);
  // A link may give it another name, under which it is judged by itself: it is refused before anything is registered.
  const std::string key = (error ? candidate.path : real.string()) + '\n' + candidate.name;
  auto at = registry.plugins.find(key);
  if (at == registry.plugins.end()) {
    std::unique_ptr<LoadedPlugin> loaded = load_plugin(candidate, search.log, owner);
    if (!loaded->mapped) return loaded;
    at = registry.plugins.emplace(key, std::move(loaded)).first;
  }
  return {at->second.get(), [](const LoadedPlugin*) {}};
}

template <class Fn>
void put(std::map<KernelTable::Key, KernelTable::Entry<Fn>, std::less<>>& entries, const Registration& entry,
         const std::string& path) {
  if (const Fn* const fn = std::get_if<Fn>(&entry.fn); fn != nullptr) {
    entries.insert({{entry.name, entry.version}, {*fn, path}});
  }
}

void put(LoadedBackend& backend, const LoadedPlugin& plugin, const Registration& entry, const std::string& path) {
  if (std::holds_alternative<lm_kernel_fn>(entry.fn)) {
    for (const ResponseDescription& response : plugin.described)
      if (response.name == entry.name && response.version == entry.version)
        backend.table.responses.insert({{entry.name, entry.version}, response});
  }
  put(backend.table.kernels, entry, path);
  put(backend.table.edge_readers, entry, path);
  put(backend.table.batch_observers, entry, path);
}

LoadedBackend backend_of(const LoadedPlugin& loaded) {
  LoadedBackend backend;
  backend.plugin = loaded.plugin;
  backend.host = loaded.host->table();
  backend.path = loaded.shown.path;
  backend.name = loaded.shown.name;
  for (const Registration& entry : loaded.made) {
    if (entry.backend == backend.name) put(backend, loaded, entry, backend.path);
  }
  return backend;
}

void describe(KernelEntry& entry, const ResponseDescription& response) {
  entry.described = true;
  entry.text = response.text;
  entry.parameters = response.parameters;
}

template <class Fn>
void list(std::vector<KernelEntry>& out, const std::map<KernelTable::Key, KernelTable::Entry<Fn>, std::less<>>& entries,
          const char* kind) {
  for (const auto& [key, entry] : entries) out.push_back({key.first, key.second, kind, entry.from, false, {}, {}});
}

std::vector<KernelEntry> list(const KernelTable& table) {
  std::vector<KernelEntry> out;
  list(out, table.kernels, "kernel");
  for (KernelEntry& entry : out) {
    const auto at = table.responses.find(KernelTable::Key{entry.name, entry.version});
    if (at != table.responses.end()) describe(entry, at->second);
  }
  list(out, table.edge_readers, "edge reader");
  list(out, table.batch_observers, "batch observer");
  return out;
}

std::string owner_in(const std::vector<LoadedBackend*>& backends, const Registration& entry) {
  for (const LoadedBackend* const backend : backends) {
    if (backend->name != entry.backend) continue;
    for (const KernelEntry& old : list(backend->table)) {
      if (old.name == entry.name && old.version == entry.version && old.kind == entry.kind()) return old.from;
    }
  }
  return {};
}

std::string hidden_by(const std::string& path) {
  return "is hidden by " + path + ", which has the same name and comes first in the search order";
}

// Phase two: the kernels of files of kernels, each file wholly or not at all.
std::vector<BackendCandidate> add_kernels(Registry& registry, const std::vector<Candidate>& candidates,
                                          const std::vector<LoadedBackend*>& backends, const BackendSearch& search,
                                          bool all_are_here) {
  std::vector<BackendCandidate> results;
  std::map<std::string, std::string> taken;  // name -> path
  for (const Candidate& candidate : candidates) {
    if (!candidate.kernels_only) continue;
    BackendCandidate& shown = results.emplace_back();
    if (const auto first = taken.find(candidate.name); first != taken.end()) {
      shown.path = candidate.path;
      shown.name = candidate.name;
      shown.reason = hidden_by(first->second);
      continue;
    }
    const EntryOwner owner = [&](const Registration& entry) { return owner_in(backends, entry); };
    const auto loaded = load_once(registry, candidate, search, owner);
    shown = loaded->shown;
    shown.path = candidate.path;
    if (shown.state != State::loaded) continue;
    for (const Registration& entry : loaded->made) {  // again: it may have been registered for an earlier search
      const std::string path = owner_in(backends, entry);
      if (path.empty()) continue;
      shown.state = State::skipped;
      shown.reason = "registers the " + std::string(entry.kind()) + " " + entry.name + " for " + entry.backend +
                     ", which " + path + " has registered already: give it a name of your own";
      break;
    }
    if (shown.state != State::loaded) continue;
    taken.emplace(candidate.name, candidate.path);
    for (const Registration& entry : loaded->made) {
      KernelEntry& kernel = shown.kernels.emplace_back(
          KernelEntry{entry.name, entry.version, entry.kind(), candidate.path, false, {}, {}});
      for (const ResponseDescription& response : loaded->described)
        if (std::holds_alternative<lm_kernel_fn>(entry.fn) && response.name == entry.name &&
            response.version == entry.version)
          describe(kernel, response);
      bool used = false;
      for (LoadedBackend* const backend : backends) {
        if (backend->name != entry.backend) continue;
        put(*backend, *loaded, entry, candidate.path);
        used = true;
      }
      if (all_are_here && !used) {
        shown.reason += (shown.reason.empty() ? "warning: " : "; ") + entry.name + " is for the backend " +
                        entry.backend + ", which is not loaded";
      }
    }
  }
  return results;
}

std::vector<BackendCandidate> explain(Registry& registry, const std::vector<std::string>& folders,
                                      const BackendSearch& search) {
  const std::vector<Candidate> candidates = candidates_in(folders);
  std::vector<BackendCandidate> results;
  std::map<std::string, LoadedBackend> backends;  // usable ones, by name
  for (const Candidate& candidate : candidates) {
    if (candidate.kernels_only) continue;
    BackendCandidate& shown = results.emplace_back();
    if (const auto first = backends.find(candidate.name); first != backends.end()) {
      shown.path = candidate.path;
      shown.name = candidate.name;
      shown.reason = hidden_by(first->second.path);
      continue;
    }
    const auto loaded = load_once(registry, candidate, search);
    shown = loaded->shown;
    shown.path = candidate.path;
    if (shown.state == State::skipped) continue;
    LoadedBackend backend = backend_of(*loaded);
    if (shown.state == State::no_device) {  // another file of that name may do better
      shown.kernels = list(backend.table);
    } else {
      backends.emplace(candidate.name, std::move(backend));
    }
  }
  std::vector<LoadedBackend*> usable;
  for (auto& [name, backend] : backends) usable.push_back(&backend);
  const std::vector<BackendCandidate> added = add_kernels(registry, candidates, usable, search, true);
  for (BackendCandidate& shown : results) {
    if (shown.state == State::loaded) shown.kernels = list(backends.at(shown.name).table);
  }
  results.insert(results.end(), added.begin(), added.end());
  return results;
}

std::string folders_in_words(const std::vector<std::string>& folders) {
  std::string text = "Looked in:";
  for (const std::string& folder : folders) {
    text += "\n  " + folder;
    std::error_code error;
    if (!std::filesystem::exists(folder, error))
      text += " (is not there)";
    else if (!std::filesystem::is_directory(folder, error) && candidates_in({folder}).empty())
      text += " (is no folder, and no plugin's file: that is called liblumarch_backend_NAME.so)";
  }
  return text;
}

std::string nothing_of_that_name(Registry& registry, const std::string& name, const std::vector<std::string>& folders,
                                 const BackendSearch& search) {
  std::string text = "there is no backend \"" + name + "\".";
  const std::vector<BackendCandidate> all = explain(registry, folders, search);
  if (all.empty()) text += " There is no backend at all.";
  if (!all.empty()) text += " There are:";
  for (const BackendCandidate& shown : all) {
    static constexpr const char* states[] = {"loaded", "skipped", "no device"};
    text += "\n  " + shown.name + " (" + states[static_cast<int>(shown.state)] + ") " + shown.path;
    if (!shown.reason.empty()) text += ": " + shown.reason;
  }
  return text + "\n" + folders_in_words(folders);
}

}  // namespace

const LoadedBackend& load_backend(std::string_view wanted, const BackendSearch& search) {
  const std::string name(wanted);
  Registry& registry = Registry::instance();
  const std::scoped_lock lock(registry.mutex);
  const std::vector<std::string> folders = search_folders(search);
  const std::vector<Candidate> candidates = candidates_in(folders);
  std::string reasons;
  for (const Candidate& candidate : candidates) {
    if (candidate.kernels_only || candidate.name != name) continue;
    const auto loaded = load_once(registry, candidate, search);
    if (loaded->shown.state != State::loaded) {
      reasons += "\n  " + candidate.path + ": " + (loaded->shown.state == State::no_device ? "has no device: " : "") +
                 loaded->shown.reason;
      continue;
    }
    std::string key = candidate.path;
    for (const std::string& folder : folders) key += '\n' + folder;
    if (const auto at = registry.backends.find(key); at != registry.backends.end()) return *at->second;
    auto backend = std::make_unique<LoadedBackend>(backend_of(*loaded));
    if (!loaded->shown.reason.empty()) say(search, LM_LOG_WARN, candidate.path + ": " + loaded->shown.reason);
    backend->looked_at.push_back(backend->path);
    for (const BackendCandidate& shown : add_kernels(registry, candidates, {backend.get()}, search, false)) {
      backend->looked_at.push_back(shown.path +
                                   (shown.state == State::loaded ? "" : " (not used: it " + shown.reason + ")"));
      if (!shown.reason.empty()) say(search, LM_LOG_WARN, shown.path + ": " + shown.reason);
    }
    say(search, LM_LOG_INFO, "backend " + name + " " + loaded->shown.version + " from " + candidate.path);
    return *registry.backends.emplace(key, std::move(backend)).first->second;
  }
  if (!reasons.empty()) throw Error(Fault::refused, "the backend \"" + name + "\" cannot be used:" + reasons);
  throw Error(Fault::refused, nothing_of_that_name(registry, name, folders, search));
}

std::vector<BackendCandidate> explain_backends(const BackendSearch& search) {
  Registry& registry = Registry::instance();
  const std::scoped_lock lock(registry.mutex);
  return explain(registry, search_folders(search), search);
}

void shut_down_backends() noexcept {
  Registry& registry = Registry::instance();
  const std::lock_guard lock(registry.mutex);
  for (const auto& [path, loaded] : registry.plugins)
    if (loaded->shown.state != State::skipped && loaded->plugin->shutdown != nullptr) loaded->plugin->shutdown();
}

}  // namespace lumarch
