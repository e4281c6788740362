// SPDX-License-Identifier: Apache-2.0
// Runs that end early go on from their file alone, and end with the bits of a run that was never interrupted.
#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include <lumarch/resume.hpp>

#include "fibre.hpp"

using namespace lumarch;
using namespace lumarch::test;
namespace fs = std::filesystem;

namespace {

const char* const fibre_text = R"json({
  "lumarch": 1, "model": "gnlse", "wavelength": "835 nm", "time": {"window": "5 ps", "points": 512},
  "medium": {"type": "fibre", "length": "2 cm", "gamma": "0.11 1/(W m)", "loss": "1 dB/m",
             "dispersion": {"betas": ["-11.83 ps^2/km", "0.081 ps^3/km"]}},
  "responses": ["kerr", "raman", "self-steepening"], "noise": {"model": "one-photon-per-mode", "seed": 4},
  "launch": [{"shape": "sech", "fwhm": "50 fs", "peak_power": "3 kW"}],
  "march": {"tolerance": 1e-5}, "planes": 7, "backend": "reference" })json";

const char* const radial_text = R"json({
  "lumarch": 1, "model": "uppe", "wavelength": "800 nm", "time": {"window": "60 fs", "band": ["400 nm", "1500 nm"]},
  "field": "real", "geometry": {"route": "radial", "radius": "300 um", "points": 12},
  "medium": {"type": "gas", "length": "1 mm", "gas": "argon", "pressure": "1 bar"},
  "responses": ["kerr"], "boundary": {"time": true, "space": true, "length": "0.2 mm"},
  "launch": [{"shape": "gauss", "fwhm": "10 fs", "energy": "20 uJ", "beam": {"waist": "80 um"}}],
  "planes": 4, "output": {"fields": "last"}, "backend": "reference" })json";

fs::path folder() {
  const fs::path here = fs::temp_directory_path() / ("lumarch-resume-" + std::to_string(getpid()));
  fs::create_directories(here);
  return here;
}

struct Cleaned {
  fs::path here = folder();
  ~Cleaned() {
    std::error_code ignored;
    fs::remove_all(here, ignored);
  }
};

RunOptions options() {
  RunOptions o;
  o.backend_path = {LUMARCH_BACKEND_DIR};
  return o;
}

RunSummary run_to(const fs::path& file, const Problem& problem, const RunOptions& how) {
  const auto sink = make_file_sink(file.string(), true);
  return run(problem, *sink, how);
}

ResumeOptions resume_options() {
  ResumeOptions o;
  o.run.backend_path = {LUMARCH_BACKEND_DIR};
  return o;
}

template <class Value>
bool same(const std::vector<Value>& a, const std::vector<Value>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0);
}

// All that a run writes of what it marched.
void check_same(const fs::path& one, const fs::path& other) {
  const ResultFile a(one.string()), b(other.string());
  const ResultInfo &x = a.info(), &y = b.info();
  CHECK(x.status == y.status);
  CHECK(x.unread.empty());
  CHECK(y.unread.empty());
  CHECK(x.planes_written == y.planes_written);
  CHECK(x.accepted == y.accepted);
  CHECK(x.rejected == y.rejected);
  CHECK(x.evaluations == y.evaluations);
  CHECK(x.z_reached == y.z_reached);
  CHECK(x.last_plane == y.last_plane);
  REQUIRE(x.march.size() == y.march.size());
  std::size_t other_attempts = 0;
  for (std::size_t i = 0; i < x.march.size(); ++i) {
    const AttemptRecord &p = x.march[i], &q = y.march[i];
    other_attempts += p.z != q.z || p.h != q.h || p.error != q.error || p.accepted != q.accepted;
  }
  CHECK(other_attempts == 0);
  REQUIRE(x.edges.size() == y.edges.size());
  std::size_t other_edges = 0;
  for (std::size_t i = 0; i < x.edges.size(); ++i) {
    const EdgeRecord &p = x.edges[i], &q = y.edges[i];
    other_edges += p.z != q.z || p.absorbed_time != q.absorbed_time || p.absorbed_space != q.absorbed_space;
    for (std::size_t rim = 0; rim < p.rims.size(); ++rim)
      other_edges += p.rims[rim].share != q.rims[rim].share || p.rims[rim].energy != q.rims[rim].energy ||
                     p.rims[rim].peak != q.rims[rim].peak;
  }
  CHECK(other_edges == 0);
  REQUIRE(x.statistics.size() == y.statistics.size());
  for (std::size_t i = 0; i < x.statistics.size(); ++i) CHECK(same(x.statistics[i].values, y.statistics[i].values));
  REQUIRE(a.field_planes() == b.field_planes());
  for (const std::int64_t plane : a.field_planes()) CHECK(same(a.field(plane), b.field(plane)));
  for (std::int64_t plane = 0; !x.spectrum_units.empty() && plane < x.planes_written; ++plane) {
    CHECK(same(a.spectrum(plane), b.spectrum(plane)));
    CHECK(same(a.power(plane), b.power(plane)));
    CHECK(same(a.fluence(plane), b.fluence(plane)));
  }
}

}  // namespace

TEST_CASE("a run that is stopped before any of its attempts goes on with the same bits, from its file alone") {
  const Cleaned cleaned;
  for (const char* text : {fibre_text, radial_text})
    for (const char* integrator : {"erk43", "adams", "low-storage"}) {
      CAPTURE(text);
      CAPTURE(integrator);
      const Problem problem = parse_problem(text, {{"/march/integrator", integrator}}, cleaned.here);
      const fs::path whole = cleaned.here / "whole.h5", part = cleaned.here / "part.h5";
      int polls = 0;
      RunOptions count = options();
      count.ask_stop = [&] { return ++polls < 0; };
      REQUIRE(run_to(whole, problem, count).end.ended == Ended::done);
      REQUIRE(polls >= 4);
      constexpr int set_up = 3;  // a stop is asked for as often before the first attempt
      for (const int at : {set_up + 1, set_up + 2, polls / 2, polls - 1, polls}) {
        CAPTURE(at);
        int asked = 0;
        RunOptions stopping = options();
        stopping.ask_stop = [&] { return ++asked == at; };
        const RunSummary stopped = run_to(part, problem, stopping);
        REQUIRE(stopped.end.ended == Ended::stopped);
        CHECK(ResultFile(part.string()).info().checkpoint_z == stopped.end.z);
        CHECK(stopped.end.bytes_crossed.at("download checkpoint") > 0);
        // stopped once more, at its first attempt but one where there is one
        int again = 0;
        ResumeOptions more = resume_options();
        more.run.ask_stop = [&] { return ++again == set_up + 2; };
        const Resumed first = resume(part.string(), more);
        CHECK(first.from == stopped.end.z);
        CHECK(first.summary.end.ended == (at == polls ? Ended::done : Ended::stopped));
        if (at != polls) CHECK(resume(part.string(), resume_options()).summary.end.ended == Ended::done);
        check_same(whole, part);
        CHECK(resume(part.string(), resume_options()).was_done);
        check_same(whole, part);
      }
    }
}

TEST_CASE("a time limit in the set-up, before the first attempt and in the last one") {
  const Cleaned cleaned;
  const Problem problem = parse_problem(fibre_text, {}, cleaned.here);
  const fs::path whole = cleaned.here / "whole.h5", part = cleaned.here / "part.h5";
  RunOptions plain = options();
  REQUIRE(run_to(whole, problem, plain).end.ended == Ended::done);
  RunOptions limited = options();
  limited.time_limit = 1e-9;
  REQUIRE(run_to(part, problem, limited).end.ended == Ended::stopped);
  CHECK(ResultFile(part.string()).info().march.empty());
  CHECK(resume(part.string(), resume_options()).summary.end.ended == Ended::done);
  check_same(whole, part);

  // The clock runs out while the last attempt is made: there is nothing left to stop.
  limited.time_limit = 30;
  const auto begin = std::chrono::steady_clock::now();
  double reached = 0;
  const auto last_step = ResultFile(whole.string()).info().march.back().z;
  RunOptions late = options();
  late.ask_stop = [&] {
    if (reached >= last_step) {
      std::this_thread::sleep_for(std::chrono::milliseconds(120));  // so that the last attempt's progress is told
      late.time_limit = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    return false;
  };
  late.progress = [&](const Progress& now) { reached = now.z; };
  CHECK(run_to(part, problem, late).end.ended == Ended::done);
}

TEST_CASE("a run without checkpoints, and one whose checkpoints are dropped, begin at the launch") {
  const Cleaned cleaned;
  const fs::path whole = cleaned.here / "whole.h5", part = cleaned.here / "part.h5";
  const Problem problem = parse_problem(fibre_text, {{"/output/checkpoint", "false"}}, cleaned.here);
  REQUIRE(run_to(whole, problem, options()).end.ended == Ended::done);
  int asked = 0;
  RunOptions stopping = options();
  stopping.ask_stop = [&] { return ++asked == 30; };
  REQUIRE(run_to(part, problem, stopping).end.ended == Ended::stopped);
  CHECK(ResultFile(part.string()).info().checkpoint.empty());
  const Resumed resumed = resume(part.string(), resume_options());
  CHECK(resumed.from == 0);
  check_same(whole, part);
}

TEST_CASE("a rim that stopped a run is told once, and the run goes on behind it") {
  const Cleaned cleaned;
  const std::vector<Override> narrow = {{"/boundary", R"({"edge": {"threshold": 1e-12, "on_exceed": "warn"}})"}};
  const std::vector<Override> stops = {{"/boundary", R"({"edge": {"threshold": 1e-12, "on_exceed": "stop"}})"}};
  const fs::path whole = cleaned.here / "whole.h5", part = cleaned.here / "part.h5";
  REQUIRE(run_to(whole, parse_problem(fibre_text, narrow, cleaned.here), options()).end.ended == Ended::done);
  RunSummary now = run_to(part, parse_problem(fibre_text, stops, cleaned.here), options());
  int ends = 0;
  for (; now.end.ended == Ended::stopped && ends < 5; ++ends) now = resume(part.string(), resume_options()).summary;
  CHECK(ends >= 1);
  CHECK(ends <= 2);  // time and band
  CHECK(now.end.ended == Ended::done);
  check_same(whole, part);
}

TEST_CASE("what differs is named, and a failed run does not go on") {
  const Cleaned cleaned;
  const fs::path part = cleaned.here / "part.h5", table = cleaned.here / "phase.txt";
  const auto write = [&](const char* last) { std::ofstream(table) << "700 0\n900 " << last << "\n"; };
  write("1");
  const std::vector<Override> phase = {
      {"/launch/0/spectral_phase", R"({"file": "phase.txt", "columns": [0, 1], "units": ["nm", "rad"]})"}};
  int asked = 0;
  RunOptions stopping = options();
  stopping.ask_stop = [&] { return ++asked == 3; };
  REQUIRE(run_to(part, parse_problem(fibre_text, phase, cleaned.here), stopping).end.ended == Ended::stopped);
  const auto refusal = [&] {
    try {
      (void)resume(part.string(), resume_options());
      return std::string();
    } catch (const Error& error) {
      CHECK(error.fault() == Fault::problem);
      return std::string(error.what());
    }
  };
  write("2");
  CHECK(refusal().find("SHA-256 of phase.txt: was ") != std::string::npos);
  fs::remove(table);
  CHECK(refusal().find("phase.txt") != std::string::npos);
  write("1");
  CHECK(resume(part.string(), resume_options()).summary.end.ended == Ended::done);

  const Problem hopeless = parse_problem(
      fibre_text, {{"/march", R"({"min_step": "1 mm", "first_step": "2 mm", "tolerance": 1e-9})"}}, cleaned.here);
  REQUIRE(run_to(part, hopeless, options()).end.ended == Ended::failed);
  CHECK(refusal().find("would fail again") != std::string::npos);
  const auto sink = make_file_sink(part.string(), true);
  CHECK_THROWS_AS((void)resume(part.string(), resume_options()), Error);
}
