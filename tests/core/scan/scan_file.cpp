// SPDX-License-Identifier: Apache-2.0
// What a scan's file holds of a point is what a run of it alone leaves.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>

#include <lumarch/scan_file.hpp>

#include "core/output/example_run.hpp"
#include "fibre.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

const char* const small = R"({
  "lumarch": 1, "model": "gnlse", "wavelength": "835 nm", "title": "small",
  "time": {"window": "5 ps", "points": 128},
  "medium": {"type": "fibre", "length": "5 mm", "gamma": 0.11, "dispersion": {"betas": ["-11.83 ps^2/km"]}},
  "responses": ["kerr"], "planes": 3,
  "launch": [{"shape": "sech", "fwhm": "50 fs", "peak_power": "1 kW"}],
  "scan": {"axes": [AXES]}})";

const char* const beams = R"({
  "lumarch": 1, "model": "uppe", "wavelength": "800 nm", "title": "beams",
  "time": {"window": "200 fs", "points": 32}, "geometry": {"route": "radial", "radius": "0.5 mm", "points": 12},
  "medium": {"type": "gas", "length": "1 cm", "gas": "argon", "pressure": "1 bar"}, "responses": ["kerr"], "planes": 3,
  "launch": [{"shape": "gauss", "fwhm": "30 fs", "energy": "1 uJ", "beam": {"waist": "100 um"}}],
  "statistics": ["energy", "beam_radius", "width_20db"],
  "scan": {"axes": [AXES]}})";

Scan scan_of(std::string text, const std::string& axes, std::vector<Override> overrides = {}) {
  overrides.push_back({"/backend", backend_name()});
  return parse_scan(text.replace(text.find("AXES"), 4, axes), overrides);
}

ScanOptions here() {
  ScanOptions options;
  options.run.backend_path = {LUMARCH_BACKEND_DIR};
  return options;
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}
bool same(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Complex)) == 0);
}

void check_same(const ResultFile& a, const ResultFile& b) {
  const ResultInfo &x = a.info(), &y = b.info();
  CHECK(x.unread.empty());
  CHECK(y.unread.empty());
  CHECK(x.problem == y.problem);
  CHECK(x.digest == y.digest);
  CHECK(x.status == y.status);
  CHECK(x.title == y.title);
  CHECK(same(x.omega, y.omega));
  CHECK(same(x.time, y.time));
  CHECK(same(x.z, y.z));
  CHECK(same(x.nodes.r, y.nodes.r));
  CHECK(x.omega0 == y.omega0);
  CHECK(x.planes_written == y.planes_written);
  CHECK(x.fields == y.fields);
  CHECK(x.last_plane == y.last_plane);
  CHECK(x.field_units == y.field_units);
  CHECK(x.accepted == y.accepted);
  CHECK(x.evaluations == y.evaluations);
  CHECK(x.z_reached == y.z_reached);
  REQUIRE(x.statistics.size() == y.statistics.size());
  for (std::size_t i = 0; i < x.statistics.size(); ++i) {
    CHECK(x.statistics[i].name == y.statistics[i].name);
    CHECK(x.statistics[i].units == y.statistics[i].units);
    CHECK(same(x.statistics[i].values, y.statistics[i].values));
  }
  REQUIRE(x.edges.size() == y.edges.size());
  CHECK(x.rims == y.rims);
  for (std::size_t i = 0; i < x.edges.size(); ++i) {
    CHECK(x.edges[i].z == y.edges[i].z);
    CHECK(x.edges[i].rims[0].share == y.edges[i].rims[0].share);
  }
  REQUIRE(x.march.size() == y.march.size());
  for (std::size_t i = 0; i < x.march.size(); ++i) {
    CHECK(x.march[i].z == y.march[i].z);
    CHECK(x.march[i].h == y.march[i].h);
    CHECK(x.march[i].error == y.march[i].error);
    CHECK(x.march[i].accepted == y.march[i].accepted);
  }
  REQUIRE(a.field_planes() == b.field_planes());
  for (const std::int64_t plane : a.field_planes()) CHECK(same(a.field(plane), b.field(plane)));
  if (x.power_units.empty()) return;
  for (std::int64_t plane = 0; plane < x.planes_written; ++plane) {
    CHECK(same(a.spectrum(plane), b.spectrum(plane)));
    CHECK(same(a.power(plane), b.power(plane)));
    if (!x.fluence_units.empty()) CHECK(same(a.fluence(plane), b.fluence(plane)));
  }
}

void march_alone(const Scan& scan, std::size_t point, const std::string& path) {
  const auto sink = make_file_sink(path, true);
  (void)run(scan.problem(point), *sink, here().run);
}

void check_alone(const Scan& scan, const std::string& path, const std::string& lone) {
  const ScanFile file(path);
  for (std::size_t i = 0; i < scan.points(); ++i) {
    CAPTURE(i);
    march_alone(scan, i, lone);
    check_same(file.point(i), ResultFile(lone));
    check_same(ResultFile(path + "#" + std::to_string(i)), ResultFile(lone));
  }
}

std::size_t files_in(const example::Folder& folder) {
  const std::filesystem::directory_iterator all(folder.path());
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

const char* const powers = R"({"path": "/launch/0/peak_power", "values": ["1 kW", "2 kW", "5 kW"]})";

}  // namespace

TEST_CASE("each point of a file is what a run of it alone leaves") {
  struct Case {
    const char *text, *axes;
    std::vector<Override> overrides;
  };
  const Case cases[] = {
      {small, powers, {}},
      {small, powers, {{"/output", R"({"fields": "last"})"}}},
      {small, powers, {{"/output", R"({"fields": "none"})"}}},
      {small, powers, {{"/output", R"({"compression": 4})"}}},
      // large enough to be read where they lie
      {small, powers, {{"/time/points", "32768"}, {"/time/window", "50 ps"}, {"/medium/length", "10 um"}}},
      {small, R"({"path": "/medium/length", "values": ["5 mm", "7 mm"]})", {}},
      {small,
       R"({"path": "/time/window", "values": ["4 ps", "6 ps"]}, {"path": "/wavelength", "values": ["835 nm",
        "840 nm"]})",
       {}},
      {beams, R"({"path": "/launch/0/energy", "values": ["1 uJ", "2 uJ"]})", {}},
      {beams, R"({"path": "/geometry/radius", "values": ["0.5 mm", "0.6 mm"]})", {}},
      {beams, R"({"path": "/medium/pressure", "values": ["1 bar", "2 bar"]})", {{"/output", R"({"fields": "none"})"}}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.axes);
    const Scan scan = scan_of(one.text, one.axes, one.overrides);
    const example::Folder folder;
    const std::string path = folder / "scan.h5";
    const auto sink = make_scan_file(path, false);
    CHECK(run_scan(scan, *sink, here()).done == scan.points());
    CHECK(files_in(folder) == 1);
    const ScanFile file(path);
    CHECK(file.info().status == "done");
    CHECK(file.info().digest == scan.digest());
    REQUIRE(file.info().axes.size() == scan.request().axes.size());
    for (std::size_t a = 0; a < file.info().axes.size(); ++a) {
      CHECK(file.info().axes[a].path == scan.request().axes[a].pointer);
      CHECK(file.info().axes[a].unit == scan.request().axes[a].unit);
      CHECK(file.info().axes[a].numbers == scan.request().axes[a].numbers);
      for (const StoredPoint& p : file.info().points)
        CHECK(p.numbers[a] == file.info().axes[a].numbers[scan.place(p.point)[a]]);
    }
    check_alone(scan, path, folder / "alone.h5");
  }
}

TEST_CASE("a point whose arrays have other shapes is one that failed, with words") {
  CHECK_THROWS_WITH_AS(check_shapes(scan_of(small, R"({"path": "/time/points", "values": [128, 256]})")),
                       doctest::Contains("/time/points is 256, at the first point 128"), ProblemError);
  // of a band the window says how many frequencies there are
  const Scan scan = scan_of(beams, R"({"path": "/time/window", "values": ["200 fs", "400 fs", "800 fs"]})",
                            {{"/time", R"({"window": "200 fs", "band": ["700 nm", "900 nm"]})"}});
  const example::Folder folder;
  const std::string path = folder / "scan.h5";
  const auto sink = make_scan_file(path, false);
  ScanOptions options = here();
  const ScanSummary summary = run_scan(scan, *sink, options);
  CHECK(summary.failed == 2);
  CHECK(summary.status == 2);
  const ScanFile file(path);
  std::size_t done = 0;
  for (const StoredPoint& p : file.info().points) {
    if (p.status == "done") {
      ++done;
      continue;
    }
    CHECK(p.status == "failed");
    CHECK(p.reason.find("an axis must not change shapes") != std::string::npos);
  }
  CHECK(done == 1);
}

TEST_CASE("a failed point lies among good ones, with its reason") {
  for (const char* values : {R"(["1 kW", "1e300 kW", "2 kW"])", R"(["1e300 kW", "1 kW", "2 kW"])"}) {
    const Scan scan = scan_of(small, R"({"path": "/launch/0/peak_power", "values": )" + std::string(values) + "}");
    const example::Folder folder;
    const std::string path = folder / "scan.h5";
    {
      const auto sink = make_scan_file(path, false);
      CHECK(run_scan(scan, *sink, here()).failed == 1);
    }
    const ScanFile file(path);
    CHECK(file.info().status == "failed");
    for (const StoredPoint& p : file.info().points) {
      const bool bad = p.numbers[0] == 1e300;
      CHECK(p.status == (bad ? "failed" : "done"));
      CHECK(p.exit_state == (bad ? 4 : 0));
      CHECK((p.reason.find("not finite") != std::string::npos) == bad);
    }
  }
}

TEST_CASE("shards make a whole when they are collected") {
  for (const std::size_t shards : {std::size_t{2}, std::size_t{3}}) {
    const Scan scan = scan_of(small, R"({"path": "/launch/0/peak_power", "linspace": ["1 kW", "7 kW", 7]})");
    const example::Folder folder;
    std::vector<std::string> parts;
    for (std::size_t k = 1; k <= shards; ++k) {
      parts.push_back(folder / ("part" + std::to_string(k) + ".h5"));
      ScanOptions options = here();
      options.shard = k;
      options.shards = shards;
      const auto sink = make_scan_file(parts.back(), false, {k, shards});
      (void)run_scan(scan, *sink, options);
      CHECK(ScanFile(parts.back()).info().part.shard == k);
    }
    const std::string whole = folder / "whole.h5";
    collect_scan(whole, parts, false);
    CHECK(ScanFile(whole).info().status == "done");
    CHECK(ScanFile(whole).info().points.size() == 7);
    check_alone(scan, whole, folder / "alone.h5");
    CHECK_THROWS_WITH_AS(collect_scan(whole, parts, false), doctest::Contains("exists already"), Error);
    // one part alone: the others' points are missing
    collect_scan(whole, {parts[0]}, true);
    CHECK(ScanFile(whole).info().status == "stopped");
    CHECK(ScanFile(whole).info().points[1].status == "waiting");
    CHECK_THROWS_WITH_AS((void)ScanFile(whole).point(1), doctest::Contains("left nothing"), Error);
    const Scan other = scan_of(small, R"({"path": "/launch/0/peak_power", "linspace": ["1 kW", "8 kW", 7]})");
    const std::string strange = folder / "strange.h5";
    const auto sink = make_scan_file(strange, false);
    (void)run_scan(other, *sink, here());
    CHECK_THROWS_WITH_AS(collect_scan(folder / "no.h5", {parts[0], strange}, false), doctest::Contains("another scan"),
                         Error);
    std::filesystem::copy_file(parts[0], folder / "twice.h5");
    CHECK_THROWS_WITH_AS(collect_scan(folder / "no.h5", {parts[0], folder / "twice.h5"}, false),
                         doctest::Contains("point 0 is in "), Error);
  }
}

TEST_CASE("a rank's file has room for any points, and takes it as they come") {
  const Scan scan = scan_of(small, R"({"path": "/launch/0/peak_power", "linspace": ["1 kW", "7 kW", 7]})");
  const example::Folder folder;
  std::vector<std::string> parts;
  std::size_t next = 0;
  for (int rank = 0; rank < 2; ++rank) {
    parts.push_back(folder / ("rank" + std::to_string(rank) + ".h5"));
    ScanOptions options = here();
    std::size_t mine = 0;
    options.draw = [&] { return rank == 0 && mine++ == 3 ? std::size_t{100} : next++; };
    const auto sink = make_scan_file(parts.back(), false);
    CHECK(run_scan(scan, *sink, options).points == (rank == 0 ? 3 : 4));
  }
  collect_scan(folder / "whole.h5", parts, false);
  CHECK(ScanFile(folder / "whole.h5").info().status == "done");
  check_alone(scan, folder / "whole.h5", folder / "alone.h5");
}

TEST_CASE("a scan that is killed or stopped at any point goes on and ends as if it had not been") {
  const Scan scan = scan_of(small, R"({"path": "/launch/0/peak_power", "linspace": ["1 kW", "7 kW", 7]})");
  for (const std::size_t after : {std::size_t{0}, std::size_t{1}, std::size_t{4}}) {
    CAPTURE(after);
    const example::Folder folder;
    const std::string path = folder / "scan.h5";
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      const auto sink = make_scan_file(path, false);
      ScanOptions options = here();
      options.progress = [&](const ScanProgress& now) {
        if (now.done >= after) kill(getpid(), SIGKILL);
      };
      if (after == 0) {
        sink->begin(scan, {0, 1, 2, 3, 4, 5, 6}, false);
        kill(getpid(), SIGKILL);
      }
      (void)run_scan(scan, *sink, options);
      _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));
    const ScanFile killed(path);
    CHECK(killed.info().status == "running");
    std::size_t there = 0;
    for (const bool have : killed.skip()) there += have;
    CHECK(there >= after);
    ScanOptions options = here();
    options.skip = killed.skip();
    const auto sink = open_scan_file(path);
    CHECK(run_scan(killed.scan(), *sink, options).done == 7 - there);
    CHECK(ScanFile(path).info().status == "done");
    check_alone(scan, path, folder / "alone.h5");
    CHECK(files_in(folder) == 2);
  }
}

TEST_CASE("two scans on one file: the second is refused, forced or not") {
  const Scan scan = scan_of(small, powers);
  const example::Folder folder;
  const std::string path = folder / "scan.h5";
  const auto first = make_scan_file(path, false);
  first->begin(scan, {0, 1, 2}, false);
  for (const bool force : {false, true})
    CHECK_THROWS_WITH_AS(make_scan_file(path, force)->begin(scan, {0, 1, 2}, false),
                         doctest::Contains("is writing this file"), Error);
  CHECK_THROWS_WITH_AS(open_scan_file(path)->begin(scan, {0, 1, 2}, false), doctest::Contains("is writing this file"),
                       Error);
}

TEST_CASE("a run's file is no scan's, and a scan's no run's") {
  const Scan scan = scan_of(small, powers);
  const example::Folder folder;
  const std::string path = folder / "scan.h5", lone = folder / "lone.h5";
  {
    const auto sink = make_scan_file(path, false);
    (void)run_scan(scan, *sink, here());
  }
  march_alone(scan, 0, lone);
  CHECK(is_scan_file(path));
  CHECK_FALSE(is_scan_file(lone));
  CHECK_FALSE(is_scan_file(folder / "none.h5"));
  CHECK_THROWS_WITH_AS(ResultFile{path}, doctest::Contains("name one of its points"), Error);
  CHECK_THROWS_WITH_AS(ScanFile{lone}, doctest::Contains("not of a scan"), Error);
  CHECK_THROWS_WITH_AS(ResultFile(path + "#3"), doctest::Contains("holds no point 3"), Error);
}
