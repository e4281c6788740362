// SPDX-License-Identifier: Apache-2.0
#include <lumarch/run.hpp>
#include <lumarch/scan_file.hpp>
#include <lumarch/scan_run.hpp>

#include <cmath>
#include <map>
#include <string>

#include "lumarch/commands.hpp"
#include "lumarch/engineering.hpp"

namespace lumarch::cli {

namespace {

// Of a scan: its points, those that share a backend, and how long they take, by a short march of the middle one.
void describe_scan(const Scan& scan, const CheckRequest& request, std::ostream& out) {
  const std::size_t n = scan.points();
  out << "scan           " << n << " points\n";
  for (const ScanAxis& axis : scan.request().axes)
    out << "  axis         " << axis.pointer << ", " << axis.numbers.size() << " values\n";
  constexpr std::size_t most_shown = 10;
  for (std::size_t i = 0; i < n; ++i) {
    if (n > most_shown && i == most_shown - 2) {
      out << "  ...\n";
      i = n - 2;
      continue;
    }
    out << "  point " << i << std::string(i < 10 ? 6 : i < 100 ? 5 : 4, ' ') << scan.label(i) << '\n';
  }
  std::map<std::string, std::size_t> backends;
  for (std::size_t i = 0; i < n; ++i) {
    const BackendRequest backend = scan.problem(i).backend;
    ++backends[backend.name + ":" + std::to_string(backend.device)];
  }
  for (const auto& [name, count] : backends) out << "  backend      " << name << ", shared by " << count << " points\n";
  const Parallel parallel = parallel_of(scan);
  out << "  at once      " << parallel.points << (parallel.points == 1 ? " point" : " points");
  if (parallel.threads > 0)
    out << ", " << parallel.threads << (parallel.threads == 1 ? " thread" : " threads") << " each";
  out << '\n';

  Problem middle = scan.problem(n / 2);
  choose_backend(middle.backend, request.backend, request.threads);
  RunOptions options;
  options.backend_path = request.folders;
  options.time_limit = 1;
  PlaneSink nowhere([](const PlaneRecord&) {});
  const RunSummary trial = run(middle, nowhere, options);
  const double share = trial.end.z / middle.medium.length;
  if (share > 0)
    out << "  time         about "
        << tools::engineering(static_cast<double>(n) * trial.seconds / share / parallel.points, "s", 2)
        << " (from a march of point " << n / 2 << (share < 1 ? ", stopped after 1 s)" : ")") << '\n';
  out << '\n';
}

}  // namespace

int check_command(const CheckRequest& request, std::ostream& out) {
  const Scan scan = read_scan(request.file, request.overrides);
  if (scan.is_scan()) {
    scan.check();
    check_shapes(scan);
    describe_scan(scan, request, out);
    out << "The first point:\n";
  }
  Problem problem = scan.is_scan() ? scan.problem(0) : read_problem(request.file, request.overrides);
  choose_backend(problem.backend, request.backend, request.threads);
  out << describe(problem, {request.folders, {}});
  return 0;
}

}  // namespace lumarch::cli
