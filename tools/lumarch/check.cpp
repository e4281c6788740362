// SPDX-License-Identifier: Apache-2.0
#include <lumarch/run.hpp>

#include "lumarch/commands.hpp"

namespace lumarch::cli {

int check_command(const CheckRequest& request, std::ostream& out) {
  Problem problem = read_problem(request.file, request.overrides);
  choose_backend(problem.backend, request.backend, request.threads);
  out << describe(problem, {request.folders, {}});
  return 0;
}

}  // namespace lumarch::cli
