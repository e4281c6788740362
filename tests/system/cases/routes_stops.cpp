// Marches that cannot go on, or get on by trial and error, say so: where, in which steps, with which field.
#include <doctest/doctest.h>

#include <algorithm>

#include "routes.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

constexpr double index_ = 1.45, n2 = 2.7e-20, wavelength = 800 * nm, waist = 50 * um;
constexpr double rayleigh = pi * waist * waist * index_ / wavelength;

// A continuous beam of so many critical powers in glass.
Problem beam(Route route, double powers, double rayleigh_lengths) {
  Problem p = uppe(route, solid(index_, n2), wavelength, 1 * ps, rayleigh_lengths * rayleigh);
  p.time.points = 2;
  p.uppe->geometry.radius = p.uppe->geometry.half_width = p.uppe->geometry.half_height = 0.25 * mm;
  p.uppe->geometry.points = p.uppe->geometry.points_y = route == Route::cartesian ? 96 : 160;
  Pulse pulse;
  pulse.shape = Shape::cw;
  pulse.peak_power = powers * 3.77 * wavelength * wavelength / (8 * pi * index_ * n2);
  pulse.beam = Beam{};
  pulse.beam->waist = waist;
  p.launch = {pulse};
  Kerr kerr;
  kerr.third_harmonic = false;
  p.responses = {kerr};
  p.march.tolerance = 1e-6;
  p.statistics = {ask(Quantity::energy)};
  p.planes = {0, 0.05 * rayleigh, p.medium.length};
  return p;
}

bool says(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

void check_collapse(const Marched& s, double nearest, double farthest) {
  CAPTURE(s.ended.reason);
  CHECK(s.ended.ended == Ended::failed);
  CHECK(s.ended.z > nearest * rayleigh);
  CHECK(s.ended.z < farthest * rayleigh);
  CHECK(s.planes.size() == 2);  // what was reached before is kept
  for (const char* part : {"at z = 0.00", "in steps of", "of the launch", "the largest field is", "W/m^2",
                           "points in /geometry", "plasma, saturation"})
    CHECK(says(s.ended.reason, part));
}

}  // namespace

// The axis is a hundred times as bright after 0.2555 Rayleigh lengths (another solver of the same equation);
// Marburger's collapse is at 0.2667, which is some per cent long.
TEST_CASE("C27: behind a collapse a march ends, with every integrator") {
  Problem p = beam(Route::radial, 5, 1);
  for (const Integrator integrator :
       {Integrator::erk43, Integrator::dp54, Integrator::low_storage, Integrator::adams}) {
    p.march.integrator = integrator;
    CAPTURE(static_cast<int>(integrator));
    check_collapse(march(p), 0.25, 0.2667);
  }
}

// That of ten critical powers is 0.1592 Rayleigh lengths.
TEST_CASE("C27: the same on a Cartesian grid, before Marburger's distance") {
  check_collapse(march(beam(Route::cartesian, 10, 0.5)), 0.13, 0.1592);
}

TEST_CASE("a beam that a saturating index stops is marched on, and so is one that its nodes never held") {
  Problem p = beam(Route::radial, 5, 1);
  std::get<Kerr>(p.responses[0]).saturation_intensity = 1e16;
  CHECK(march(p).ended.ended == Ended::done);
  p = beam(Route::radial, 5,
           0.2);  // 0.2 Rayleigh lengths: before the collapse, on nodes that are too few from the start
  p.uppe->geometry.points = 16;
  CHECK(march(p).ended.ended == Ended::done);
}

// Steps that were short from the start do not fall to a tenth: a collapse goes on, and is told of.
TEST_CASE("a beam below its nodes is warned of where the steps say nothing") {
  Problem p = beam(Route::radial, 5, 0.3);
  p.march.max_step = p.medium.length / 2000;
  p.march.tolerance = 1e-2;
  const auto told_by = [](const Marched& s) {
    return std::any_of(s.summary.warnings.begin(), s.summary.warnings.end(), [](const std::string& w) {
      return says(w, "outermost tenth of k: the nodes across do not resolve the beam; raise the points in /geometry");
    });
  };
  const Marched behind = march(p);
  REQUIRE(behind.ended.ended == Ended::done);
  CHECK(told_by(behind));
  p.medium.length *= 0.2 / 0.3;
  p.planes = {0, p.medium.length};
  CHECK_FALSE(told_by(march(p)));
}

TEST_CASE("a fixed schedule goes through a collapse: whoever asks for its steps gets them") {
  Problem p = beam(Route::radial, 5, 0.3);
  p.march.schedule.assign(600, p.medium.length / 600);
  p.planes = {0, p.medium.length};
  CHECK(march(p).ended.ended == Ended::done);
}

TEST_CASE("steps that are refused one after the other are told of, with their place") {
  Capillary guide = capillary(Gas::argon, 1 * bar, 50 * um);
  guide.gas.pressure = {{0, 0.5, 0.5 + 1e-7, 1}, {1e-3 * bar, 1e-3 * bar, 5 * bar, 5 * bar}};
  Problem p = uppe(Route::mode_averaged, guide, 800 * nm, 2 * ps, 1);
  p.edge.on = false;  // it would keep steps to a twentieth of the length, and few would be refused
  p.time.points = 128;
  Pulse launched = beam_pulse(100 * fs, 20e-6, 1);
  launched.beam.reset();
  p.launch = {launched};
  Kerr kerr;
  kerr.third_harmonic = false;
  p.responses = {kerr};
  Marched s = march(p);
  REQUIRE(s.ended.ended == Ended::done);
  const auto told = std::find_if(s.summary.warnings.begin(), s.summary.warnings.end(),
                                 [](const std::string& w) { return says(w, "were refused"); });
  REQUIRE(told != s.summary.warnings.end());
  CHECK(says(*told, "between z = 0.5 and 0.55 m"));
  guide.gas.pressure = {{}, {5 * bar}};
  p.uppe->medium = guide;
  s = march(p);
  for (const std::string& warning : s.summary.warnings) CHECK_FALSE(says(warning, "were refused"));
}

// It began anew after two refusals, grew as its beginning allowed, and was refused again: at every step.
TEST_CASE("adams is not refused step after step on a dispersive wave in a capillary") {
  Problem p = uppe(Route::mode_averaged, capillary(Gas::argon, 0.08 * bar, 125 * um), 800 * nm, 400 * fs, 3);
  p.time.band = Band{160 * nm, 3000 * nm};
  p.uppe->field = FieldKind::real;
  Pulse launched = beam_pulse(10 * fs, 60e-6, 1);
  launched.beam.reset();
  p.launch = {launched};
  p.responses = {Kerr{}, Plasma{}};
  p.march.tolerance = 1e-5;
  p.march.integrator = Integrator::adams;
  const Marched s = march(p);
  CHECK(s.ended.rejected * 20 < s.ended.accepted);
  CHECK(s.ended.evaluations < 2 * s.ended.accepted);
}
