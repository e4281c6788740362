// What of a pulse a grid cannot hold: check and run say it, with place and remedy.
#include <doctest/doctest.h>

#include "routes.hpp"
#include "translate/pulse.hpp"
#include "translate/pulse_warnings.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

// 20 fs in 200 fs, as a fibre and as a guide.
std::vector<Problem> both() {
  Problem p = fibre(800 * nm, 200 * fs, 64, 1e-2, {}, 0);
  Problem guide = uppe(Route::mode_averaged, capillary(Gas::argon, 1 * bar, 100 * um), 800 * nm, 200 * fs, 1e-2);
  guide.time.points = 64;
  std::vector<Problem> all{p, guide};
  for (Problem& one : all) {
    Pulse pulse;
    pulse.shape = Shape::gauss;
    pulse.fwhm = 20 * fs;
    pulse.energy = 1e-6;
    one.launch = {pulse};
  }
  return all;
}

// The warning that has the words, of a run; "" where there is none. check has the same.
std::string told(const Problem& problem, const std::string& words) {
  const std::string checked = describe(problem);
  for (const std::string& warning : march(problem).summary.warnings)
    if (warning.find(words) != std::string::npos) {
      CHECK(checked.find("warning: " + warning + "\n") != std::string::npos);
      return warning;
    }
  CHECK(checked.find(words) == std::string::npos);
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a chirp whose frequencies go beyond the grid is told") {
  for (Problem p : both()) {
    for (const double chirp : {0.0, 2.0, -2.0}) {
      p.launch[0].chirp = chirp;
      CHECK(told(p, "chirp").empty());
    }
    p.launch[0].chirp = 1e6;
    CHECK(has(told(p, "chirp"), "/launch/0/chirp"));
    CHECK(has(told(p, "chirp"), "/time/points"));
  }
  // where it is told: frequencies of a Gaussian end at sqrt(ln 1000) sqrt(1 + C^2)/T0, the grid at pi/dt
  Problem p = both()[0];
  const double t0 = natural_width(p.launch[0]), reach = pi * 64 / (200 * fs);
  const double limit = std::sqrt(std::pow(reach * t0, 2) / std::log(1000.0) - 1);
  p.launch[0].chirp = 0.99 * limit;
  CHECK(told(p, "chirp").empty());
  p.launch[0].chirp = -1.01 * limit;
  CHECK_FALSE(told(p, "chirp").empty());
}

TEST_CASE("a spectral phase that wraps a pulse round the window is told") {
  for (Problem p : both()) {
    const double t0 = natural_width(p.launch[0]);
    // a Gaussian's end at 1e-3: sqrt(ln 1000) T0 sqrt(1 + (gdd/T0^2)^2)
    const double limit = t0 * t0 * std::sqrt(std::pow(100 * fs / t0, 2) / std::log(1000.0) - 1);
    p.launch[0].gdd = 0.99 * limit;
    CHECK(told(p, "wraps").empty());
    p.launch[0].gdd = -1.01 * limit;
    CHECK(has(told(p, "wraps"), "/launch/0/gdd"));
    CHECK(has(told(p, "wraps"), "/time/window"));
    p.launch[0].gdd = 0;
    p.launch[0].plates = {{kFusedSilica, 30 * mm}};
    CHECK(has(told(p, "wraps"), "/launch/0/plates"));
    p.launch[0].plates = {{kFusedSilica, 3 * mm}};
    CHECK(told(p, "wraps").empty());
  }
}

TEST_CASE("what the window cuts of a pulse is told, with its share") {
  for (Problem p : both()) {
    CHECK(told(p, "cut off").empty());
    p.launch[0].delay = 95 * fs;
    const std::string warning = told(p, "cut off");
    CHECK(has(warning, "/launch/0/delay"));
    const double t0 = natural_width(p.launch[0]), share = std::erfc(5 * fs / t0) / 2;
    CHECK(std::stod(warning.substr(9)) == near(share, 0.03));
    p.launch[0].delay = 60 * fs;
    CHECK(told(p, "cut off").empty());
    p.launch[0].delay = 0;
    p.launch[0].fwhm = 150 * fs;
    CHECK(has(told(p, "cut off"), "/launch/0/fwhm"));
  }
}
