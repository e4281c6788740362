// SPDX-License-Identifier: Apache-2.0
// Problems that a program makes are judged as files are.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

#include <lumarch/run.hpp>
#include <lumarch/sink.hpp>

using namespace lumarch;

namespace {

// A fundamental soliton, without any text.
Problem made() {
  Problem problem;
  problem.wavelength = 835e-9;
  problem.time = {2e-12, 64, {}};
  problem.medium.length = 0.01;
  problem.medium.gamma = 0.11;
  problem.medium.dispersion = BetaSeries{{-11.83e-27}};
  problem.responses = {Kerr{}};
  Pulse pulse;
  pulse.fwhm = 50e-15;
  pulse.peak_power = 133.67;
  problem.launch = {pulse};
  problem.planes = {0, 0.01};
  problem.statistics = {{"peak_power", Quantity::peak_power, 0, 0}};
  problem.backend.name = "reference";
  return problem;
}

std::vector<std::string> pointers(const Problem& problem) {
  std::vector<std::string> all;
  try {
    check_problem(problem);
  } catch (const ProblemError& error) {
    for (const Finding& finding : error.findings()) all.push_back(finding.pointer);
  }
  return all;
}

}  // namespace

TEST_CASE("a problem made in code runs, into a callable") {
  const Problem problem = made();
  CHECK(pointers(problem).empty());
  std::vector<double> z;
  PlaneSink sink([&](PlaneRecord record) {
    CHECK(record.field.size() == 64);
    z.push_back(record.z);
  });
  RunOptions options;
  options.backend_path = {LUMARCH_BACKEND_DIR "/liblumarch_backend_reference.so"};
  const RunSummary summary = run(problem, sink, options);
  CHECK(summary.end.ended == Ended::done);
  CHECK(z == problem.planes);
}

TEST_CASE("an empty problem is refused by run, with all that it lacks") {
  PlaneSink sink([](PlaneRecord) {});
  CHECK_THROWS_AS(run(Problem{}, sink), ProblemError);
  const std::vector<std::string> missing = pointers(Problem{});
  for (const char* pointer : {"/wavelength", "/time/window", "/time/points", "/medium/length", "/planes"})
    CHECK(std::find(missing.begin(), missing.end(), pointer) != missing.end());
}

TEST_CASE("each wrong member is found where a file would have it") {
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const struct {
    const char* pointer;
    std::function<void(Problem&)> spoil;
  } faults[] = {
      {"/wavelength", [](Problem& p) { p.wavelength = nan; }},
      {"/time/window", [](Problem& p) { p.time.window = -1; }},
      {"/time/points", [](Problem& p) { p.time.points = 1; }},
      {"/time/points", [](Problem& p) { p.time.points = std::int64_t{1} << 40; }},
      {"/medium/length", [](Problem& p) { p.medium.length = inf; }},
      {"/medium/gamma", [](Problem& p) { p.medium.gamma = nan; }},
      {"/medium/gamma", [](Problem& p) { p.medium.gamma.reset(); }},
      {"/medium/n2", [](Problem& p) { p.medium.gamma.reset(), p.medium.n2 = 2.6e-20; }},
      {"/medium/dispersion/betas/0", [](Problem& p) { p.medium.dispersion = BetaSeries{{inf}}; }},
      {"/medium/dispersion/index",
       [](Problem& p) {
         p.medium.dispersion = IndexCurve{{"", {1, 2}, {1}}};
       }},
      {"/medium/dispersion/index",
       [](Problem& p) {
         p.medium.dispersion = IndexCurve{{"", {2, 1}, {1, 1}}};
       }},
      {"/medium/loss", [](Problem& p) { p.medium.loss = -1; }},
      {"/launch/0/fwhm", [](Problem& p) { p.launch[0].fwhm = 0; }},
      {"/launch/0/fwhm", [](Problem& p) { p.launch[0].t0 = 1e-14; }},
      {"/launch/0/fwhm", [](Problem& p) { p.launch[0].fwhm = 1; }},
      {"/launch/0/peak_power", [](Problem& p) { p.launch[0].peak_power.reset(); }},
      {"/launch/0/peak_power", [](Problem& p) { p.launch[0].peak_power = nan; }},
      {"/launch/0/chirp", [](Problem& p) { p.launch[0].chirp = nan; }},
      {"/launch/0/file", [](Problem& p) { p.launch[0].shape = Shape::file; }},
      {"/launch", [](Problem& p) { p.launch.clear(); }},
      {"/responses",
       [](Problem& p) {
         p.responses = {Raman{RamanModel::blow_wood, 2.0}};
       }},
      {"/march/tolerance", [](Problem& p) { p.march.tolerance = 0; }},
      {"/march/max_step", [](Problem& p) { p.march.max_step = -1; }},
      {"/march/schedule", [](Problem& p) { p.march.schedule = {0.001}; }},
      {"/march/schedule/0", [](Problem& p) { p.march.schedule = {nan}; }},
      {"/planes",
       [](Problem& p) {
         p.planes = {0, 0};
       }},
      {"/planes/1",
       [](Problem& p) {
         p.planes = {0, 1};
       }},
      {"/statistics/0",
       [](Problem& p) {
         p.statistics = {{"band", Quantity::energy_band, 0, 0}};
       }},
      {"/statistics",
       [](Problem& p) {
         p.statistics = {{"band", Quantity::energy_band, 1e-9, 2e-9}};
       }},
      {"/statistics/0", [](Problem& p) { p.statistics[0].name = ""; }},
      {"/statistics/0", [](Problem& p) { p.statistics[0].name = "../x/y"; }},
      {"/statistics/0", [](Problem& p) { p.statistics[0].quantity = static_cast<Quantity>(99); }},
      {"/statistics/1", [](Problem& p) { p.statistics.push_back(p.statistics[0]); }},
      {"/responses/1", [](Problem& p) { p.responses.emplace_back(Kerr{}); }},
      {"/responses/1", [](Problem& p) { p.responses.emplace_back(PluginResponse{}); }},
      {"/responses/1/model",
       [](Problem& p) {
         p.responses.emplace_back(Raman{static_cast<RamanModel>(9), std::nullopt});
       }},
      {"/responses/1", [](Problem& p) { p.responses.emplace_back(Plasma{}); }},
      {"/launch/0/beam", [](Problem& p) { p.launch[0].beam = Beam{}; }},
      {"/launch/0/polarisation", [](Problem& p) { p.launch[0].polarisation = 1; }},
      {"/time/band",
       [](Problem& p) {
         p.time.band = Band{1e-7, 1e-6};
       }},
      {"/statistics/0", [](Problem& p) { p.statistics[0].quantity = Quantity::zdw; }},
      {"/launch/0/shape", [](Problem& p) { p.launch[0].shape = static_cast<Shape>(99); }},
      {"/march/integrator", [](Problem& p) { p.march.integrator = static_cast<Integrator>(7); }},
      {"/output/fields", [](Problem& p) { p.output.fields = static_cast<Fields>(9); }},
      {"/output/compression", [](Problem& p) { p.output.compression = 10; }},
      {"/backend/name", [](Problem& p) { p.backend.name.clear(); }},
      {"/backend/threads", [](Problem& p) { p.backend.threads = -1; }},
  };
  for (const auto& fault : faults) {
    Problem problem = made();
    fault.spoil(problem);
    const std::string pointer = fault.pointer;
    CAPTURE(pointer);
    const std::vector<std::string> found = pointers(problem);
    CHECK(std::find(found.begin(), found.end(), pointer) != found.end());
  }
}
