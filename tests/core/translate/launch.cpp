#include <doctest/doctest.h>

#include "relative.hpp"

#include "fibre.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

constexpr double hbar = 1.054571817e-34;

Problem empty(std::int64_t points = 1024) { return fibre(835 * nm, 5 * ps, points, 1e-3, {}, 0.1); }

}  // namespace

TEST_CASE("noise has one photon in every mode of positive frequency, and other phases for another seed") {
  Problem p = empty();
  p.launch = {pulse(Shape::cw, 0, 1e-30)};
  p.noise = Noise{7, Noise::Enters::field};
  p.statistics = {ask(Quantity::photon_number), ask(Quantity::energy)};
  const Marched a = march(p);
  int positive = 0;
  double sum = 0;
  for (const double omega : a.run.omega)
    if (omega > 0) {
      ++positive;
      sum += hbar * omega;
    }
  CHECK(stat(a, 0, 0) == lumarch::test::about(positive).epsilon(1e-8));
  CHECK(stat(a, 0, 1) == lumarch::test::about(sum).epsilon(1e-8));
  CHECK(march(p).planes[0].field == a.planes[0].field);
  p.noise->seed = 8;
  CHECK(march(p).planes[0].field != a.planes[0].field);
}

TEST_CASE("noise inside the nonlinear operator leaves the launch free of it, and grows in a gain band") {
  // modulation instability, C14: only noise can start it
  const double f = 2.2507908e12;
  Problem p = fibre(1550 * nm, 20 / f, 256, 6, {-1e-26}, 0.1);
  p.launch = {pulse(Shape::cw, 0, 10)};
  p.responses = {Kerr{}};
  const Marched without = march(p);
  p.noise = Noise{3, Noise::Enters::nonlinear};
  const Marched with = march(p);
  CHECK(with.planes[0].field == without.planes[0].field);
  const std::size_t line = 128 + 20;
  CHECK(std::norm(with.planes[1].field[line]) > 1e3 * std::norm(without.planes[1].field[line]));
  // field and noise together obey the plain equation: exp(2 z) of hbar omega T, less what of it does not grow
  const double seed = hbar * with.run.omega[line] * 20 / f;
  const double grown = std::norm(with.planes[1].field[line]) / seed;
  CHECK(grown > 0.01 * std::exp(12.0));
  CHECK(grown < 10 * std::exp(12.0));
}

TEST_CASE("several pulses are summed, each at its own wavelength and delay") {
  Problem p = empty();
  p.launch = {pulse(Shape::gauss, 50 * fs, 100), pulse(Shape::gauss, 50 * fs, 400)};
  p.launch[0].delay = -1 * ps;
  p.launch[1].delay = 1 * ps;
  p.launch[1].wavelength = 850 * nm;
  const Marched s = march(p);
  const auto field = time_field(s, 0);
  const auto at = [&](double t) { return std::norm(field_at(s, 0, t)); };
  CHECK(at(-1 * ps) == lumarch::test::about(100).epsilon(1e-9));
  CHECK(at(1 * ps) == lumarch::test::about(400).epsilon(1e-9));
}

TEST_CASE("a field from samples is what the samples say") {
  Problem p = empty();
  Pulse pulse;
  pulse.shape = Shape::file;
  Pulse::Samples samples;
  for (int i = -400; i <= 400; ++i) {
    const double t = i * 1.0 * fs;
    samples.t.push_back(t);
    samples.power.push_back(250 * std::exp(-t * t / (60 * fs * 60 * fs)));
    samples.phase.push_back(std::remainder(-2 * pi * 10e12 * t, 2 * pi));  // wrapped, 10 THz above the reference
  }
  pulse.samples = samples;
  p.launch = {pulse};
  p.statistics = {ask(Quantity::centroid_omega), ask(Quantity::peak_power), ask(Quantity::fwhm_time)};
  const Marched s = march(p);
  CHECK((stat(s, 0, 0) - s.run.omega0) / (2 * pi * 1e12) == lumarch::test::about(10).epsilon(1e-4));
  CHECK(stat(s, 0, 1) == lumarch::test::about(250).epsilon(1e-3));
  CHECK(stat(s, 0, 2) == lumarch::test::about(2 * std::sqrt(std::log(2.0)) * 60 * fs).epsilon(1e-3));
  p.launch[0].energy = 1e-9;
  CHECK(march(p).summary.energy_in == lumarch::test::about(1e-9).epsilon(1e-12));
}

TEST_CASE("third-order phase of a file's sign: the tail of a TOD pulse is late") {
  Problem p = empty(4096);
  p.launch = {pulse(Shape::gauss, 50 * fs, 1)};
  p.launch[0].tod = std::pow(50 * fs, 3);
  p.statistics = {ask(Quantity::centroid_time), ask(Quantity::rms_time), ask(Quantity::peak_power)};
  const Marched s = march(p);
  CHECK(stat(s, 0, 0) / (50 * fs) == lumarch::test::about(0.25).epsilon(1e-4));  // as C3, z = T0^3/beta3
  CHECK(stat(s, 0, 1) / (50 * fs / std::sqrt(2.0)) == lumarch::test::about(1.1180340).epsilon(1e-5));
  CHECK(stat(s, 0, 2) == lumarch::test::about(1).epsilon(1e-9));  // the power is that after the phases
}
