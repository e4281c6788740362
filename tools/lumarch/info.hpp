// SPDX-License-Identifier: Apache-2.0
// `lumarch info OUT.h5`: what a file holds and how its run ended, in words.
#pragma once

#include <ostream>
#include <string>

namespace lumarch::tools {

// Returns the exit status; throws lumarch::Error.
int info_command(const std::string& file, std::ostream& out);
int scan_info_command(const std::string& file, std::ostream& out);  // of a scan's file

}  // namespace lumarch::tools
