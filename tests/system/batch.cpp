// A member in a batch has the same bits as alone; so has a run at any thread count, and a replayed one.
#include <doctest/doctest.h>

#include "fibre.hpp"
#include "march/march.hpp"
#include "translate/launch.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

Problem member(int which) {
  Problem p = fibre(835 * nm, 5 * ps, 1024, 0.01, {-11.83e-27, 8.1038e-41}, 0.11);
  p.launch = {pulse(Shape::sech, 28.4 * fs, 2000.0 * (which + 1))};
  p.responses = {Kerr{}, Raman{}, SelfSteepening{}};
  p.noise = Noise{std::uint64_t(which), Noise::Enters::nonlinear};
  if (which == 2) p.medium.loss = 0.5;
  return p;
}

constexpr Integrator every_integrator[] = {Integrator::erk43, Integrator::dp54, Integrator::low_storage,
                                           Integrator::adams};

struct End {
  std::vector<Complex> state;
  std::vector<double> steps;
  bool operator==(const End&) const = default;
};

std::vector<End> together(const std::string& backend, int threads, const std::vector<int>& which, Integrator integrator,
                          bool fused = true) {
  BackendRequest request;
  request.name = backend;
  request.threads = backend == "cpu" ? threads : 0;
  Device device(load_backend(backend, {{LUMARCH_BACKEND_DIR}, {}}), request);
  std::vector<FibreTables> tables;
  for (const int w : which) {
    tables.push_back(translate_fibre(member(w)));
    if (!tables.back().unitary) tables.back().unitary = tables.back().D;  // a lossy member is in the batch
    tables.back().lossless = false;
  }
  Stepper stepper(device, tables, {integrator, true, fused});
  std::vector<Launch> launches;
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < which.size(); ++i)
    launches.push_back(
        build_launch(member(which[i]), tables[i].grid, transforms_on(device, tables[i].grid.n), warnings));
  stepper.load(launches);
  MarchOptions options;
  options.integrator = integrator;
  options.length = 0.01;
  options.planes = {0, 0.004, 0.01};
  options.tolerance = 1e-6;
  std::vector<End> ends(which.size());
  MarchEvents events;
  events.attempt = [&](std::uint32_t m, const AttemptRecord& a) { ends[m].steps.push_back(a.h); };
  for (const MemberEnd& end : march(stepper, options, events)) CHECK(end.status == LM_DONE);
  for (std::uint32_t m = 0; m < which.size(); ++m) stepper.read(m, ends[m].state, nullptr);
  return ends;
}

}  // namespace

TEST_CASE("a member in a batch of three has the bits it has alone, at one and two threads") {
  for (const Integrator integrator : every_integrator) {
    const std::string backend = backend_name();
    const std::vector<End> three = together(backend, 1, {0, 1, 2}, integrator);
    CHECK(three[0].steps.size() != three[1].steps.size());  // each has its own steps
    for (int m = 0; m < 3; ++m) CHECK(together(backend, 1, {m}, integrator)[0] == three[std::size_t(m)]);
    CHECK(together(backend, 2, {0, 1, 2}, integrator) == three);
    CHECK(together(backend, 2, {2, 1, 0}, integrator)[0] == three[2]);
  }
}

TEST_CASE("fused and composed marches agree to rounding") {
  for (const Integrator integrator : every_integrator) {
    const End fused = together(backend_name(), 1, {2}, integrator, true)[0];
    const End composed = together(backend_name(), 1, {2}, integrator, false)[0];
    double difference = 0, norm = 0;
    for (std::size_t k = 0; k < fused.state.size(); ++k) {
      difference += std::norm(fused.state[k] - composed.state[k]);
      norm += std::norm(composed.state[k]);
    }
    CHECK(std::sqrt(difference / norm) < 1e-11);
  }
}

TEST_CASE("a replayed schedule gives the bits of the run it comes from") {
  Problem p = member(1);
  p.planes = {0, 0.003, 0.01};
  const Marched first = march(p);
  for (const AttemptRecord& a : first.march)
    if (a.accepted) p.march.schedule.push_back(a.h);
  const Marched again = march(p);
  CHECK(again.ended.rejected == 0);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(again.planes[i].z == first.planes[i].z);
    CHECK(again.planes[i].field == first.planes[i].field);
  }
  p.planes = {0, 0.0031234, 0.01};
  CHECK_THROWS_WITH_AS(march(p), doctest::Contains("no step that ends at the plane"), Error);
  p.march.schedule.pop_back();
  p.planes = {0, 0.003};
  CHECK_THROWS_WITH_AS(march(p), doctest::Contains("add up to"), Error);
}

TEST_CASE("scaling the power by 1e-6 and gamma by 1e6 gives the same steps") {
  Problem p = member(1);
  p.noise.reset();
  const Marched a = march(p);
  *p.launch[0].peak_power *= 1e-6;
  *p.medium.gamma *= 1e6;
  const Marched b = march(p);
  REQUIRE(a.march.size() == b.march.size());
  for (std::size_t i = 0; i < a.march.size(); ++i) CHECK(a.march[i].h == doctest::Approx(b.march[i].h).epsilon(1e-9));
}

TEST_CASE("a launch that is not finite, and steps that get too small, end the run and say where") {
  Problem p = member(0);
  p.noise.reset();
  p.launch[0].peak_power = 1e308;
  Marched s = march(p);
  CHECK(s.ended.ended == Ended::failed);
  CHECK(s.ended.reason.find("not finite") != std::string::npos);
  p = member(0);
  p.march.min_step = 1e-3;
  p.march.tolerance = 1e-12;
  s = march(p);
  CHECK(s.ended.ended == Ended::failed);
  const auto says = [&s](const char* part) {
    CAPTURE(s.ended.reason);
    CHECK(s.ended.reason.find(part) != std::string::npos);
  };
  for (const char* part :
       {"below the smallest", "at z = ", "the largest field is 2000 W at t = 0 s", "/march/min_step"})
    says(part);
  CHECK(s.planes.size() == 1);
  p = member(0);
  p.noise.reset();
  p.launch[0].peak_power = 1e100;  // its cube is finite, and that of a step of a millimetre is not
  p.march.first_step = 1e-3;
  s = march(p);
  CHECK(s.ended.ended == Ended::failed);
  for (const char* part : {"a value that is not finite at z = 0 m", "10 refused one after the other",
                           "the largest field is 1e+100 W at t = 0 s", "a lower power"})
    says(part);
}

TEST_CASE("backends that were shut down serve again") {
  const End before = together(backend_name(), 2, {0, 1}, Integrator::erk43)[0];
  shut_down_backends();
  shut_down_backends();
  CHECK(together(backend_name(), 2, {0, 1}, Integrator::erk43)[0] == before);
}
