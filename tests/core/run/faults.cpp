// Runs on a device that fails at its n-th call, whatever the call: always a clear error, nothing left behind, and a
// file that opens and never says that the run is done.
#include <doctest/doctest.h>
#include <unistd.h>

#include <lumarch/result_file.hpp>

#include "counts.hpp"
#include "route_cases.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

constexpr std::uint64_t first_calls = 500;

Problem gnlse() {
  Problem p = fibre(835 * nm, 2 * ps, 64, 0.001, {-11.83e-27}, 0.11);
  p.launch = {pulse(Shape::sech, 50 * fs, 1000)};
  p.responses = {Kerr{}, Raman{}, SelfSteepening{}};
  p.planes = {0, 0.0005, 0.001};
  p.march.schedule.assign(40, 0.001 / 40);
  for (const Quantity quantity : {Quantity::energy, Quantity::peak_power, Quantity::photon_number, Quantity::fwhm_time})
    p.statistics.push_back({"s" + std::to_string(p.statistics.size()), quantity, 0, 0});
  return p;
}

Problem radial() {
  Problem p = beam(Route::radial, FieldKind::envelope, {without_harmonic()});
  p.time.band = Band{600 * nm, 1100 * nm};
  p.uppe->geometry.points = 4;
  p.planes = {0, 0.5 * mm, 1 * mm};
  p.march.schedule.assign(20, 1 * mm / 20);
  for (const Quantity quantity :
       {Quantity::energy, Quantity::peak_power, Quantity::peak_intensity, Quantity::beam_radius})
    p.statistics.push_back({"s" + std::to_string(p.statistics.size()), quantity, 0, 0});
  return p;
}

struct Outcome {
  bool done = false;
  std::string error, leaks;
  Fault fault = Fault::problem;
};

Outcome run_with(const std::string& options, Problem problem, const std::string& path) {
  const Emulated environment(options);
  problem.backend.name = "emulated";
  problem.edge.on = true;
  problem.output.fields = Fields::all;
  Outcome outcome;
  RunOptions here;
  here.backend_path = {LUMARCH_BACKEND_DIR};
  here.log = [&](int, const std::string& text) {
    if (text.find("nobody freed") != std::string::npos) outcome.leaks = text;
  };
  std::filesystem::remove(path);
  const auto sink = make_file_sink(path, true);
  try {
    outcome.done = run(problem, *sink, here).end.ended == Ended::done;
  } catch (const Error& error) {
    outcome.error = error.what();
    outcome.fault = error.fault();
  }
  return outcome;
}

// Of one kind of fault: how many of the calls came to be.
std::uint64_t fails_well(const std::string& kind, const std::string& says, const Problem& problem) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("lumarch-faults-" + std::to_string(::getpid()) + ".h5")).string();
  std::uint64_t n = 1;
  for (; n <= first_calls; ++n) {
    CAPTURE(kind);
    CAPTURE(n);
    const Outcome outcome = run_with(kind + "=" + std::to_string(n), problem, path);
    CHECK(outcome.leaks == "");
    if (outcome.done) {  // there are fewer calls of this kind
      CHECK(outcome.error == "");
      break;
    }
    CAPTURE(outcome.error);
    CHECK((outcome.fault == Fault::backend || outcome.fault == Fault::refused));
    CHECK(outcome.error.find("emulated backend") != std::string::npos);
    CHECK(outcome.error.find(says) != std::string::npos);  // what the device said
    if (!std::filesystem::exists(path)) continue;
    CHECK(ResultFile(path).info().status == "failed");
  }
  std::filesystem::remove(path);
  return n - 1;
}

}  // namespace

TEST_CASE("faults: without one the run is done, and nothing is left") {
  const std::string path = (std::filesystem::temp_directory_path() / "lumarch-no-fault.h5").string();
  for (const Problem& problem : {gnlse(), radial()}) {
    const Outcome outcome = run_with("", problem, path);
    CAPTURE(outcome.error);
    CHECK(outcome.done);
    CHECK(outcome.leaks == "");
  }
  std::filesystem::remove(path);
}

TEST_CASE("faults: an allocation that fails") {
  CHECK(fails_well("fail_alloc", "as fail_alloc asked for", gnlse()) > 20);
  CHECK(fails_well("fail_alloc", "as fail_alloc asked for", radial()) > 20);
}

TEST_CASE("faults: a launch that fails, fibre") {
  CHECK(fails_well("fail_launch", "as fail_launch asked for", gnlse()) == first_calls);
}

TEST_CASE("faults: a launch that fails, radial") {
  CHECK(fails_well("fail_launch", "as fail_launch asked for", radial()) == first_calls);
}

TEST_CASE("faults: an upload or a download that fails") {
  CHECK(fails_well("fail_copy", "as fail_copy asked for", gnlse()) > 80);
  CHECK(fails_well("fail_copy", "as fail_copy asked for", radial()) > 80);
}

TEST_CASE("faults: a device that is lost in a call") {
  CHECK(fails_well("lose_call", "as lose_call asked for", gnlse()) > 100);
  CHECK(fails_well("lose_call", "as lose_call asked for", radial()) > 100);
}
