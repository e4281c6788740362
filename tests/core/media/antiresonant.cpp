#include "media/antiresonant.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>

#include <lumarch/error.hpp>

#include "media.hpp"
#include "media/capillary.hpp"
#include "media/constants.hpp"
#include "media/gas.hpp"
#include "media/quadrature.hpp"
#include "media/rectangular.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

Index constant(double n) {
  return [n](double) { return n; };
}

double decibels(const GuideMode& mode, double omega, double eps, double radius) {
  return mode.alpha(omega, eps, radius) * 10 / std::log(10.0);
}

}  // namespace

TEST_CASE("C38: the index of a tube between resonances is published and near the exact one") {
  const ZeisbergerMode mode(parse_mode("HE11"), 0.7 * um, constant(1.45));
  const std::complex<double> at_25 = mode.n_eff(2.5e15, 1, 20 * um), at_28 = mode.n_eff(2.8e15, 1, 20 * um);
  CHECK(at_25.real() == near(0.99990677439, 1e-11));
  CHECK(at_25.imag() == near(1.87925966e-6, 1e-8));
  CHECK(at_28.real() == near(0.99991509138, 1e-11));
  CHECK(at_28.imag() == near(9.30559e-8, 1e-6));
  // the characteristic equation of the tube: 0.999915096560 + 9.66666e-8 i, of which 1 - n is 8.49e-5
  CHECK(1 - at_28.real() == near(1 - 0.999915096560, 1e-4));
  CHECK(at_28.imag() == near(9.66666e-8, 0.06));
}

TEST_CASE("C38: every mode of a tube tends to that of a capillary far from resonance, and loses power") {
  // cot(phi) = 0 where the wall is a quarter wave thick: the bend of the field at the wall is then gone but for 1/(k
  // a)^4
  const double n = 1.45, lambda = 1 * um, t = lambda / (4 * std::sqrt(n * n - 1)), a = 40 * um;
  const double omega = omega_of(lambda), ka = omega / c * a;
  for (const char* name : {"HE11", "HE12", "TE01", "TM01", "HE21", "EH11"}) {
    CAPTURE(name);
    const ZeisbergerMode mode(parse_mode(name), t, constant(n));
    const double u = bessel_zero(parse_mode(name));
    const double next = std::pow(u / ka, 6) / 16;  // the first term that the series leaves out
    CHECK(std::abs(mode.n_eff(omega, 1, a).real() - std::sqrt(1 - u * u / (ka * ka))) < 1.01 * next);
    CHECK(mode.alpha(omega, 1, a) > 0);
    CHECK(mode.alpha(omega, 1, a) < CapillaryMode(parse_mode(name), [=](double) { return n * n; }).alpha(omega, 1, a));
  }
  const auto loss = [&](const char* name) {
    return ZeisbergerMode(parse_mode(name), t, constant(n)).alpha(omega, 1, a);
  };
  CHECK(loss("TM01") / loss("TE01") == near(std::pow(n, 4), 1e-12));
  CHECK(loss("HE21") / loss("TE01") == near((std::pow(n, 4) + 1) / 2, 1e-12));
}

TEST_CASE("C38: the loss of a ring of tubes is real and as the formulas give it in 30 digits") {
  // worked out with mpmath from the papers' formulas: dB/m, R_eff, n_eff, A_eff
  const struct {
    double lambda, thickness, tube;
    int number;
    double core, wall, gas, loss, effective, index, area;
  } published[] = {{515 * nm, 148 * nm, 1.5 * um, 6, 3 * um, 1.46, 1, 19.7557009766834, 3.37578420755336e-6,
                    0.998180870616731, 1.61034676281295e-11},
                   {1550 * nm, 1 * um, 10 * um, 8, 23 * um, 1.44, 1, 0.0327895664324353, 2.45277685541977e-5,
                    0.999691012421489, 8.58797775370961e-10},
                   {1000 * nm, 0.6 * um, 8 * um, 6, 15 * um, 1.45, 1.002, 0.0526826198258394, 1.63504337686859e-5,
                    1.00170584200763, 3.75480927942975e-10}};
  for (const auto& p : published) {
    const double omega = omega_of(p.lambda), eps = p.gas * p.gas;
    const VincettiMode mode(parse_mode("HE11"), {p.number, p.tube, p.thickness}, constant(p.wall), omega);
    CHECK(decibels(mode, omega, eps, p.core) == near(p.loss, 1e-10));
    CHECK(mode.effective_radius(omega, p.core) == near(p.effective, 1e-12));
    CHECK(mode.n_eff(omega, eps, p.core).real() == near(p.index, 1e-13));
    // the papers' area comes from the index, resonances included; ours from the shape
    CHECK(effective_area(mode, p.core) == near(p.area, 0.08));
  }
  // argon at 80 bar in the core, as in C38
  const double omega = omega_of(515 * nm);
  const GasPart argon{Gas::argon, GasFit::standard, gas_density(Gas::argon, 80 * bar, 293.15)};
  const VincettiMode mode(parse_mode("HE11"), {6, 1.5 * um, 148 * nm}, constant(1.46), omega);
  const double loss = mode.alpha(omega, gas_permittivity({&argon, 1}, omega), 3 * um);
  CHECK(loss > 0);
  CHECK(loss < 3000);
}

TEST_CASE("a ring of tubes loses most at the resonances of its walls") {
  const double n = 1.45, t = 0.6 * um;
  const VincettiMode mode(parse_mode("HE11x"), {8, 10 * um, t}, constant(n), omega_of(1 * um));
  const auto at = [&](double F) { return mode.alpha(omega_of(2 * t / F * std::sqrt(n * n - 1)), 1, 20 * um); };
  CHECK(at(1.5) < at(1.01) / 10);
  CHECK(at(1.5) < at(2.02) / 10);
  CHECK_THROWS_WITH_AS(VincettiMode(parse_mode("HE12"), {8, 10 * um, t}, constant(n), 2e15), doctest::Contains("HE12"),
                       Error);
  CHECK_THROWS_AS(VincettiMode(parse_mode("HE11"), {2, 10 * um, t}, constant(n), 2e15), Error);
  CHECK_THROWS_AS(VincettiMode(parse_mode("HE11"), {6, 10 * um, 11 * um}, constant(n), 2e15), Error);
  CHECK_THROWS_AS(ZeisbergerMode(parse_mode("HE11"), 0, constant(n)), Error);
}

TEST_CASE("a rectangular guide with walls of silver, as finite elements and Luna have it") {
  // 100 um x 25 um; silver after Babar and Weaver: 0.0537 + 5.6034 i at 800 nm, 1.1004 + 1.2577 i at 210 nm
  const auto wall = [](double omega) {
    const std::complex<double> n =
        omega < omega_of(500 * nm) ? std::complex(0.0537, 5.6034) : std::complex(1.1004, 1.2577);
    return n * n;
  };
  const RectangularMode mode(parse_mode("HE11x"), 0.25, wall);
  const double a = 50 * um;
  CHECK(effective_area(mode, a) == near(1.111111111111111e-9, 1e-14));
  CHECK(decibels(mode, omega_of(800 * nm), 1, a) == near(0.44317059469197245, 1e-3));
  CHECK(mode.beta(omega_of(800 * nm), 1, a) == near(7852915.234685494, 1e-9));
}

TEST_CASE("a rectangular guide with walls of silver in the ultraviolet") {
  const auto wall = [](double omega) {
    const std::complex<double> n =
        omega > omega_of(500 * nm) ? std::complex(1.1004, 1.2577) : std::complex(0.0537, 5.6034);
    return n * n;
  };
  const RectangularMode mode(parse_mode("HE11x"), 0.25, wall), turned(parse_mode("HE11y"), 4, wall);
  CHECK(decibels(mode, omega_of(210 * nm), 1, 50 * um) == near(3.908368640803528, 1e-4));
  CHECK(mode.beta(omega_of(210 * nm), 1, 50 * um) == near(29919650.305427298, 1e-11));
  // the same guide turned by 90 degrees
  CHECK(turned.n_eff(1e16, 1, 12.5 * um).imag() == near(mode.n_eff(1e16, 1, 50 * um).imag(), 1e-9));
}

TEST_CASE("shapes of a rectangular guide are normalised and orthogonal") {
  const auto wall = [](double) { return std::complex(2.1, 0.0); };
  const double aspect = 0.4;
  const Nodes nodes = rectangle_nodes(32, 24, aspect);
  const char* names[] = {"HE11", "HE21", "HE12", "HE13", "HE11x", "HE31"};
  for (const char* one : names)
    for (const char* two : names) {
      const RectangularMode f(parse_mode(one), aspect, wall), g(parse_mode(two), aspect, wall);
      double sum = 0, fourth = 0;
      for (std::size_t i = 0; i < nodes.theta.size(); ++i) {
        const auto e = f.shape(nodes.r_over_a[i], nodes.theta[i]), h = g.shape(nodes.r_over_a[i], nodes.theta[i]);
        sum += nodes.weight_over_a2[i] * (e[0] * h[0] + e[1] * h[1]);
        fourth += nodes.weight_over_a2[i] * std::pow(e[0] * e[0] + e[1] * e[1], 2);
      }
      const bool same = std::string(one) == two;
      CAPTURE(one);
      CAPTURE(two);
      CHECK(sum * constants::eps0 * c / 2 == doctest::Approx(same ? 1 : 0).scale(1).epsilon(1e-13));
      if (same) CHECK(sum * sum / fourth == near(f.relative_area(), 1e-12));
    }
  CHECK(RectangularMode(parse_mode("HE21"), aspect, wall).shape(0, 0)[1] == 0);  // two half waves along x
  CHECK(RectangularMode(parse_mode("HE21"), aspect, wall).shape(0.5, 0)[1] > 0);
  CHECK(RectangularMode(parse_mode("HE11"), aspect, wall).shape(0.5, 1)[1] == 0);
  CHECK_THROWS_AS(RectangularMode(parse_mode("TE01"), aspect, wall), Error);
  CHECK_THROWS_AS(RectangularMode(parse_mode("HE11"), 0, wall), Error);
}
