// SPDX-License-Identifier: Apache-2.0
#include <lumarch/run.hpp>

#include "lumarch/commands.hpp"

namespace lumarch::cli {

int tune_command(const TuneRequest& request, std::ostream& out) {
  BackendRequest backend = request.backend;
  backend.plan = "patient";
  for (const std::int64_t n : request.lengths) {
    out << "tuning the transforms of " << n << " points ..." << std::flush;
    std::string said;
    const double seconds =
        tune(backend, n, request.folders, [&](int, const std::string& text) { said += "  " + text + '\n'; });
    out << " " << seconds << " s\n" << said;
  }
  return 0;
}

}  // namespace lumarch::cli
