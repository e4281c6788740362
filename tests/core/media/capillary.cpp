#include "media/capillary.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include <lumarch/error.hpp>

#include "media.hpp"
#include "media/constants.hpp"
#include "media/dispersion.hpp"
#include "media/gas.hpp"
#include "media/glass.hpp"
#include "media/quadrature.hpp"

using namespace lumarch;
using namespace lumarch::test;
using Model = CapillaryMode::Model;

namespace {

Permittivity silica() {
  return [](double omega) { return std::pow(wall_index(Glass::fused_silica, omega), 2); };
}
Permittivity constant(double index) {
  return [index](double) { return index * index; };
}

CapillaryMode mode(const char* name, Permittivity wall = constant(1.45), Model model = Model::full) {
  return CapillaryMode(parse_mode(name), std::move(wall), model);
}

Beta beta_of(const GuideMode& mode, double density, double radius, GasFit fit = GasFit::standard,
             Gas gas = Gas::argon) {
  return
      [=, &mode](double omega) { return mode.beta(omega, 1 + gas_polarisability(gas, fit, omega) * density, radius); };
}

}  // namespace

TEST_CASE("modes are named as the literature names them") {
  using Family = ModeName::Family;
  CHECK(parse_mode("HE11") == ModeName{Family::HE, 1, 1, ModeName::Axis::y});
  CHECK(parse_mode("HE12x") == ModeName{Family::HE, 1, 2, ModeName::Axis::x});
  CHECK(parse_mode("EH21y") == ModeName{Family::EH, 2, 1, ModeName::Axis::y});
  CHECK(parse_mode("TE01").family == Family::TE);
  CHECK(parse_mode("TM03").m == 3);
  CHECK(parse_mode("HE112").m == 12);
  for (const char* name : {"HE11", "HE12x", "TE01", "TM02", "EH13x", "HE214"}) CHECK(text(parse_mode(name)) == name);
  for (const char* bad :
       {"", "HE", "HE1", "HE10", "HE01", "TE11", "TM01x", "LP01", "HE1a", "HE11z", "he11", "HE11 ", "HE1111"})
    CHECK_THROWS_WITH_AS((void)parse_mode(bad), doctest::Contains("is no mode"), Error);
}

TEST_CASE("C35: zeros of the Bessel functions of the modes") {
  const struct {
    const char* mode;
    double u;
  } published[] = {{"HE11", 2.40482556}, {"HE12", 5.52007811}, {"HE13", 8.65372791}, {"TE01", 3.83170597},
                   {"TM01", 3.83170597}, {"HE21", 3.83170597}, {"EH11", 5.13562230}};
  for (const auto& p : published) CHECK(bessel_zero(parse_mode(p.mode)) == near(p.u, 3e-9));
}

TEST_CASE("C35: effective area and width of HE11") {
  const CapillaryMode he11 = mode("HE11");
  CHECK(he11.relative_area() == near(1.4971689509, 1e-10));
  CHECK(effective_area(he11, 75 * um) == near(8.421575e-9, 1e-6));
  const auto intensity = [&](double r) { return std::pow(he11.shape(r, 0)[1], 2); };
  CHECK(intensity(0.93675 / 2) == near(intensity(0) / 2, 1e-4));
}

TEST_CASE("C35: a Gaussian beam couples to HE_1m as published") {
  const double shares[] = {.9807131, .0061826, .0013568, .0008447, .0005785, .0004135};
  const Nodes nodes = disk_nodes(64, 1);
  for (int m = 1; m <= 6; ++m) {
    const CapillaryMode he = CapillaryMode(ModeName{ModeName::Family::HE, 1, m, ModeName::Axis::x}, constant(1.45));
    const double w = 0.64;
    double overlap = 0;
    for (std::size_t i = 0; i < nodes.r_over_a.size(); ++i)
      overlap +=
          nodes.weight_over_a2[i] * he.shape(nodes.r_over_a[i], 0)[0] * std::exp(-std::pow(nodes.r_over_a[i] / w, 2));
    const double beam = pi * w * w / 2 * constants::eps0 * c / 2;
    CHECK(std::pow(overlap * constants::eps0 * c / 2, 2) / beam == near(shares[m - 1], 1e-4));
  }
}

TEST_CASE("shapes are normalised and orthogonal on the fixed rule") {
  const std::vector<const char*> names = {"HE11", "HE11x", "HE12", "HE13x", "HE21", "HE21x",
                                          "TE01", "TM01",  "EH11", "EH11x", "HE31"};
  std::vector<ModeName> modes;
  std::vector<CapillaryMode> guides;
  for (const char* name : names) {
    modes.push_back(parse_mode(name));
    guides.push_back(mode(name));
  }
  const Nodes nodes = disk_nodes(modes);
  CHECK(nodes.r_over_a.size() == 64 * 9);  // EH11 and HE31 turn twice
  for (std::size_t a = 0; a < guides.size(); ++a)
    for (std::size_t b = 0; b < guides.size(); ++b) {
      double sum = 0;
      for (std::size_t i = 0; i < nodes.r_over_a.size(); ++i) {
        const std::array<double, 2> e = guides[a].shape(nodes.r_over_a[i], nodes.theta[i]),
                                    f = guides[b].shape(nodes.r_over_a[i], nodes.theta[i]);
        sum += nodes.weight_over_a2[i] * (e[0] * f[0] + e[1] * f[1]);
      }
      CAPTURE(text(modes[a]));
      CAPTURE(text(modes[b]));
      CHECK(sum * constants::eps0 * c / 2 == doctest::Approx(a == b ? 1 : 0).scale(1).epsilon(1e-12));
    }
  CHECK(guides[0].shape(0, 0)[0] == 0);  // HE11 is y-polarised
  CHECK(guides[0].shape(0, 0)[1] > 0);
  CHECK(guides[1].shape(0.3, 1)[1] == 0);
  CHECK(guides[0].shape(1, 0)[1] == 0);
  CHECK(guides[0].shape(1.5, 0)[1] == 0);
}

TEST_CASE("shapes of order one and more are those of physics") {
  // TE is azimuthal, TM radial; HE21 has the quadrupole's signs
  const double theta = 0.7;
  const auto radial = [&](const CapillaryMode& m) {
    const std::array<double, 2> e = m.shape(0.5, theta);
    return e[0] * std::cos(theta) + e[1] * std::sin(theta);
  };
  const auto azimuthal = [&](const CapillaryMode& m) {
    const std::array<double, 2> e = m.shape(0.5, theta);
    return -e[0] * std::sin(theta) + e[1] * std::cos(theta);
  };
  CHECK(radial(mode("TE01")) == doctest::Approx(0).scale(1));
  CHECK(azimuthal(mode("TE01")) > 1);
  CHECK(azimuthal(mode("TM01")) == doctest::Approx(0).scale(1));
  CHECK(radial(mode("TM01")) > 1);
  // HE_nm: E_r ~ sin(n theta), E_theta ~ cos(n theta) in the y orientation
  for (const char* name : {"HE11", "HE21", "HE31"}) {
    const int n = name[2] - '0';
    CHECK(radial(mode(name)) / azimuthal(mode(name)) == near(std::tan(n * theta), 1e-12));
  }
  // EH_nm: E_r ~ sin, E_theta ~ -cos with the opposite sign of HE
  CHECK(radial(mode("EH11")) / azimuthal(mode("EH11")) == near(-std::tan(theta), 1e-12));
}

TEST_CASE("one angle is enough for HE_1m, and the rule is exact for polynomials") {
  const ModeName he[] = {parse_mode("HE11"), parse_mode("HE15")};
  CHECK(azimuthal_nodes(he) == 1);
  const Nodes nodes = disk_nodes(he);
  double area = 0, moment = 0;
  for (std::size_t i = 0; i < nodes.r_over_a.size(); ++i) {
    area += nodes.weight_over_a2[i];
    moment += nodes.weight_over_a2[i] * std::pow(nodes.r_over_a[i], 40);
  }
  CHECK(nodes.r_over_a.size() == 64);
  CHECK(area == near(pi, 1e-14));
  CHECK(moment == near(2 * pi / 42, 1e-14));
  for (std::size_t i = 1; i < 64; ++i) CHECK(nodes.r_over_a[i] > nodes.r_over_a[i - 1]);
}

TEST_CASE("C36: loss of HE11") {
  const double omega = omega_of(800 * nm), a = 125 * um;
  const CapillaryMode reduced = mode("HE11", silica(), Model::reduced), full = mode("HE11", silica());
  CHECK(reduced.alpha(omega, 1, a) == near(1 / 7.0593180702769, 1e-12));
  CHECK(reduced.alpha(omega, 1, a) * 10 / std::log(10.0) == near(0.6152074146252724, 1e-12));
  CHECK(full.alpha(omega, 1, a) * 10 / std::log(10.0) == near(0.6152093, 2e-7));
  CHECK(1 / full.alpha(omega, 1, a) == near(7.059297, 1e-6));
  CHECK(std::exp(-3 * reduced.alpha(omega, 1, a)) == near(0.653789, 2e-6));
  CHECK(reduced.alpha(omega, 1, a / 2) / reduced.alpha(omega, 1, a) == near(8, 1e-12));
  const CapillaryMode flat = mode("HE11", constant(1.45), Model::reduced);
  CHECK(flat.alpha(omega / 2, 1, a) / flat.alpha(omega, 1, a) == near(4, 1e-12));
}

TEST_CASE("losses of TE, TM and HE stand as their wall factors") {
  const double omega = omega_of(800 * nm), a = 125 * um, n = 1.45;
  const double te = mode("TE01").alpha(omega, 1, a), tm = mode("TM01").alpha(omega, 1, a),
               he = mode("HE21").alpha(omega, 1, a);
  CHECK(tm / te == near(n * n, 1e-5));
  CHECK(he / te == near((n * n + 1) / 2, 1e-5));
}

TEST_CASE("C37: dispersion of HE11 in argon, reduced model") {
  const CapillaryMode he11 = mode("HE11", constant(1.45), Model::reduced);
  const Beta beta = beta_of(he11, gas_density(Gas::argon, 2 * bar, 294), 50 * um);
  const std::array<double, 6> d = beta_derivatives(beta, omega_of(800 * nm));
  CHECK(d[0] == near(7857866.63899973, 1e-12));
  CHECK(d[1] == near(3.33744405855838e-9, 1e-12));
  CHECK(d[2] == near(-1.68187063e-29, 5e-8));
  CHECK(d[3] == near(8.44025458e-44, 2e-7));
  CHECK(d[4] == near(-1.13289639e-58, 2e-6));
  CHECK(d[5] == near(2.45046359e-73, 2e-5));
}

TEST_CASE("C37: dispersion of HE11 in argon, full model") {
  const CapillaryMode he11 = mode("HE11", constant(1.45));
  const double density = gas_density(Gas::argon, 2 * bar, 294), omega = omega_of(800 * nm), a = 50 * um;
  const Beta beta = beta_of(he11, density, a);
  const std::array<double, 6> d = beta_derivatives(beta, omega);
  CHECK(d[0] == near(7857865.68069111, 1e-12));
  CHECK(d[2] == near(-1.68088638e-29, 5e-8));
  const double eps = 1 + gas_polarisability(Gas::argon, GasFit::standard, omega) * density;
  CHECK(he11.alpha(omega, eps, a) == near(2.2150582601505, 1e-8));
}

TEST_CASE("C50: dispersion of a linear capillary") {
  const CapillaryMode he11 = mode("HE11", silica());
  const Beta beta = beta_of(he11, gas_density(Gas::argon, 0.08 * bar, 293.15), 125 * um);
  const double beta2 = beta_derivative(beta, omega_of(800 * nm), 2);
  CHECK(beta2 == near(-7.0527e-30, 2e-3));
  CHECK(3 * beta2 == near(-21.158e-30, 2e-3));
}

TEST_CASE("index and loss stay within their bounds") {
  const CapillaryMode he11 = mode("HE11");
  const double a = 5 * um, far = 2 * pi * c / (50 * um);
  CHECK(he11.n_eff(far, 1, a).real() >= 1e-3);
  CHECK(he11.alpha(far, 1, a) == 3000);
  CHECK(he11.beta(far, NAN, a) == near(far / c * 1e-3, 1e-12));
  CHECK(he11.alpha(far, NAN, a) == near(3000, 1e-12));
  CHECK(he11.alpha(omega_of(800 * nm), 1, 100 * um) > 0);
}
