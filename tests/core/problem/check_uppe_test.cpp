// SPDX-License-Identifier: Apache-2.0
// Problems of the model uppe that a program made or changed are judged as files are.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "support.hpp"

using namespace lumarch;

namespace {

std::vector<std::string> pointers(const Problem& problem) {
  std::vector<std::string> all;
  try {
    check_problem(problem);
  } catch (const ProblemError& error) {
    for (const Finding& finding : error.findings()) all.push_back(finding.pointer);
  }
  return all;
}

struct Fault {
  const char* pointer;
  std::function<void(Problem&)> spoil;
};

void judge(const std::string& text, const std::vector<Fault>& faults) {
  const Problem sound = parse_problem(text);
  CHECK(pointers(sound).empty());
  for (const Fault& fault : faults) {
    Problem problem = sound;
    fault.spoil(problem);
    const std::vector<std::string> found = pointers(problem);
    const std::string pointer = fault.pointer;
    CAPTURE(pointer);
    CHECK(std::find(found.begin(), found.end(), pointer) != found.end());
  }
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Capillary& guide(Problem& p) { return std::get<Capillary>(p.uppe->medium); }

}  // namespace

TEST_CASE("uppe in code: each wrong member of a capillary's problem is found where a file would have it") {
  judge(support::kCapillary,
        {
            {"/field", [](Problem& p) { p.uppe->field = static_cast<FieldKind>(5); }},
            {"/time/band", [](Problem& p) { p.time.band.reset(), p.time.points = 1024; }},
            {"/time/band", [](Problem& p) { std::swap(p.time.band->shortest, p.time.band->longest); }},
            {"/time/band/0", [](Problem& p) { p.time.band->shortest = nan; }},
            {"/time/band", [](Problem& p) { p.time.window = 1e-3; }},
            {"/time/points", [](Problem& p) { p.time.points = 1024; }},
            {"/wavelength", [](Problem& p) { p.wavelength = 4e-6; }},
            {"/geometry/route", [](Problem& p) { p.uppe->geometry.route = static_cast<Route>(9); }},
            {"/geometry/route", [](Problem& p) { p.uppe->geometry = {Route::radial, {}, 1, 1e-3, 0, 0, 64, 0, 64}; }},
            {"/geometry/polarisations", [](Problem& p) { p.uppe->geometry.polarisations = 3; }},
            {"/geometry/radial_nodes", [](Problem& p) { p.uppe->geometry.radial_nodes = 1; }},
            {"/geometry/modes", [](Problem& p) { p.uppe->geometry.modes.clear(); }},
            {"/geometry/modes/1", [](Problem& p) { p.uppe->geometry.modes[1] = "LP01"; }},
            {"/geometry/modes/1", [](Problem& p) { p.uppe->geometry.modes[1] = "HE11y"; }},
            {"/geometry/modes/1", [](Problem& p) { p.uppe->geometry.modes[1] = "HE21"; }},
            {"/medium/length", [](Problem& p) { p.medium.length = 0; }},
            {"/medium/radius", [](Problem& p) { guide(p).radius.value = {125}; }},
            {"/medium/radius", [](Problem& p) { guide(p).radius = {}; }},
            {"/medium/radius",
             [](Problem& p) {
               guide(p).radius = {{0, 1}, {1e-4, 1e-4}};
             }},
            {"/medium/radius",
             [](Problem& p) {
               guide(p).radius = {{0, 3, 3}, {1e-4, 1e-4, 1e-4}};
             }},
            {"/medium/wall",
             [](Problem& p) {
               guide(p).wall = {{}, 1};
             }},
            {"/medium/wall", [](Problem& p) { guide(p).wall.glass = static_cast<Glass>(99); }},
            {"/medium/gas", [](Problem& p) { guide(p).gas.parts[0].share = 0.5; }},
            {"/medium/gas", [](Problem& p) { guide(p).gas.parts[0].gas = static_cast<Gas>(13); }},
            {"/responses/0", [](Problem& p) { guide(p).gas.parts.clear(); }},
            {"/responses/1", [](Problem& p) { guide(p).gas.parts.clear(); }},
            {"/medium/pressure", [](Problem& p) { guide(p).gas.pressure.value = {-1}; }},
            {"/medium/pressure", [](Problem& p) { guide(p).gas.pressure.value = {2e9}; }},
            {"/medium/pressure", [](Problem& p) { guide(p).gas.pressure = {}; }},
            {"/medium/temperature", [](Problem& p) { guide(p).gas.temperature = 0; }},
            {"/responses/0", [](Problem& p) { std::get<Kerr>(p.responses[0]).saturation_intensity = 1e18; }},
            {"/responses/1", [](Problem& p) { std::get<Plasma>(p.responses[1]).fraction = nan; }},
            {"/responses/1/rate",
             [](Problem& p) { std::get<Plasma>(p.responses[1]).rate = static_cast<Plasma::Rate>(4); }},
            {"/responses/1", [](Problem& p) { p.responses[1] = SelfSteepening{}; }},
            {"/responses/1", [](Problem& p) { p.responses[1] = Chi2{}; }},
            {"/responses/1", [](Problem& p) { p.responses[1] = Raman{}; }},
            {"/launch/0/modes",
             [](Problem& p) {
               p.launch[0].modes = {{"HE11", 0.9}};
             }},
            {"/launch/0/modes/HE15",
             [](Problem& p) {
               p.launch[0].modes = {{"HE15", 1}};
             }},
            {"/launch/0/ellipticity", [](Problem& p) { p.launch[0].ellipticity = 2; }},
            {"/launch/0/polarisation", [](Problem& p) { p.launch[0].polarisation = 1; }},
            {"/launch/0/shape", [](Problem& p) { p.launch[0].shape = Shape::cw, p.launch[0].fwhm.reset(); }},
            {"/boundary/space", [](Problem& p) { p.uppe->boundary.space = true; }},
            {"/boundary/length", [](Problem& p) { p.uppe->boundary.length = -1; }},
            {"/statistics/0", [](Problem& p) { p.statistics[0].quantity = Quantity::beam_radius; }},
        });
}

TEST_CASE("uppe in code: tubes that are none, and modes that they have no formula for") {
  static const Antiresonant tubes{{}, {{}, {1e-5}}, kFusedSilica, 3e-7, true, 6, 5e-6, true};
  const auto with = [](const std::function<void(Problem&, Antiresonant&)>& spoil) {
    Problem p = parse_problem(support::kCapillary);
    Antiresonant fibre = tubes;
    p.responses.clear();
    p.uppe->geometry.modes = {"HE11"};
    spoil(p, fibre);
    p.uppe->medium = fibre;
    return pointers(p);
  };
  const auto none = [](Problem&, Antiresonant&) {};
  CHECK(with(none).empty());
  CHECK(with([](Problem&, Antiresonant& f) { f.tubes = 2; }) == std::vector<std::string>{"/medium/tubes"});
  // Six tubes touch where they are as thick as the core: sin(30 deg) (R + r) = r.
  CHECK(with([](Problem&, Antiresonant& f) { f.tube_radius = 0.999e-5; }).empty());
  CHECK(with([](Problem&, Antiresonant& f) { f.tube_radius = 1.001e-5; }) ==
        std::vector<std::string>{"/medium/tube_radius"});
  CHECK(with([](Problem&, Antiresonant& f) { f.wall_thickness = 6e-6; }) ==
        std::vector<std::string>{"/medium/wall_thickness"});
  CHECK(with([](Problem& p, Antiresonant&) { p.uppe->geometry.modes = {"HE12"}; }) ==
        std::vector<std::string>{"/geometry/modes/0"});
  CHECK(with([](Problem& p, Antiresonant& f) { p.uppe->geometry.modes = {"HE12"}, f.vincetti = false; }).empty());
}

TEST_CASE("uppe in code: each wrong member of a beam's problem is found where a file would have it") {
  judge(support::kBeam, {
                            {"/geometry/half_width/0", [](Problem& p) { p.uppe->geometry.half_width = 4; }},
                            {"/geometry/half_width/1", [](Problem& p) { p.uppe->geometry.half_height = 0; }},
                            {"/geometry/points/0", [](Problem& p) { p.uppe->geometry.points = 1; }},
                            {"/geometry/points/1", [](Problem& p) { p.uppe->geometry.points_y = 1 << 20; }},
                            {"/geometry/route",
                             [](Problem& p) {
                               p.uppe->medium = Capillary{{}, {{}, {1e-4}}};
                               p.responses.clear();
                             }},
                            {"/medium/material",
                             [](Problem& p) {
                               p.uppe->medium = Solid{{{}, 0.5}, 1e-20, {}, 0};
                             }},
                            {"/medium/chi2",
                             [](Problem& p) {
                               p.uppe->medium = Solid{{{}, 1.5}, 1e-20, 1.0, 0};
                             }},
                            {"/medium/poling_period",
                             [](Problem& p) {
                               p.uppe->medium = Solid{{{}, 1.5}, 1e-20, {}, 1e-5};
                             }},
                            {"/responses/0",
                             [](Problem& p) {
                               p.uppe->medium = Solid{{{}, 1.5}, {}, {}, 0};
                             }},
                            {"/responses/1",
                             [](Problem& p) {
                               p.uppe->medium = Solid{{{}, 1.5}, 1e-20, {}, 0};
                             }},
                            {"/responses/0", [](Problem& p) { p.responses[0] = Kerr{}; }},
                            {"/responses/1", [](Problem& p) { p.responses[1] = Plasma{}; }},
                            {"/boundary/length",
                             [](Problem& p) {
                               p.uppe->boundary.time = true;
                               p.uppe->boundary.length = 1e-9;
                             }},
                            {"/launch/0/beam", [](Problem& p) { p.launch[0].beam.reset(); }},
                            {"/launch/0/beam/waist", [](Problem& p) { p.launch[0].beam->waist = 3e-3; }},
                            {"/launch/0/beam/waist", [](Problem& p) { p.launch[0].beam->waist_y = nan; }},
                            {"/launch/0/beam/x", [](Problem& p) { p.launch[0].beam->x = nan; }},
                            {"/launch/0/beam/y", [](Problem& p) { p.launch[0].beam->y = 1.9e-3; }},
                            {"/launch/0/beam/tilt_x", [](Problem& p) { p.launch[0].beam->tilt_x = 2; }},
                            {"/launch/0/beam/tilt_y", [](Problem& p) { p.launch[0].beam->tilt_y = 0.5; }},
                            {"/launch/0/beam/lens", [](Problem& p) { p.launch[0].beam->lens = 0; }},
                            {"/launch/0/polarisation", [](Problem& p) { p.uppe->geometry.polarisations = 1; }},
                            {"/launch/0/modes",
                             [](Problem& p) {
                               p.launch[0].modes = {{"HE11", 1}};
                             }},
                        });
}
