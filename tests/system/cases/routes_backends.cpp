// One shortened case a route and a response: the backend that LUMARCH_TEST_BACKEND names against the reference, fused
// and composed; and the bits of members in a batch.
#include <doctest/doctest.h>

#include <functional>

#include "march/march.hpp"
#include "march/route_equation.hpp"
#include "routes.hpp"
#include "translate/uppe_launch.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

Problem guide(Route route, Gas what, FieldKind field, std::vector<Response> responses) {
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

Problem beam(Route route, FieldKind field, std::vector<Response> responses) {
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

Kerr without_harmonic() {
  Kerr kerr;
  kerr.third_harmonic = false;
  return kerr;
}

struct Case {
  std::string name;
  Problem problem;
};

std::vector<Case> cases() {
  std::vector<Case> all;
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

Marched march_on(const std::string& backend, const Problem& problem, bool fused, int threads = 1) {
  BackendRequest request;
  request.name = backend;
  if (backend == "cpu") request.threads = threads;
  Device device(load_backend(backend, {{LUMARCH_BACKEND_DIR}, {}}), request);
  MemorySink sink;
  RunSummary summary = run_on(device, problem, sink, {}, fused);
  return {std::move(sink.run), std::move(sink.planes), std::move(sink.march), std::move(sink.ended),
          std::move(summary)};
}

double field_difference(const Marched& a, const Marched& b) {
  const auto &x = a.planes.back().field, &y = b.planes.back().field;
  double sum = 0, all = 0;
  REQUIRE(x.size() == y.size());
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::norm(x[i] - y[i]), all += std::norm(y[i]);
  return std::sqrt(sum / all);
}

}  // namespace

TEST_CASE("every route and response agrees with the reference backend, fused and composed") {
  for (const Case& one : cases()) {
    CAPTURE(one.name);
    const Marched reference = march_on("reference", one.problem, true);
    CAPTURE(reference.ended.reason);
    REQUIRE(reference.ended.ended == Ended::done);
    // the response does something: the launch's own spectrum is left
    CHECK(difference(reference.planes.back().spectrum, reference.planes.front().spectrum) > 1e-6);
    for (const bool fused : {true, false}) {
      CAPTURE(fused);
      const Marched here = march_on(backend_name(), one.problem, fused);
      CHECK(here.ended.ended == Ended::done);
      CHECK(field_difference(here, reference) < 1e-11);
    }
  }
}

TEST_CASE("a route's member has the same bits alone, in a batch of three, and at one and two threads") {
  if (backend_name() != "cpu" && backend_name() != "reference") return;
  for (const Case& one : cases()) {
    CAPTURE(one.name);
    const auto bits = [&](std::uint32_t members, std::uint32_t which, int threads) {
      BackendRequest request;
      request.name = backend_name();
      if (request.name == "cpu") request.threads = threads;
      Device device(load_backend(request.name, {{LUMARCH_BACKEND_DIR}, {}}), request);
      const auto tables = std::make_shared<UppeTables>(translate_uppe(one.problem));
      Stepper stepper(device, std::make_unique<RouteEquation>(device, tables, members, one.problem.noise.has_value()),
                      {Integrator::erk43, one.problem.noise.has_value(), true});
      std::vector<std::string> warnings;
      const Launch launch = build_launch(one.problem, *tables, transforms_on(device, tables->grid.times), warnings);
      std::vector<Launch> launches(members, launch);
      for (std::uint32_t m = 0; m < members; ++m)
        for (auto& value : launches[m].state) value *= m == which ? 1.0 : 0.5;
      stepper.load(launches);
      MarchOptions options;
      options.length = one.problem.medium.length;
      options.schedule = one.problem.march.schedule;
      options.planes = {options.length};
      options.walls = tables->walls;
      options.absorb_at = tables->absorb_at;
      for (const MemberEnd& end : march(stepper, options, {})) CHECK(end.status == LM_DONE);
      std::vector<Complex> state;
      stepper.read(which, state, nullptr);
      return state;
    };
    const auto alone = bits(1, 0, 1);
    CHECK(bits(3, 1, 1) == alone);
    CHECK(bits(1, 0, 2) == alone);
    CHECK(bits(3, 2, 2) == alone);
  }
}
