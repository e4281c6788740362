// SPDX-License-Identifier: Apache-2.0
// A backend that fails in any one call leaves the host running, with the reason, and what was saved intact.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <lumarch/result_file.hpp>
#include <lumarch/run.hpp>

#include "backend/plugin.hpp"

using namespace lumarch;

namespace {

const char* const text = R"json({
  "lumarch": 1, "model": "gnlse", "wavelength": "835 nm",
  "time": { "window": "2 ps", "points": 64 },
  "medium": { "type": "fibre", "length": "1 cm", "gamma": "0.11 1/(W m)",
              "dispersion": { "betas": ["-11.83e-3 ps^2/m"] } },
  "responses": ["kerr", { "type": "raman", "model": "blow-wood" }],
  "launch": [{ "shape": "sech", "fwhm": "50 fs", "peak_power": "100 W" }],
  "march": { "schedule": [0.0025, 0.0025, 0.0025, 0.0025] },
  "planes": 5,
  "backend": { "name": "failing" }
})json";

struct Outcome {
  bool threw = false;
  Fault fault = Fault::problem;
  std::string words;
};

Outcome run_failing_at(std::uint64_t n, const std::string& file) {
  ::setenv("LUMARCH_FAIL_AT", std::to_string(n).c_str(), 1);
  RunOptions options;
  options.backend_path = {LUMARCH_FAILING};
  Outcome outcome;
  try {
    const auto sink = make_file_sink(file, true);
    (void)run(parse_problem(text), *sink, options);
  } catch (const Error& error) {
    outcome = {true, error.fault(), error.what()};
  }
  return outcome;
}

}  // namespace

TEST_CASE("a backend that fails in any call is an error with its words, and the planes before it stay") {
  const std::string file = (std::filesystem::temp_directory_path() / "lumarch-failing.h5").string();
  REQUIRE_FALSE(run_failing_at(0, file).threw);
  const LoadedBackend& backend = load_backend("failing", {{LUMARCH_FAILING}, {}});
  const auto& calls = *static_cast<const std::atomic<std::uint64_t>*>(backend.plugin->extension("lumarch.test.calls"));
  const std::uint64_t all = calls;
  const std::vector<Complex> launch = ResultFile(file).field(0), first = ResultFile(file).field(1);
  REQUIRE(all > 100);

  std::uint64_t threw = 0, with_planes = 0;
  for (std::uint64_t n = 1; n <= all; ++n) {
    CAPTURE(n);
    std::filesystem::remove(file);
    const Outcome outcome = run_failing_at(n, file);
    CAPTURE(outcome.words);
    if (!outcome.threw) continue;  // what is freed at the end
    ++threw;
    const bool by_words = outcome.words.find("on purpose") != std::string::npos;
    CHECK((by_words || outcome.words.find("does not calculate right") != std::string::npos));
    CHECK((outcome.fault == Fault::backend || outcome.fault == Fault::refused));
    if (!std::filesystem::exists(file)) continue;
    const ResultFile left(file);
    const std::vector<std::int64_t> planes = left.field_planes();
    // A run that never began leaves its file as it was made; one that did says that it failed.
    CHECK((left.info().status == "failed" || planes.empty()));
    if (!planes.empty()) CHECK(left.field(planes[0]) == launch);
    if (planes.size() > 1) {
      ++with_planes;
      CHECK(left.field(planes[1]) == first);
    }
  }
  CHECK(threw > all / 2);
  CHECK(with_planes > 20);
  CHECK_FALSE(run_failing_at(0, file).threw);  // the host goes on
  std::filesystem::remove(file);
}
