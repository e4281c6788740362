// SPDX-License-Identifier: Apache-2.0
// The points of a scan, each as if it ran alone, however they are marched.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <set>

#include <lumarch/scan_run.hpp>

#include "backend/load_plugin.hpp"
#include "fibre.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

const char* const small = R"({
  "lumarch": 1, "model": "gnlse", "wavelength": "835 nm",
  "time": {"window": "5 ps", "points": 256},
  "medium": {"type": "fibre", "length": "5 mm", "gamma": 0.11, "dispersion": {"betas": ["-11.83 ps^2/km"]}},
  "responses": ["kerr"], "planes": 3, "backend": "reference",
  "launch": [{"shape": "sech", "fwhm": "50 fs", "peak_power": "1 kW"}],
  "scan": {"axes": [{"path": "/launch/0/peak_power", "linspace": ["1 kW", "7 kW", 7]}], "executor": EXECUTOR}})";

Scan scan_of(const std::string& executor = R"({"type": "local"})", std::vector<Override> overrides = {}) {
  std::string text = small;
  overrides.push_back({"/backend", backend_name()});
  return parse_scan(text.replace(text.find("EXECUTOR"), 8, executor), overrides);
}

ScanOptions here() {
  ScanOptions options;
  options.run.backend_path = {LUMARCH_BACKEND_DIR};
  return options;
}

// Bit for bit, NaN like any other value.
bool same(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0;
  });
}

void check_alone(const Scan& scan, const MemoryScanSink& sink) {
  for (std::size_t i = 0; i < scan.points(); ++i) {
    MemorySink alone;
    RunOptions options;
    options.backend_path = {LUMARCH_BACKEND_DIR};
    Problem problem = scan.problem(i);
    problem.backend.threads = sink.points[i].run.problem.backend.threads;  // scratch rows are one a thread
    const RunSummary summary = run(problem, alone, options);
    const MemorySink& point = sink.points[i];
    REQUIRE(point.planes.size() == alone.planes.size());
    for (std::size_t p = 0; p < alone.planes.size(); ++p) {
      CHECK(point.planes[p].field == alone.planes[p].field);
      CHECK(same(point.planes[p].statistics, alone.planes[p].statistics));
    }
    REQUIRE(point.march.size() == alone.march.size());
    for (std::size_t a = 0; a < alone.march.size(); ++a) CHECK(point.march[a].h == alone.march[a].h);
    CHECK(point.ended.bytes_crossed == alone.ended.bytes_crossed);
    CHECK(point.ended.memory == alone.ended.memory);
    CHECK(point.run.problem.digest == alone.run.problem.digest);
    CHECK(sink.ends[i].summary.energy_out == summary.energy_out);
  }
}

}  // namespace

TEST_CASE("a point has the same bits in a scan as alone, one at a time and several at once") {
  for (const char* executor : {R"({"type": "local", "parallel": 1})", R"({"type": "local", "parallel": 2})",
                               R"({"type": "local", "parallel": 3})", R"({"type": "local"})"}) {
    const Scan scan = scan_of(executor);
    MemoryScanSink sink;
    const ScanSummary summary = run_scan(scan, sink, here());
    CHECK(summary.done == 7);
    CHECK(summary.status == 0);
    CHECK(sink.how == Ended::done);
    check_alone(scan, sink);
  }
}

TEST_CASE("how many points at once: small ones on all cores, ranks one by one") {
  const auto of = [](const char* executor, std::vector<Override> overrides = {}) {
    overrides.push_back({"/backend", R"({"name": "cpu", "threads": 4})"});
    std::string text = small;
    return parallel_of(parse_scan(text.replace(text.find("EXECUTOR"), 8, executor), overrides));
  };
  CHECK(of(R"({"type": "local"})").points == 4);
  CHECK(of(R"({"type": "local"})").threads == 1);
  CHECK(of(R"({"type": "local", "parallel": 2})").threads == 2);
  CHECK(of(R"({"type": "local"})", {{"/time/points", "4194304"}}).points == 1);
  CHECK(of(R"({"type": "local"})", {{"/time/points", "4194304"}}).threads == 4);
  CHECK(of(R"({"type": "mpi"})").points == 1);
  CHECK(of(R"({"type": "mpi"})").threads == 4);
  std::string text = small;
  const Scan ranks = parse_scan(text.replace(text.find("EXECUTOR"), 8, R"({"type": "mpi"})"), {{"/backend", "cpu"}});
  CHECK(parallel_of(ranks).points == 1);
  CHECK(parallel_of(ranks).threads == 1);
}

TEST_CASE("the backend is opened once and kept") {
  const Scan scan = scan_of(R"({"type": "local", "parallel": 1})");
  MemoryScanSink sink;
  CHECK(run_scan(scan, sink, here()).backends_opened == 1);
  const Scan two = scan_of(R"({"type": "local", "parallel": 2})");
  const std::size_t opened = run_scan(two, sink, here()).backends_opened;
  CHECK(opened >= 1);
  CHECK(opened <= 2);
}

TEST_CASE("shards have every point once, whatever their order, and skipped ones are left out") {
  const Scan scan = scan_of();
  std::multiset<std::size_t> seen;
  for (std::size_t k = 1; k <= 3; ++k) {
    ScanOptions options = here();
    options.shard = k;
    options.shards = 3;
    PlaneScanSink sink([&](std::size_t point, PlaneRecord record) {
      if (record.index == 0) seen.insert(point);
    });
    CHECK(run_scan(scan, sink, options).points == (k == 1 ? 3 : 2));
  }
  CHECK(seen == std::multiset<std::size_t>{0, 1, 2, 3, 4, 5, 6});
  seen.clear();
  ScanOptions options = here();
  options.skip = {true, true, false, true, false};
  PlaneScanSink sink([&](std::size_t point, PlaneRecord record) {
    if (record.index == 0) seen.insert(point);
  });
  CHECK(run_scan(scan, sink, options).done == 4);
  CHECK(seen == std::multiset<std::size_t>{2, 4, 5, 6});
}

TEST_CASE("a point that fails is recorded and the scan goes on, or ends at the first") {
  const Scan scan =
      scan_of(R"({"type": "local", "parallel": 1})",
              {{"/scan/axes/0", R"({"path": "/launch/0/peak_power", "values": ["1 kW", "1e300 kW", "2 kW"]})"}});
  MemoryScanSink sink;
  ScanSummary summary = run_scan(scan, sink, here());
  CHECK(summary.done == 2);
  CHECK(summary.failed == 1);
  CHECK(summary.status == 4);
  CHECK(summary.ended == Ended::failed);
  REQUIRE(summary.failures.size() == 1);
  CHECK(summary.failures[0].point == 1);
  CHECK(summary.failures[0].reason.find("not finite") != std::string::npos);
  CHECK(sink.ends[1].ended == Ended::failed);
  CHECK(sink.ends[2].ended == Ended::done);
  ScanOptions options = here();
  options.fail_fast = true;
  summary = run_scan(scan, sink, options);
  CHECK(summary.done == 1);
  CHECK(summary.failed == 1);
  CHECK(sink.ends[2].ended == Ended::running);
  CHECK(sink.how == Ended::failed);
}

TEST_CASE("a stop ends the point under way and begins no other") {
  const Scan scan = scan_of(R"({"type": "local", "parallel": 1})");
  std::atomic<bool> stop{false};
  ScanOptions options = here();
  options.run.stop = &stop;
  struct Stops final : public ScanSink {
    explicit Stops(std::atomic<bool>& at) : stop(at) {}
    void begin(const Scan&, const std::vector<std::size_t>&, bool) override {}
    std::unique_ptr<Sink> point(std::size_t point) override {
      return std::make_unique<PlaneSink>([this, point](PlaneRecord record) {
        if (point == 2 && record.index == 1) stop = true;
      });
    }
    void ended(PointEnd& end) override { ends.push_back(end); }
    void end(Ended ended, const std::string&) override { how = ended; }
    std::atomic<bool>& stop;
    std::vector<PointEnd> ends;
    Ended how = Ended::running;
  } sink(stop);
  const ScanSummary summary = run_scan(scan, sink, options);
  CHECK(summary.ended == Ended::stopped);
  CHECK(summary.status == 7);
  CHECK(summary.done == 2);
  REQUIRE(sink.ends.size() == 3);
  CHECK(sink.ends[2].ended == Ended::stopped);
  CHECK(sink.how == Ended::stopped);
}

TEST_CASE("a sink that fails ends the scan with what it threw") {
  for (const int parallel : {1, 2}) {
    const Scan scan = scan_of(R"({"type": "local", "parallel": )" + std::to_string(parallel) + "}");
    PlaneScanSink sink([](std::size_t point, const PlaneRecord&) {
      if (point == 1) throw Error(Fault::output, "the disk of the application is full");
    });
    CHECK_THROWS_WITH((void)run_scan(scan, sink, here()), "the disk of the application is full");
  }
}

TEST_CASE("progress counts the points, and says what is left") {
  const Scan scan = scan_of();
  ScanOptions options = here();
  std::vector<ScanProgress> seen;
  options.progress = [&](const ScanProgress& now) { seen.push_back(now); };
  MemoryScanSink sink;
  (void)run_scan(scan, sink, options);
  REQUIRE(seen.size() >= 7);
  CHECK(seen.back().done == 7);
  CHECK(seen.back().running == 0);
  CHECK(seen.back().points == 7);
  CHECK(seen.back().seconds_left == 0);
}

TEST_CASE("a callable sees planes without fields where fields are none, and no field crosses") {
  const Scan scan = scan_of(R"({"type": "local"})", {{"/output", R"({"fields": "none"})"}});
  std::size_t planes = 0;
  bool fields = false;
  PlaneScanSink sink([&](std::size_t, const PlaneRecord& record) {
    ++planes;
    fields = fields || !record.field.empty();
  });
  (void)run_scan(scan, sink, here());
  CHECK(planes == 21);
  CHECK_FALSE(fields);
  MemoryScanSink memory;
  (void)run_scan(scan, memory, here());
  for (const PointEnd& end : memory.ends) CHECK(end.summary.end.bytes_crossed.count("download plane") == 0);
}
