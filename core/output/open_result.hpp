// SPDX-License-Identifier: Apache-2.0
// Opening what lumarch wrote, with words for what is none.
#pragma once

#include <string>

#include "output/h5.hpp"

namespace lumarch {

// Throws Error(Fault::problem): missing, a folder, not HDF5, locked. The caller holds an h5::Session.
[[nodiscard]] h5::File open_result(const std::string& path);

}  // namespace lumarch
