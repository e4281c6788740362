// SPDX-License-Identifier: Apache-2.0
// Responses of plugins in the model uppe: a copy of Kerr's response is Kerr's on every route, whatever stands beside
// it.
#include <doctest/doctest.h>

#include "own_kerr.hpp"
#include "routes.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

Kerr kerr(std::optional<double> saturation = std::nullopt) { return {false, saturation}; }

Problem base(Route route, Medium medium, double energy) {
  Problem p = uppe(route, std::move(medium), 800 * nm, 60 * fs, 1 * mm);
  p.time.band = Band{500 * nm, 1500 * nm};
  p.launch = {beam_pulse(12 * fs, energy, 80 * um)};
  p.march.schedule.assign(4, p.medium.length / 4);
  return p;
}

Problem guide(Route route) {
  Problem p = base(route, capillary(Gas::argon, 4 * bar, 20 * um), 3e-6);
  p.launch[0].beam.reset();
  p.uppe->geometry.radial_nodes = 8;
  if (route == Route::modal) p.uppe->geometry.modes = {"HE11", "HE12"};
  return p;
}

Problem beam(Route route) {
  Problem p = base(route, FreeGas{gas(Gas::argon, 20 * bar)}, route == Route::line ? 0.5 : 60e-6);
  p.uppe->geometry.half_width = p.uppe->geometry.half_height = p.uppe->geometry.radius = 300 * um;
  p.uppe->geometry.points = route == Route::cartesian ? 12 : 20;
  p.uppe->geometry.points_y = 10;
  return p;
}

struct Run {
  std::vector<Complex> field;
  std::string kernels;
};

Run run(const std::string& name, Problem p, std::vector<Response> responses, bool fused) {
  p.responses = std::move(responses);
  BackendRequest request;
  request.name = name;
  const LoadedBackend backend = with_own(name);
  Device device(backend, request);
  MemorySink sink;
  run_on(device, p, sink, {}, {fused});
  return {sink.planes.back().field, sink.ended.kernels_json};
}

double difference(const Run& a, const Run& b) {
  double error = 0, norm = 0;
  REQUIRE(a.field.size() == b.field.size());
  for (std::size_t j = 0; j < a.field.size(); ++j)
    error += std::norm(a.field[j] - b.field[j]), norm += std::norm(b.field[j]);
  return std::sqrt(error / norm);
}

// On the backend of the tests and the reference, fused and composed.
void everywhere(const std::function<void(const std::string& name, bool fused)>& check) {
  for (const std::string& name : {backend_name(), std::string("reference")})
    for (const bool fused : {true, false}) {
      CAPTURE(name);
      CAPTURE(fused);
      check(name, fused);
    }
}

}  // namespace

TEST_CASE("own response in uppe: a copy of Kerr's is Kerr's, on every route") {
  for (const Problem& p : {guide(Route::mode_averaged), guide(Route::modal), beam(Route::radial), beam(Route::line),
                           beam(Route::cartesian)}) {
    CAPTURE(static_cast<int>(p.uppe->geometry.route));
    everywhere([&](const std::string& name, bool fused) {
      const Run expected = run(name, p, {kerr()}, fused), linear = run(name, p, {}, fused);
      CHECK(difference(expected, linear) > 1e-2);
      const Run found = run(name, p, {own(1)}, fused);
      CHECK(difference(found, expected) < 1e-13);
      CHECK(difference(run(name, p, {own(0)}, fused), linear) < 1e-13);
      CHECK(difference(run(name, p, {kerr(), own(-0.5)}, fused), run(name, p, {own(0.5)}, fused)) < 1e-13);
      CHECK(
          found.kernels.find(
              R"({"how":"plugin","name":"response.org.example.own_kerr","plugin":"/somewhere/liblumarch_kernels_own.so","version":3})") !=
          std::string::npos);
    });
  }
}

TEST_CASE("own response in uppe: a response that goes row by row acts on each polarisation by itself") {
  Problem p = beam(Route::cartesian);
  p.uppe->geometry.polarisations = 2;
  everywhere([&](const std::string& name, bool fused) {
    p.launch[0].polarisation = 0;
    CHECK(difference(run(name, p, {own(1)}, fused), run(name, p, {kerr()}, fused)) < 1e-13);
    // Half of the intensity in each polarisation: Kerr's sees the whole of it, this one its own half.
    p.launch[0].polarisation = pi / 4;
    CHECK(difference(run(name, p, {own(2)}, fused), run(name, p, {kerr()}, fused)) < 1e-13);
  });
}

TEST_CASE("own response in uppe: what stands beside it stays what it is") {
  Problem glass = base(Route::radial, solid(1.5, 3e-20), 2e-7);
  glass.uppe->geometry.radius = 300 * um;
  glass.uppe->geometry.points = 20;
  std::get<Solid>(glass.uppe->medium).chi2 = 4e-12;
  everywhere([&](const std::string& name, bool fused) {
    const Run delayed = run(name, glass, {kerr(), Raman{}}, fused);
    CHECK(difference(delayed, run(name, glass, {kerr()}, fused)) > 1e-3);
    CHECK(difference(run(name, glass, {own(0.82), Raman{}}, fused), delayed) < 1e-13);
    CHECK(difference(run(name, glass, {Raman{}, own(0.82)}, fused), delayed) < 1e-13);
    const Run saturated = run(name, glass, {kerr(1e16)}, fused);
    CHECK(difference(saturated, run(name, glass, {kerr()}, fused)) > 1e-3);
    CHECK(difference(run(name, glass, {kerr(1e16), own(0)}, fused), saturated) < 1e-13);
    CHECK(difference(run(name, glass, {Chi2{}, own(0)}, fused), run(name, glass, {Chi2{}}, fused)) < 1e-13);
  });
}

namespace {

const char* const own_quintic = "response.org.example.quintic";

// P (+)= c |A|^4 A: unlike Kerr's, it shows in which units A is.
lm_status quintic(lm_device* device, const lm_call* raw) noexcept {
  return sdk::fence(
      [](const char*) {},
      [&] {
        const sdk::Call call(device, raw);
        const auto& p = call.params<lm_p_own_response>();
        const auto A = call.rows<Complex>(0), P = call.rows<Complex>(1, A.samples);
        call.for_each_row(1, [&](const sdk::RowIndex& at) {
          for (std::int64_t s = 0; s < A.samples; ++s) {
            const double power = std::norm(A(at)[s]);
            P(at)[s] = (p.flags & LM_RESPONSE_ACCUMULATE ? P(at)[s] : 0.0) + p.values[0] * power * power * A(at)[s];
          }
        });
      });
}

std::vector<Complex> field_behind(Problem p, std::vector<Response> responses) {
  p.responses = std::move(responses);
  LoadedBackend backend = load_backend(backend_name(), {{LUMARCH_BACKEND_DIR}, {}});
  const KernelTable::Key key{own_quintic, 1};
  backend.table.kernels[key] = {&quintic, "/somewhere/quintic.so"};
  backend.table.responses[key] = {own_quintic, 1, "", {{"factor", "1", std::nullopt, -1, 1, ""}}};
  BackendRequest request;
  request.name = backend_name();
  Device device(backend, request);
  MemorySink sink;
  run_on(device, p, sink, {});
  return sink.planes.back().field;
}

// The mean phase that the responses give, over that of Kerr's.
double phase_ratio(const Problem& p, double peak) {
  PluginResponse own;
  own.name = own_quintic;
  own.parameters["factor"] = {1 / peak, std::nullopt, ""};
  const auto linear = field_behind(p, {}), with_kerr = field_behind(p, {kerr()}), with_own = field_behind(p, {own});
  Complex by_kerr = 0, by_own = 0;
  for (std::size_t i = 0; i < linear.size(); ++i) {
    by_kerr += std::conj(linear[i]) * with_kerr[i];
    by_own += std::conj(linear[i]) * with_own[i];
  }
  CHECK(std::arg(by_kerr) > 1e-4);
  CHECK(std::arg(by_kerr) < 1e-2);
  return std::arg(by_own) / std::arg(by_kerr);
}

}  // namespace

TEST_CASE("own response in uppe: |A|^2 is the power of a mode average, elsewhere the intensity in W/m^2") {
  // With c = 1/peak the phase is (I/peak)^2 in place of I/peak. The mean of I^m over a Gaussian, weighted by itself, is
  // (m + 1)^-1/2 for each of its dimensions.
  Problem p = base(Route::mode_averaged, capillary(Gas::argon, 1 * bar, 50 * um), 1);
  std::get<Capillary>(p.uppe->medium).loss = false;
  p.time = {4 * ps, 256, std::nullopt};
  Pulse pulse = beam_pulse(800 * fs, 1, 1);
  pulse.beam.reset();
  pulse.energy.reset();
  pulse.peak_power = 1e8;
  p.launch = {pulse};
  CHECK(phase_ratio(p, 1e8) == near(std::sqrt(2.0 / 3), 1e-3));

  p = base(Route::line, solid(1.5, 3e-20), 1);
  p.time = {4 * ps, 128, std::nullopt};
  p.uppe->geometry.half_width = 600 * um;
  p.uppe->geometry.points = 64;
  const double intensity = 1e13;
  p.launch = {beam_pulse(800 * fs, 1, 100 * um)};
  p.launch[0].energy.reset();
  p.launch[0].peak_power = intensity * 100 * um * std::sqrt(pi / 2);  // per metre of y
  CHECK(phase_ratio(p, intensity) == near(2.0 / 3, 1e-3));
}

TEST_CASE("own response in uppe: a medium without a nonlinear index has no unit for it") {
  Problem bare = base(Route::radial, solid(1.5, 0), 1e-6);
  bare.uppe->geometry.radius = 300 * um;
  bare.uppe->geometry.points = 20;
  try {
    (void)run(backend_name(), bare, {own(1)}, true);
    FAIL("it ran");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("give /medium/n2") != std::string::npos);
  }
}
