// SPDX-License-Identifier: Apache-2.0
// The commands of `lumarch`, one function each; the result is the exit status.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace lumarch::cli {

int backends_command(const std::vector<std::string>& folders, bool verbose, std::ostream& out);

}  // namespace lumarch::cli
