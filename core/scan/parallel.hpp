// SPDX-License-Identifier: Apache-2.0
// How many points of a scan are marched at once, and with how many threads each.
#pragma once

#include <cstddef>
#include <vector>

#include <lumarch/scan_run.hpp>

namespace lumarch {

// Complex samples of a state, as the problem's numbers of points say; where a band says, what it makes of the window.
[[nodiscard]] double samples_of(const Problem& problem);

// Of those that come with lumarch one has threads of its own to be numbered.
[[nodiscard]] inline bool takes_threads(const BackendRequest& backend) { return backend.name == "cpu"; }

[[nodiscard]] Parallel parallel_of(const Scan& scan, const std::vector<std::size_t>& points);

}  // namespace lumarch
