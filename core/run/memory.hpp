// SPDX-License-Identifier: Apache-2.0
// What a run will hold in memory, before it holds it; and the refusal of one that does not fit.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "backend/device.hpp"
#include "run/run_on.hpp"
#include "run/scene.hpp"

namespace lumarch {

using Bytes = std::map<std::string, std::uint64_t>;  // by name

struct MemoryEstimate {
  Bytes march;  // on the device while it marches: what the ledger will say
  Bytes most;   // on the device when it holds most
  Bytes host;   // beside it, on the host's side
  std::uint64_t march_bytes = 0, most_bytes = 0, host_bytes = 0;
};

// Makes the stepper and the launch's transforms of a run on a device that only counts.
[[nodiscard]] MemoryEstimate estimate_memory(Scene& scene, Device& device, const Problem& problem, const RunWays& ways);

// Error(Fault::refused), with the table and what may help, where the device or the host has less than that. Plans that
// were kept for the run go then.
void refuse_unless_it_fits(const MemoryEstimate& estimate, Device& device, const Problem& problem);

// Before a problem is translated: its tables, its launch and its state alone.
void refuse_unless_tables_fit(const Problem& problem);

// Lines of a table, largest first.
[[nodiscard]] std::string memory_table(const Bytes& entries);
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);  // "12.3 MB"

// The part on memory of what `lumarch check` prints; says why where the backend does not open.
[[nodiscard]] std::string describe_memory(const Problem& problem, const BackendSearch& search);

}  // namespace lumarch
