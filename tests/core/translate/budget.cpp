// What a run says of a conserved quantity that drifts, and what helps.
#include <doctest/doctest.h>

#include "routes.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

std::string told(const Problem& problem) {
  for (const std::string& warning : march(problem).summary.warnings)
    if (warning.find("drifted") != std::string::npos) return warning;
  return "";
}

}  // namespace

TEST_CASE("a drift is of the band where the spectrum reaches its ends, else of the tolerance") {
  StepIndex core;
  core.core.index = 1.47;
  core.cladding.glass = Glass::fused_silica;
  core.radius = 2 * um;
  core.n2 = 2.7e-20;
  Problem p = uppe(Route::mode_averaged, core, 800 * nm, 200 * fs, 1e-2);
  p.time.points = 64;
  p.responses = {Kerr{false, {}}};
  Pulse pulse = beam_pulse(20 * fs, 1e-9, 1);
  pulse.beam.reset();
  p.launch = {pulse};
  p.march.tolerance = 1e-5;
  CHECK(told(p).find("ends of the band, which is too narrow; take more /time/points") != std::string::npos);
  p.time.points = 256;  // four times the band holds it
  CHECK(told(p).empty());
  // a fibre whose steps are too long, in a band that is wide enough
  Problem coarse = fibre(835 * nm, 2 * ps, 1024, 0.05, {-11.83e-27}, 0.1);
  coarse.responses = {Kerr{}};
  coarse.launch = {lumarch::test::pulse(Shape::sech, 50 * fs, 600)};
  coarse.march.schedule.assign(5, 0.01);
  coarse.planes = {0, 0.05};
  CHECK(told(coarse).find("lower /march/tolerance") != std::string::npos);
  coarse.march.schedule.assign(400, 0.05 / 400);
  CHECK(told(coarse).empty());
}
