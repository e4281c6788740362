// SPDX-License-Identifier: Apache-2.0
#include <lumarch/run.hpp>

#include "lumarch/commands.hpp"

namespace lumarch::cli {

int check_command(const std::string& file, const std::vector<Override>& overrides, std::ostream& out) {
  out << describe(read_problem(file, overrides));
  return 0;
}

}  // namespace lumarch::cli
