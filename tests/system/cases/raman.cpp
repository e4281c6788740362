// Cases C17 to C19: silica's Raman responses and the self-frequency shift.
#include <doctest/doctest.h>

#include "relative.hpp"

#include <algorithm>

#include "fibre.hpp"
#include "media/faddeeva.hpp"
#include "media/raman.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

struct Peak {
  double value, at;  // of Im H, THz
};

Peak gain_peak(RamanModel model) {
  Peak best{0, 0};
  for (double f = 10; f < 16; f += 1e-4)
    if (const double g = raman_response(model, 2 * pi * f * 1e12).imag(); g > best.value) best = {g, f};
  return best;
}

// The first moment of h: the slope of Im H at 0, by a central difference of sixth order.
double first_moment(RamanModel model) {
  const double d = 2 * pi * 2e10;
  const auto im = [&](int k) { return raman_response(model, k * d).imag(); };
  return (45 * (im(1) - im(-1)) - 9 * (im(2) - im(-2)) + (im(3) - im(-3))) / (60 * d);
}

}  // namespace

TEST_CASE("C17: areas, first moments and gain peaks of the three models") {
  const struct {
    RamanModel model;
    double moment, peak, at, peak_tolerance;
  } values[] = {{RamanModel::blow_wood, 8.12196, 1.449493, 13.0775, 1e-6},
                {RamanModel::lin_agrawal, 6.41635, 1.196745, 13.0389, 1e-6},
                {RamanModel::hollenbeck, 13.68864, 1.336374, 13.196, 1e-6}};
  for (const auto& v : values) {
    CHECK(std::abs(raman_response(v.model, 0) - 1.0) < 1e-12);
    CHECK(first_moment(v.model) / fs == lumarch::test::about(v.moment).epsilon(1e-6));
    const Peak peak = gain_peak(v.model);
    CHECK(peak.value == lumarch::test::about(v.peak).epsilon(v.peak_tolerance));
    CHECK(peak.at == lumarch::test::about(v.at).epsilon(1e-4));
    CHECK(raman_response(v.model, -3e13) == std::conj(raman_response(v.model, 3e13)));  // h is real
  }
  CHECK(raman_response(RamanModel::blow_wood, 2 * pi * 13.0775e12).real() ==
        lumarch::test::about(0.266315).epsilon(1e-4));
  CHECK(0.18 * first_moment(RamanModel::blow_wood) / fs == lumarch::test::about(1.46195).epsilon(1e-5));
}

TEST_CASE("C17: the Faddeeva function at published points") {
  // Abramowitz and Stegun, table 7.9 (6 digits), and w(iy) = exp(y^2) erfc(y)
  CHECK(faddeeva({0, 1}).real() == lumarch::test::about(std::exp(1.0) * std::erfc(1.0)).epsilon(1e-13));
  CHECK(faddeeva({1, 1}).real() == lumarch::test::about(0.304744).epsilon(1e-5));
  CHECK(faddeeva({1, 1}).imag() == lumarch::test::about(0.208219).epsilon(1e-5));
  CHECK(faddeeva({3, 0.5}).imag() == lumarch::test::about(0.192610).epsilon(2e-2));
  CHECK(faddeeva({2, 0}).real() == lumarch::test::about(std::exp(-4.0)).epsilon(1e-10));
}

TEST_CASE("C18: a 50 fs soliton shifts by what the analytic response gives, not by Gordon's formula") {
  const double t0 = 50 * fs;
  for (const std::int64_t points : {2048, 4096}) {
    Problem p = fibre(835 * nm, 10 * ps, points, 4, {-1e-26}, 0.1);
    p.launch = {pulse(Shape::sech, t0, 1e-26 / (0.1 * t0 * t0))};
    p.responses = {Kerr{}, Raman{}};
    p.planes = {0, 0.4, 4};
    p.march.tolerance = 1e-9;
    p.statistics = {ask(Quantity::centroid_omega)};
    const Marched s = march(p);
    const auto shift = [&](std::size_t plane) { return (stat(s, plane, 0) - s.run.omega0) / (2 * pi * 1e12); };
    CHECK(shift(1) == lumarch::test::about(-0.100539).epsilon(1e-5));
    CHECK(shift(2) == lumarch::test::about(-1.007348).epsilon(1e-5));
  }
}

TEST_CASE("C19: the shift of a 10 fs soliton over 90 periods") {
  const double t0 = 10 * fs;
  Problem p = fibre(835 * nm, 13 * ps, 8192, 90 * pi / 2 * t0 * t0 / 1e-26, {-1e-26}, 0.1);
  p.launch = {pulse(Shape::sech, t0, 1e-26 / (0.82 * 0.1 * t0 * t0))};
  CHECK(*p.launch[0].peak_power == lumarch::test::about(1219.512).epsilon(1e-6));
  p.responses = {Kerr{}, Raman{}};
  p.statistics = {ask(Quantity::peak_power)};
  const Marched s = march(p);
  const auto field = time_field(s, 1);
  std::size_t at = 0, line = 0;
  for (std::size_t j = 0; j < field.size(); ++j) {
    if (std::norm(field[j]) > std::norm(field[at])) at = j;
    if (std::norm(s.planes[1].field[j]) > std::norm(s.planes[1].field[line])) line = j;
  }
  CHECK(s.run.time[at] / ps == lumarch::test::about(6.0813).epsilon(5e-4));
  CHECK(s.run.omega[line] == lumarch::test::about(1.39716e15).epsilon(5e-4));
  CHECK(stat(s, 1, 0) == lumarch::test::about(1184.35).epsilon(2e-3));
}
