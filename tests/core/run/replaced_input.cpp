// A stepper that takes another launch: the same bits as a new one gives, whatever the march before came to, and nothing
// allocated or planned for it.
#include <doctest/doctest.h>

#include <limits>

#include "counts.hpp"
#include "march/march.hpp"
#include "route_cases.hpp"
#include "run/scene.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

enum class Before { done, stopped, non_finite, failed };

MarchOptions options_of(const Problem& problem, const Scene& scene) {
  MarchOptions options;
  options.integrator = problem.march.integrator;
  options.length = problem.medium.length;
  options.tolerance = 1e-5;
  options.planes = problem.planes;
  scene.put_places(options);
  options.max_step = problem.medium.length / 4;
  return options;
}

struct Result {
  std::vector<Complex> state;
  std::uint8_t status = 0;
  std::int64_t accepted = 0;
  double absorbed = 0;
};

Result marched(Stepper& stepper, const MarchOptions& options, const MarchEvents& events = {}) {
  const MemberEnd end = march(stepper, options, events).front();
  Result result{{}, end.status, end.accepted, stepper.absorbed(0).time + stepper.absorbed(0).space};
  stepper.read(0, result.state, nullptr);
  return result;
}

Launch scaled(const Launch& launch, double factor) {
  Launch other = launch;
  for (Complex& a : other.state) a *= factor;
  return other;
}

// A march that ends as `before` says, of another launch.
void spoil(Stepper& stepper, const MarchOptions& options, const Launch& launch, Before before) {
  MarchEvents events;
  int attempts = 0;
  stepper.load({scaled(launch, 0.7)});
  if (before == Before::stopped) events.stop = [&] { return ++attempts > 2; };
  if (before == Before::failed)
    events.attempt = [&](std::uint32_t, const AttemptRecord&) {
      if (++attempts > 1) throw Error(Fault::backend, "as the test wants it");
    };
  if (before == Before::non_finite) {
    Launch bad = launch;
    bad.state[bad.state.size() / 2] = std::numeric_limits<double>::quiet_NaN();
    stepper.load({bad});
  }
  try {
    const MemberEnd end = march(stepper, options, events).front();
    CHECK(before != Before::failed);
    const std::uint8_t expected = before == Before::done      ? LM_DONE
                                  : before == Before::stopped ? LM_STOPPED
                                                              : LM_NON_FINITE;
    CHECK(end.status == expected);
  } catch (const Error&) {
    CHECK(before == Before::failed);
  }
}

Problem soliton() {
  Problem p = fibre(835 * nm, 5 * ps, 256, 0.02, {-11.83e-27}, 0.11);
  p.launch = {pulse(Shape::sech, 50 * fs, 1000)};
  p.responses = {Kerr{}, Raman{}, SelfSteepening{}};
  return p;
}

}  // namespace

TEST_CASE("replaced input: the same bits as a new stepper's, and no allocation, after any end") {
  std::vector<RouteCase> cases = route_cases();
  cases.push_back({"fibre", soliton()});
  for (const std::string& backend : counting_backends())
    for (const RouteCase& one : cases)
      for (const Integrator integrator :
           {Integrator::erk43, Integrator::dp54, Integrator::low_storage, Integrator::adams}) {
        if (backend == "emulated" && (one.name.find("radial") == 0 || integrator == Integrator::dp54))
          continue;  // slow
        CAPTURE(backend);
        CAPTURE(one.name);
        CAPTURE(static_cast<int>(integrator));
        Problem problem = one.problem;
        problem.march.integrator = integrator;
        Device device(load_backend(backend, {{LUMARCH_BACKEND_DIR}, {}}), request_of(backend));
        const std::unique_ptr<Scene> scene = translate(problem);
        const MarchOptions options = options_of(problem, *scene);
        const std::unique_ptr<Stepper> fresh = scene->make_stepper(device, {}), used = scene->make_stepper(device, {});
        const Launch launch = scene->launch(device);
        fresh->load({launch});
        const Result expected = marched(*fresh, options);
        CHECK(expected.status == LM_DONE);
        const Held before = held(device);
        for (const Before how : {Before::done, Before::stopped, Before::non_finite, Before::failed}) {
          CAPTURE(static_cast<int>(how));
          spoil(*used, options, launch, how);
          used->load({launch});
          const Result again = marched(*used, options);
          CHECK(again.status == expected.status);
          CHECK(again.accepted == expected.accepted);
          CHECK(again.absorbed == expected.absorbed);
          CHECK(again.state == expected.state);
        }
        CHECK(held(device).buffers == before.buffers);
        CHECK(held(device).bytes == before.bytes);
        CHECK(held(device).most_bytes == before.most_bytes);
        CHECK(held(device).plans == before.plans);
      }
}

TEST_CASE("replaced input: a launch that is not finite is named with its first place") {
  for (const std::string& backend : counting_backends()) {
    Problem problem = beam(Route::cartesian, FieldKind::envelope, {without_harmonic()});
    problem.uppe->geometry.polarisations = 2;
    Device device(load_backend(backend, {{LUMARCH_BACKEND_DIR}, {}}), request_of(backend));
    const std::unique_ptr<Scene> scene = translate(problem);
    const std::unique_ptr<Stepper> stepper = scene->make_stepper(device, {});
    Launch launch = scene->launch(device);
    const RowShape shape = stepper->shape();
    const std::int64_t at = ((1 * shape.outer + 3) * shape.inner + 5) * shape.samples + 7;
    launch.state[static_cast<std::size_t>(at)] = std::numeric_limits<double>::infinity();
    launch.state[static_cast<std::size_t>(at) + 40] = std::numeric_limits<double>::quiet_NaN();
    stepper->load({launch});
    const MemberEnd end = march(*stepper, options_of(problem, *scene), {}).front();
    CHECK(end.status == LM_NON_FINITE);
    CAPTURE(end.reason);
    CHECK(end.reason.find("the launched field is not finite at frequency 7 of " + std::to_string(shape.samples) +
                          ", node 5 of 12 along x and 3 of 10 along y, component 1 of 2") == 0);
  }
}
