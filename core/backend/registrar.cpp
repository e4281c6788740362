// SPDX-License-Identifier: Apache-2.0
#include "backend/registrar.hpp"

#include <algorithm>

#include "backend/places.hpp"

namespace lumarch {

namespace {

// Lower-case words joined by dots; how many, or 0 where it is no such name.
std::size_t words_in(const std::string& name) {
  std::size_t words = 0;
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t to = std::min(name.find('.', from), name.size());
    if (!is_plugin_name(name.substr(from, to - from))) return 0;
    ++words;
    from = to + 1;
  }
  return words;
}

}  // namespace

const char* Registration::kind() const {
  static constexpr const char* kinds[] = {"kernel", "edge reader", "batch observer"};
  return kinds[fn.index()];
}

bool Registration::same_entry(const Registration& other) const {
  return backend == other.backend && name == other.name && version == other.version && fn.index() == other.fn.index();
}

Staging::Staging(std::string plugin, bool has_device, EntryOwner owner)
    : plugin_(std::move(plugin)), has_device_(has_device), owner_(std::move(owner)) {
  table_.struct_size = sizeof table_;
  table_.ctx = this;
  table_.kernel = &Staging::take<lm_kernel_fn>;
  table_.edge_reader = &Staging::take<lm_edge_fn>;
  table_.batch_observer = &Staging::take<lm_observe_fn>;
}

template <class Fn>
lm_status Staging::take(void* ctx, const char* for_backend, const char* name, uint32_t version, Fn fn) noexcept {
  try {
    return static_cast<Staging*>(ctx)->add(for_backend, name, version, fn, fn != nullptr);
  } catch (...) {
    return LM_E_NOMEM;
  }
}

lm_status Staging::add(const char* for_backend, const char* name, std::uint32_t version,
                       std::variant<lm_kernel_fn, lm_edge_fn, lm_observe_fn> fn, bool given) {
  const auto refuse = [this](const std::string& fault) {
    faults.push_back(fault);
    return LM_E_ARG;
  };
  const std::string called = name != nullptr ? name : "";
  const std::size_t words = words_in(called);
  if (words < 2) return refuse("registers the name \"" + called + "\": names are lower-case words joined by dots");
  if (!given) return refuse("registers " + called + " without a function");
  if (for_backend == nullptr && !has_device_) {
    return refuse("registers " + called + " for a device of its own, but has none: name the backend that it is for");
  }
  const bool own = for_backend == nullptr || (has_device_ && plugin_ == for_backend);
  Registration entry{own ? plugin_ : std::string(for_backend), called, version, fn};
  const std::string what = std::string(entry.kind()) + " " + called + " version " + std::to_string(version);
  if (std::any_of(made.begin(), made.end(), [&](const Registration& old) { return old.same_entry(entry); })) {
    return refuse("registers the " + what + " twice: take one out");
  }
  if (!own) {
    // Only files of kernels are looked into when another backend is asked for: the rest is as good as not there.
    if (has_device_) {
      warnings.push_back("its " + what + " for the backend " + entry.backend +
                         " is not used: move it into a liblumarch_kernels_<name>.so");
    }
    if (words < 4) {  // family, top domain, domain, name: two third parties can never mean two things by one name
      warnings.push_back("registers " + called + " for another plugin's backend: call it " +
                         called.substr(0, called.find('.')) + ".<reverse domain>.<name>");
    }
    if (const std::string path = owner_ ? owner_(entry) : std::string(); !path.empty()) {
      return refuse("registers the " + what + " for " + entry.backend + ", which " + path +
                    " has registered already: give it a name of your own");
    }
  }
  made.push_back(std::move(entry));
  return LM_OK;
}

}  // namespace lumarch
