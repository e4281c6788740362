// SPDX-License-Identifier: Apache-2.0
// One short problem a route and a response, with fixed steps: for comparing backends, and ways to use one.
#pragma once

#include <string>
#include <vector>

#include "routes.hpp"

namespace lumarch::test {

inline Problem guide(Route route, Gas what, FieldKind field, std::vector<Response> responses) {
  Problem p = uppe(route, capillary(what, 4 * bar, 20 * um), 800 * nm, 60 * fs, 1 * mm);
  p.time.band = Band{300 * nm, 2000 * nm};
  p.uppe->field = field;
  Pulse pulse = beam_pulse(12 * fs, 3e-6, 1);
  pulse.beam.reset();
  p.launch = {pulse};
  p.responses = std::move(responses);
  p.march.schedule.assign(4, p.medium.length / 4);  // the same steps on every backend
  p.uppe->geometry.radial_nodes = 6;
  return p;
}

inline Problem beam(Route route, FieldKind field, std::vector<Response> responses) {
  Problem p = uppe(route, FreeGas{gas(Gas::argon, 1 * bar)}, 800 * nm, 40 * fs, 1 * mm);
  p.time.band = Band{400 * nm, 1500 * nm};
  p.uppe->field = field;
  p.uppe->geometry.half_width = p.uppe->geometry.half_height = p.uppe->geometry.radius = 300 * um;
  p.uppe->geometry.points = route == Route::cartesian ? 12 : 20;
  p.uppe->geometry.points_y = 10;
  p.launch = {beam_pulse(10 * fs, route == Route::line ? 0.5 : 60e-6, 80 * um)};
  p.responses = std::move(responses);
  p.march.schedule.assign(4, p.medium.length / 4);
  return p;
}

inline Kerr without_harmonic() {
  Kerr kerr;
  kerr.third_harmonic = false;
  return kerr;
}

struct RouteCase {
  std::string name;
  Problem problem;
};

inline std::vector<RouteCase> route_cases() {
  std::vector<RouteCase> all;
  const auto add = [&](const char* name, Problem p) { all.push_back({name, std::move(p)}); };
  using enum Route;
  const FieldKind real = FieldKind::real, envelope = FieldKind::envelope;
  Plasma adk;
  adk.rate = Plasma::Rate::adk;
  add("mode-averaged, real, kerr and plasma", guide(mode_averaged, Gas::argon, real, {Kerr{}, adk}));
  add("mode-averaged, real, kerr without harmonic, plasma",
      guide(mode_averaged, Gas::argon, real, {without_harmonic(), adk}));
  add("mode-averaged, envelope with harmonic", guide(mode_averaged, Gas::argon, envelope, {Kerr{}}));
  add("mode-averaged, molecular raman", guide(mode_averaged, Gas::nitrogen, real, {Kerr{}, MolecularRaman{}}));
  Problem p = guide(modal, Gas::argon, real, {Kerr{}, adk});
  p.uppe->geometry.modes = {"HE11", "HE12"};
  add("modal, two modes", p);
  p = guide(modal, Gas::nitrogen, envelope, {without_harmonic(), MolecularRaman{}});
  p.uppe->geometry.modes = {"HE11x", "HE11y", "TE01"};
  p.uppe->geometry.polarisations = 2;
  p.launch[0].modes = {{"HE11x", 0.7}, {"HE11y", 0.3}};
  add("modal, two polarisations, rotation", p);
  p = guide(mode_averaged, Gas::argon, real, {Kerr{}, adk});
  auto& tapered = std::get<Capillary>(p.uppe->medium);
  tapered.radius = {{0, 1 * mm}, {20 * um, 14 * um}};
  tapered.gas.pressure = {{0, 0.4 * mm, 1 * mm}, {0, 3 * bar, 1 * bar}};
  add("mode-averaged, gradient and taper", p);
  p = beam(radial, real, {Kerr{}, adk});
  p.uppe->boundary = {true, true, true, 0.2 * mm};
  p.march.schedule.assign(40, p.medium.length / 40);
  for (double& h : p.march.schedule) h = p.medium.length / 80;
  p.march.schedule.assign(80, p.medium.length / 80);
  add("radial, real, kerr, plasma, absorbers", p);
  Kerr saturable = without_harmonic();
  saturable.saturation_intensity = 1e18;
  add("line, envelope, saturable kerr", beam(line, envelope, {saturable}));
  p = beam(cartesian, envelope, {without_harmonic()});
  p.uppe->geometry.polarisations = 2;
  p.launch[0].polarisation = 0.4;
  p.launch[0].ellipticity = 0.5;
  add("cartesian, two polarisations", p);
  p = beam(line, real, {Chi2{}});
  Solid crystal = solid(1.5, 0);
  crystal.n2.reset();
  crystal.chi2 = 1e-12;
  crystal.poling_period = 0.5 * mm;
  p.uppe->medium = crystal;
  p.launch[0].energy = 0.002;
  p.march.schedule.assign(8, p.medium.length / 8);
  add("line, real, poled chi2", p);
  p = guide(mode_averaged, Gas::argon, envelope, {without_harmonic()});
  p.noise = Noise{7, Noise::Enters::nonlinear};
  add("mode-averaged, noise in the operator", p);
  return all;
}

inline Marched march_on(const std::string& backend, const Problem& problem, const RunWays& ways = {}, int threads = 1) {
  BackendRequest request;
  request.name = backend;
  if (backend == "cpu") request.threads = threads;
  Device device(load_backend(backend, {{LUMARCH_BACKEND_DIR}, {}}), request);
  MemorySink sink;
  RunSummary summary = run_on(device, problem, sink, {}, ways);
  return {std::move(sink.run),   std::move(sink.planes), std::move(sink.march),
          std::move(sink.ended), std::move(summary),     std::move(sink.edges)};
}

}  // namespace lumarch::test
