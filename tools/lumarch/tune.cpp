// SPDX-License-Identifier: Apache-2.0
#include <lumarch/run.hpp>

#include "lumarch/commands.hpp"

namespace lumarch::cli {

int tune_command(const TuneRequest& request, std::ostream& out) {
  BackendRequest backend = request.backend;
  backend.plan = "patient";
  for (const std::int64_t n : request.lengths) {
    out << "tuning the transforms of " << n << " points ..." << std::flush;
    const double seconds = tune(backend, n, request.folders);
    out << " " << seconds << " s\n";
  }
  return 0;
}

}  // namespace lumarch::cli
