// SPDX-License-Identifier: Apache-2.0
// One plugin file: every check between its name and its use, in the order in which they are made.
#pragma once

#include <memory>
#include <vector>

#include <lumarch/abi.h>
#include <lumarch/backends.hpp>

#include "backend/described.hpp"
#include "backend/host.hpp"
#include "backend/places.hpp"
#include "backend/registrar.hpp"

namespace lumarch {

struct LoadedPlugin {
  BackendCandidate shown;  // state and reason say whether the rest may be used
  bool mapped = false;     // its code has run: must live as long as the process
  const lm_plugin* plugin = nullptr;
  std::unique_ptr<Host> host;
  std::vector<Registration> made;
  std::vector<ResponseDescription> described;
};

// Never throws for a bad plugin. `owner` tells who has an entry of another plugin's backend.
[[nodiscard]] std::unique_ptr<LoadedPlugin> load_plugin(const Candidate& candidate, const Host::Log& log,
                                                        const EntryOwner& owner);

}  // namespace lumarch
