// SPDX-License-Identifier: Apache-2.0
// Run by mpirun: each point of a scan is marched by one of the ranks, with the bits that it has alone.
#include <cstdio>
#include <cstring>
#include <map>

#include <lumarch/ranks.hpp>
#include <lumarch/scan_run.hpp>

using namespace lumarch;

namespace {

const char* const text = R"({
  "lumarch": 1, "model": "gnlse", "wavelength": "835 nm", "time": {"window": "5 ps", "points": 256},
  "medium": {"type": "fibre", "length": "5 mm", "gamma": 0.11, "dispersion": {"betas": ["-11.83 ps^2/km"]}},
  "responses": ["kerr"], "planes": 2, "backend": "reference",
  "launch": [{"shape": "sech", "fwhm": "50 fs", "peak_power": "1 kW"}],
  "scan": {"axes": [{"path": "/launch/0/peak_power", "linspace": ["1 kW", "11 kW", 11]}]}})";

bool same(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Complex)) == 0;
}

}  // namespace

int main() {
  try {
    Ranks ranks;
    const Scan scan = parse_scan(text);
    ScanOptions options;
    options.run.backend_path = {LUMARCH_BACKEND_DIR};
    options.draw = [&] { return ranks.next(); };
    std::map<std::size_t, std::vector<Complex>> ends;
    PlaneScanSink sink([&](std::size_t point, PlaneRecord record) {
      if (record.index == 1) ends[point] = std::move(record.field);
    });
    const ScanSummary summary = run_scan(scan, sink, options);
    double wrong = summary.ended == Ended::done && summary.points == ends.size() ? 0 : 1, sum = 0;
    for (const auto& [point, field] : ends) {
      MemorySink alone;
      RunOptions run_options;
      run_options.backend_path = {LUMARCH_BACKEND_DIR};
      (void)run(scan.problem(point), alone, run_options);
      if (!same(alone.planes[1].field, field)) ++wrong;
      sum += static_cast<double>(point);
    }
    const double all = ranks.sum(static_cast<double>(ends.size())), points = ranks.sum(sum), faults = ranks.sum(wrong);
    if (ranks.rank() == 0)
      std::printf("%d ranks, %.0f points, sum %.0f, %.0f wrong\n", ranks.size(), all, points, faults);
    return all == 11 && points == 55 && faults == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
