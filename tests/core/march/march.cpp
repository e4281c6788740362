#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "fibre.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

Problem soliton() {
  Problem p = fibre(835 * nm, 5 * ps, 512, 0.02, {-11.83e-27}, 0.11);
  p.launch = {pulse(Shape::sech, 28.4 * fs, 3000)};
  p.responses = {Kerr{}};
  p.march.tolerance = 1e-6;
  return p;
}

}  // namespace

TEST_CASE("planes are landed on exactly, and the steps are those of the march between them") {
  Problem p = soliton();
  p.planes = {0.001, 0.0012345, 0.0123, 0.019999999};
  const Marched s = march(p);
  REQUIRE(s.planes.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(s.planes[i].z == p.planes[i]);
  double z = 0;
  for (const AttemptRecord& a : s.march) {
    CHECK(a.h > 0);
    CHECK(a.z == doctest::Approx(z).epsilon(1e-12));
    if (a.accepted) z += a.h;
    CHECK((a.error <= 1) == a.accepted);
  }
  CHECK(z == doctest::Approx(0.02).epsilon(1e-12));
  CHECK(s.ended.z == 0.02);
  CHECK(s.ended.evaluations == 1 + 4 * std::int64_t(s.march.size()));
}

TEST_CASE("more planes change the answer by no more than the tolerance allows") {
  Problem p = soliton();
  const Marched few = march(p);
  p.planes.clear();
  for (int i = 0; i <= 400; ++i) p.planes.push_back(0.02 * i / 400);
  const Marched many = march(p);
  double difference = 0, norm = 0;
  for (std::size_t j = 0; j < few.planes[1].field.size(); ++j) {
    difference += std::norm(few.planes[1].field[j] - many.planes[400].field[j]);
    norm += std::norm(few.planes[1].field[j]);
  }
  CHECK(std::sqrt(difference / norm) < 1e-3);
  CHECK(many.ended.rejected <= few.ended.rejected + 5);  // a step cut short does not upset the controller
}

TEST_CASE("the largest, first and smallest step are kept to") {
  Problem p = soliton();
  p.march.max_step = 5e-5;
  p.march.first_step = 1e-5;
  const Marched s = march(p);
  CHECK(s.march.front().h == 1e-5);
  for (const AttemptRecord& a : s.march) CHECK(a.h <= 5e-5 * (1 + 1e-12));
}

TEST_CASE("a fixed schedule takes its steps, accepted whatever their error") {
  Problem p = soliton();
  p.march.schedule.assign(40, 0.0005);
  const Marched s = march(p);
  CHECK(s.ended.accepted == 40);
  CHECK(s.ended.rejected == 0);
  CHECK(std::any_of(s.march.begin(), s.march.end(), [](const AttemptRecord& a) { return a.error > 1; }));
}

TEST_CASE("all integrators agree, with loss and noise too") {
  for (const bool all : {false, true}) {
    Problem p = soliton();
    p.march.tolerance = 1e-10;
    if (all) {
      p.responses = {Kerr{}, Raman{}, SelfSteepening{}};
      p.noise = Noise{1, Noise::Enters::nonlinear};
      p.medium.loss = 20;
    }
    const Marched a = march(p);
    for (const Integrator other : {Integrator::dp54, Integrator::low_storage, Integrator::adams}) {
      p.march.integrator = other;
      const Marched b = march(p);
      double difference = 0, norm = 0;
      for (std::size_t j = 0; j < a.planes[1].field.size(); ++j) {
        difference += std::norm(a.planes[1].field[j] - b.planes[1].field[j]);
        norm += std::norm(a.planes[1].field[j]);
      }
      CAPTURE(static_cast<int>(other));
      CHECK(std::sqrt(difference / norm) < 1e-7);
    }
  }
}

TEST_CASE("one member block up and one down an attempt, and no state crosses between planes") {
  Problem p = soliton();
  p.output.fields = Fields::none;
  const Marched s = march(p);
  const std::uint64_t attempts = s.march.size(), n = 512;
  // numbers and status of one member: 16 + 8 bytes down an attempt, and once for the launch
  CHECK(s.ended.bytes_crossed.at("download member block") == 24 * (attempts + 1));
  CHECK(s.ended.bytes_crossed.count("download plane") == 0);
  p.output.fields = Fields::last;  // the budget of the end: spectrum and time, and the planes
  CHECK(march(p).ended.bytes_crossed.at("download plane") >= 2 * 16 * n);
}

TEST_CASE("odd, prime and tiny grids march too") {
  for (const std::int64_t points : {2, 3, 5, 101, 127, 1000}) {
    Problem p = soliton();
    p.time.points = points;
    p.responses = {Kerr{}, Raman{}, SelfSteepening{}};
    p.noise = Noise{1, Noise::Enters::nonlinear};
    p.medium.length = 1e-3;
    p.planes = {0, 1e-3};
    const Marched s = march(p);
    CHECK(s.ended.ended == Ended::done);
    CHECK(std::isfinite(s.summary.energy_out));
  }
}
