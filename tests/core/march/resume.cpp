// SPDX-License-Identifier: Apache-2.0
// A march that goes on from what was kept of it, on a new device and in a new stepper, has the bits of one that was
// never interrupted.
#include <doctest/doctest.h>

#include <cstring>

#include "fibre.hpp"
#include "march/march.hpp"
#include "route_cases.hpp"
#include "run/scene.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

struct Kept {
  std::vector<MemberState> members;
  std::vector<std::vector<Complex>> rows;
  std::uint64_t fingerprint = 0;
};

struct Track {
  std::vector<AttemptRecord> attempts;
  std::vector<std::vector<Complex>> planes;
  std::vector<double> looks;
  MemberEnd end;
  Stepper::Absorbed absorbed;
  Kept kept;  // of the last checkpoint
};

enum class How { uninterrupted, stop_before, kill_before, look_stops };

// Marches on a device of its own, from `kept` where it is given. stop_before and kill_before: until so many attempts
// were made; look_stops: until so many looks.
Track track(const std::string& backend, const Problem& problem, How how, std::size_t count,
            const Kept* kept = nullptr) {
  BackendRequest request;
  request.name = backend;
  if (backend == "cpu") request.threads = 1;
  Device device(load_backend(backend, {{LUMARCH_BACKEND_DIR}, {}}), request);
  const auto scene = translate(problem);
  MarchOptions options;
  options.integrator = problem.march.integrator;
  options.length = problem.medium.length;
  options.tolerance = problem.march.tolerance;
  options.schedule = problem.march.schedule;
  options.planes = problem.planes;
  scene->put_places(options);
  for (int i = 1; i < 8; ++i) options.looks.push_back(options.length * i / 8 * 0.99);
  const auto stepper = scene->make_stepper(device, {});
  Track out;
  MarchEvents events;
  struct Killed {};
  bool stop = false;
  events.plane = [&](std::uint32_t, std::int64_t, double) { stepper->read(0, out.planes.emplace_back(), nullptr); };
  events.attempt = [&](std::uint32_t, const AttemptRecord& record) {
    out.attempts.push_back(record);
    stop = stop || (how == How::stop_before && out.attempts.size() == count);
  };
  events.look = [&](std::uint32_t, double z) {
    out.looks.push_back(z);
    return how == How::look_stops && out.looks.size() == count ? std::string("a look") : std::string();
  };
  events.stop = [&] {
    if (how == How::kill_before && out.attempts.size() == count) throw Killed();
    return stop;
  };
  events.checkpoint_due = [&](bool stopped) {
    if (how == How::kill_before) return !stopped && out.attempts.size() + 1 == count;
    return stopped;
  };
  events.checkpoint = [&](const std::vector<MemberState>& members) {
    out.kept.members = members;
    out.kept.rows.resize(stepper->carried());
    for (std::size_t i = 0; i < out.kept.rows.size(); ++i) stepper->save_row(0, i, out.kept.rows[i]);
    out.kept.fingerprint = stepper->fingerprint(0, members[0].walk.z);
  };
  if (kept) {
    stepper->restore({kept->members[0].stepper}, [&](std::uint32_t, std::size_t row) { return kept->rows[row]; });
    CHECK(stepper->fingerprint(0, kept->members[0].walk.z) == kept->fingerprint);
  } else {
    stepper->load({scene->launch(device)});
  }
  try {
    out.end = march(*stepper, options, events, kept ? &kept->members : nullptr).front();
  } catch (const Killed&) {
  }
  out.absorbed = stepper->absorbed(0);
  return out;
}

bool same(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Complex)) == 0;
}

// What comes after a part is what the whole has there; attempts of the part after its checkpoint count for nothing.
void check_rest(const Track& whole, const Track& rest) {
  REQUIRE(rest.attempts.size() <= whole.attempts.size());
  REQUIRE(rest.planes.size() <= whole.planes.size());
  REQUIRE(!rest.attempts.empty());
  const std::size_t first = whole.attempts.size() - rest.attempts.size();
  std::size_t other = 0;
  for (std::size_t i = 0; i < rest.attempts.size(); ++i) {
    const AttemptRecord &a = whole.attempts[first + i], &b = rest.attempts[i];
    other += a.z != b.z || a.h != b.h || a.error != b.error || a.accepted != b.accepted;
  }
  CHECK(other == 0);
  const std::size_t plane = whole.planes.size() - rest.planes.size();
  for (std::size_t i = 0; i < rest.planes.size(); ++i) CHECK(same(whole.planes[plane + i], rest.planes[i]));
  CHECK(rest.end.status == whole.end.status);
  CHECK(rest.end.z == whole.end.z);
  CHECK(rest.end.accepted == whole.end.accepted);
  CHECK(rest.end.rejected == whole.end.rejected);
  CHECK(rest.end.evaluations == whole.end.evaluations);
  CHECK(rest.absorbed.time == whole.absorbed.time);
  CHECK(rest.absorbed.space == whole.absorbed.space);
}

void check_resumes(const std::string& backend, const Problem& problem) {
  const Track whole = track(backend, problem, How::uninterrupted, 0);
  REQUIRE(whole.end.status == LM_DONE);
  const std::size_t attempts = whole.attempts.size();
  REQUIRE(attempts >= 4);
  for (const std::size_t after : {std::size_t{1}, attempts / 3, attempts / 2, attempts - 1}) {
    CAPTURE(after);
    const Track part = track(backend, problem, How::stop_before, after);
    CHECK(part.end.status == LM_STOPPED);
    const Track rest = track(backend, problem, How::uninterrupted, 0, &part.kept);
    CHECK(part.attempts.size() + rest.attempts.size() == attempts);
    CHECK(part.planes.size() + rest.planes.size() == whole.planes.size());
    CHECK(part.looks.size() + rest.looks.size() == whole.looks.size());
    check_rest(whole, rest);
  }
  const Track killed = track(backend, problem, How::kill_before, attempts / 2);
  const Track again = track(backend, problem, How::kill_before, attempts / 4, &killed.kept);
  const Track rest = track(backend, problem, How::uninterrupted, 0, &again.kept);
  check_rest(whole, rest);
}

Problem soliton(Integrator integrator, bool fixed, bool noise) {
  Problem p = fibre(835 * nm, 5 * ps, 512, 0.02, {-11.83e-27, 8.1e-41}, 0.11);
  p.launch = {pulse(Shape::sech, 28.4 * fs, 3000)};
  p.responses = {Kerr{}, Raman{}, SelfSteepening{}};
  p.march.tolerance = 1e-6;
  p.march.integrator = integrator;
  p.planes = {0, 0.005, 0.0123, 0.015, 0.02};
  if (noise) {
    p.noise = Noise{3, Noise::Enters::nonlinear};
    p.medium.loss = 10;
  }
  if (fixed) {
    p.planes = {0, 0.005, 0.0125, 0.02};
    p.march.schedule.assign(80, 0.02 / 80);
  }
  return p;
}

std::vector<std::string> backends() {
  if (backend_name() == "cpu") return {"cpu", "reference"};
  return {backend_name()};
}

}  // namespace

TEST_CASE("a fibre's march goes on with the same bits, by every integrator") {
  for (const std::string& backend : backends())
    for (const Integrator integrator :
         {Integrator::erk43, Integrator::dp54, Integrator::low_storage, Integrator::adams})
      for (const bool fixed : {false, true})
        for (const bool noise : {false, true}) {
          CAPTURE(backend);
          CAPTURE(static_cast<int>(integrator));
          CAPTURE(fixed);
          CAPTURE(noise);
          check_resumes(backend, soliton(integrator, fixed, noise));
        }
}

TEST_CASE("a march along routes goes on with the same bits: gradients, walls, absorbers, noise") {
  for (const std::string& backend : backends())
    for (RouteCase& one : route_cases())
      for (const Integrator integrator : {Integrator::erk43, Integrator::adams}) {
        CAPTURE(backend);
        CAPTURE(one.name);
        one.problem.march.integrator = integrator;
        check_resumes(backend, one.problem);
      }
}

TEST_CASE("adaptive steps along a gradient, and between absorbers, go on with the same bits") {
  for (const std::string& backend : backends())
    for (RouteCase& one : route_cases()) {
      if (one.name != "mode-averaged, gradient and taper" && one.name != "radial, real, kerr, plasma, absorbers" &&
          one.name != "line, real, poled chi2")
        continue;
      for (const Integrator integrator : {Integrator::erk43, Integrator::adams}) {
        CAPTURE(backend);
        CAPTURE(one.name);
        one.problem.march.schedule.clear();
        one.problem.march.integrator = integrator;
        check_resumes(backend, one.problem);
      }
    }
}

TEST_CASE("a march that a look stopped goes on behind it, also from the end and beside an absorber") {
  for (const std::string& backend : backends()) {
    std::vector<Problem> problems = {soliton(Integrator::erk43, false, false), soliton(Integrator::adams, false, true)};
    for (RouteCase& one : route_cases())
      if (one.name == "radial, real, kerr, plasma, absorbers") problems.push_back(one.problem);
    for (const Problem& problem : problems) {
      const Track whole = track(backend, problem, How::uninterrupted, 0);
      for (const std::size_t look : {std::size_t{1}, std::size_t{4}, whole.looks.size()}) {
        CAPTURE(look);
        const Track part = track(backend, problem, How::look_stops, look);
        CHECK(part.end.status == LM_STOPPED);
        const Track rest = track(backend, problem, How::uninterrupted, 0, &part.kept);
        CHECK(part.attempts.size() + rest.attempts.size() == whole.attempts.size());
        CHECK(part.looks.size() + rest.looks.size() == whole.looks.size());
        CHECK(rest.end.status == LM_DONE);
        if (look < whole.looks.size()) check_rest(whole, rest);
        CHECK(rest.end.evaluations == whole.end.evaluations);
        CHECK(rest.absorbed.space == whole.absorbed.space);
      }
    }
  }
}
