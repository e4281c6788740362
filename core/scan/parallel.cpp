// SPDX-License-Identifier: Apache-2.0
#include "scan/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

namespace lumarch {

namespace {

// A state of 16 MiB: its rows are in a last cache, and its steps are longer than what threads cost.
constexpr double small = 1 << 20;

bool on_cores(const std::string& backend) {
  return backend == "cpu" || backend == "reference" || backend == "emulated";
}

}  // namespace

double samples_of(const Problem& problem) {
  double samples = static_cast<double>(problem.time.points);
  if (problem.time.band) {
    constexpr double c = 299792458.0;
    const double width = c / problem.time.band->shortest - c / problem.time.band->longest;  // Hz
    samples = std::max(samples, problem.time.window * width);
  }
  if (!problem.uppe) return samples;
  const Geometry& g = problem.uppe->geometry;
  samples *= g.polarisations;
  switch (g.route) {
    case Route::mode_averaged:
      return samples;
    case Route::modal:
      return samples * static_cast<double>(std::max<std::size_t>(1, g.modes.size()));
    case Route::radial:
    case Route::line:
      return samples * static_cast<double>(g.points);
    case Route::cartesian:
      return samples * static_cast<double>(g.points) * static_cast<double>(g.points_y);
  }
  return samples;
}

Parallel parallel_of(const Scan& scan) {
  std::vector<std::size_t> all(scan.points());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return parallel_of(scan, all);
}

Parallel parallel_of(const Scan& scan, const std::vector<std::size_t>& points) {
  if (points.empty()) return {};
  double largest = 0;
  int threads = 0;
  bool cores = true;
  for (const std::size_t point : points) {
    const Problem problem = scan.problem(point);
    largest = std::max(largest, samples_of(problem));
    threads = std::max(threads, problem.backend.threads);
    cores = cores && on_cores(problem.backend.name);
  }
  // of ranks there are as many as there are cores, so each has one unless it is told otherwise
  const bool ranks = scan.request().executor == ScanRequest::Executor::mpi;
  if (ranks && threads == 0) threads = std::max(1, scan.request().parallel);
  const int all = threads > 0 ? threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  int at_once = scan.request().parallel;
  if (at_once == 0) at_once = cores && largest <= small && !ranks ? all : 1;
  at_once = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(at_once), points.size()));
  return {at_once, cores ? std::max(1, all / at_once) : 0};
}

}  // namespace lumarch
