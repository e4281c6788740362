#include "media/design.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include <lumarch/error.hpp>

#include "media.hpp"
#include "media/capillary.hpp"
#include "media/gas.hpp"
#include "media/glass.hpp"
#include "media/pressure.hpp"

using namespace lumarch;
using namespace lumarch::test;
using Model = CapillaryMode::Model;

namespace {

CapillaryMode he11(Model model = Model::full, double wall = 0) {
  return CapillaryMode(
      parse_mode("HE11"),
      [wall](double omega) { return std::pow(wall > 0 ? wall : wall_index(Glass::fused_silica, omega), 2); }, model);
}

Beta filled(Gas gas, GasFit fit, double density, double radius, Model model = Model::full, double wall = 0) {
  return [=, mode = he11(model, wall)](double omega) {
    return mode.beta(omega, 1 + gas_polarisability(gas, fit, omega) * density, radius);
  };
}

}  // namespace

TEST_CASE("C39: pressure along a gradient and between several points") {
  const PressureProfile gradient({0, 2}, {1 * bar, 5 * bar});
  CHECK(gradient.at(0) == 1 * bar);
  CHECK(gradient.at(2) == 5 * bar);
  CHECK(gradient.at(0.7) == near(std::sqrt(1 + 0.35 * 24) * bar, 1e-15));
  CHECK(gradient.at(-1) == 1 * bar);
  CHECK(gradient.at(9) == 5 * bar);
  const PressureProfile points({0, 0.25, 0.5, 1}, {0, 1 * bar, 0.5 * bar, 0});
  const struct {
    double z, p;
  } expected[] = {{0, 0}, {0.0625, 0.5}, {0.25, 1}, {0.375, std::sqrt(0.625)}, {0.5, 0.5}, {0.875, 0.25}, {1, 0}};
  for (const auto& e : expected) {
    CHECK(points.at(e.z) == near(e.p * bar, 1e-15));
    CHECK(gas_density(Gas::argon, points.at(e.z), 293.15) == near(gas_density(Gas::argon, e.p * bar, 293.15), 1e-10));
  }
  const PressureProfile same({0, 1}, {0.3 * bar, 0.3 * bar});
  CHECK(same.at(0.37) == PressureProfile(0.3 * bar).at(0.37));
  CHECK(same.constant());
  CHECK_FALSE(points.constant());
  CHECK_THROWS_WITH_AS(PressureProfile({0, 1, 1}, {1, 1, 1}), doctest::Contains("do not rise"), Error);
  CHECK_THROWS_WITH_AS(PressureProfile({0, 1}, {1, -1}), doctest::Contains("0 or more"), Error);
  CHECK_THROWS_WITH_AS(PressureProfile({0, 1}, {1}), doctest::Contains("2 positions"), Error);
}

TEST_CASE("C31, C37: zero-dispersion wavelengths") {
  const Beta silica = [](double omega) { return omega / c * glass_index(Glass::fused_silica, omega); };
  const std::vector<double> glass = zero_dispersion_wavelengths(silica, {400 * nm, 2000 * nm});
  REQUIRE(glass.size() == 1);
  CHECK(glass[0] == near(1.272754 * um, 4e-7));

  const double ar = gas_density(Gas::argon, 2 * bar, 294);
  const std::vector<double> reduced = zero_dispersion_wavelengths(
      filled(Gas::argon, GasFit::standard, ar, 50 * um, Model::reduced, 1.45), {400 * nm, 1500 * nm});
  REQUIRE(reduced.size() == 1);
  CHECK(reduced[0] == near(728.9431 * nm, 1e-7));
  const std::vector<double> full = zero_dispersion_wavelengths(
      filled(Gas::argon, GasFit::standard, ar, 50 * um, Model::full, 1.45), {400 * nm, 1500 * nm});
  REQUIRE(full.size() == 1);
  CHECK(full[0] == near(728.9459 * nm, 1e-7));
  // both of an ideal gas at 293.15 K: the density is the reference density times the ratio of states
  const double ideal = gas_density(Gas::helium, bar, 273.15) * 273.15 / 293.15;
  const std::vector<double> he_thin =
      zero_dispersion_wavelengths(filled(Gas::helium, GasFit::standard, 0.4 * ideal, 125 * um), {250 * nm, 800 * nm});
  REQUIRE(he_thin.size() == 1);
  CHECK(he_thin[0] == near(379.67 * nm, 6e-4));
  const std::vector<double> he_dense =
      zero_dispersion_wavelengths(filled(Gas::helium, GasFit::standard, 5.9 * ideal, 75 * um), {250 * nm, 800 * nm});
  REQUIRE(he_dense.size() == 1);
  CHECK(he_dense[0] == near(562.37 * nm, 2e-5));
}

TEST_CASE("C52: resonant dispersive waves in helium") {
  const double rho = gas_density(Gas::helium, 1 * bar, 293.15);
  const std::vector<double> ermolov =
      phase_matched_wavelengths(filled(Gas::helium, GasFit::ermolov, rho, 125 * um), 800 * nm, {120 * nm, 700 * nm});
  REQUIRE(ermolov.size() == 1);
  CHECK(ermolov[0] == near(188.42 * nm, 3e-5));
  const std::vector<double> standard =
      phase_matched_wavelengths(filled(Gas::helium, GasFit::standard, rho, 125 * um), 800 * nm, {120 * nm, 700 * nm});
  REQUIRE(standard.size() == 1);
  CHECK(standard[0] == near(207.7 * nm, 3e-4));
  CHECK(phase_mismatch(filled(Gas::helium, GasFit::ermolov, rho, 125 * um), omega_of(800 * nm), omega_of(800 * nm)) ==
        0);
}

TEST_CASE("what does not bend has no zero of dispersion and no phase-matched wave: its derivatives are rounding") {
  for (const double index : {1.0, 1.45}) {
    const Beta beta = [index](double omega) { return index * omega / 299792458.0; };
    CHECK(zero_dispersion_wavelengths(beta, {400 * nm, 2000 * nm}).empty());
    CHECK(phase_matched_wavelengths(beta, 800 * nm, {400 * nm, 2000 * nm}).empty());
  }
}

TEST_CASE("a dispersive wave near the pump is found where theory has it: at -3 beta2/beta3") {
  const double w0 = omega_of(800 * nm), b2 = 1e-28, b3 = 6e-41, b4 = 0;
  const Beta beta = [=](double omega) {
    const double x = omega - w0;
    return 1e7 + 5e-9 * x + x * x * (b2 / 2 + x * (b3 / 6 + x * b4 / 24));
  };
  const std::vector<double> found = phase_matched_wavelengths(beta, 800 * nm, {700 * nm, 900 * nm});
  REQUIRE(found.size() == 1);
  CHECK(found[0] == near(2 * pi * c / (w0 - 3 * b2 / b3), 1e-7));
}

TEST_CASE("C26: critical powers") {
  const double silica = glass_index(Glass::fused_silica, omega_of(800 * nm));
  CHECK(critical_power_gaussian(800 * nm, silica, 2.7e-20) == near(2.4466e6, 3e-5));
  CHECK(critical_power(800 * nm, silica, 2.7e-20) == near(2.4170e6, 3e-5));
  CHECK(critical_power_gaussian(800 * nm, 1, 3.2e-23) == near(2.9993e9, 4e-4));
  CHECK(critical_power(800 * nm, 1, 3.2e-23) == near(2.9631e9, 4e-4));
  CHECK(critical_power_gaussian(800 * nm, 1, 8.3708e-24) == near(11.466e9, 4e-4));
  CHECK(critical_power(800 * nm, 1, 8.3708e-24) == near(11.327e9, 4e-4));
}

TEST_CASE("C51: soliton order and fission length of a capillary with helium") {
  const double rho = gas_density(Gas::helium, 0.4 * bar, 293.15), omega = omega_of(800 * nm), a = 125 * um;
  const Beta beta = filled(Gas::helium, GasFit::standard, rho, a, Model::reduced);
  const double n0 = std::sqrt(1 + gas_polarisability(Gas::helium, GasFit::standard, omega) * rho);
  const double n2 = n2_of_chi3(rho * gas_gamma3(Gas::helium), n0);
  const double t0 = 10e-15 / (2 * std::log(1 + std::sqrt(2.0))), power = std::log(1 + std::sqrt(2.0)) * 300e-6 / 10e-15;
  const double gamma = nonlinear_parameter(n2, omega, effective_area(he11(), a));
  const SolitonNumbers s = soliton_numbers(t0, beta_derivative(beta, omega, 2), gamma, power);
  CHECK(s.order == near(2.239, 1e-3));
  CHECK(s.fission_length == near(1.768, 1e-3));
  CHECK(power / critical_power(800 * nm, n0, n2) == near(0.0398, 5e-3));
  CHECK(s.dispersion_length / s.order == s.fission_length);
  CHECK(s.nonlinear_length == near(1 / (gamma * power), 1e-12));
  // C11: fundamental soliton
  const SolitonNumbers one = soliton_numbers(56.7296e-15, -0.02e-24, 1, 6.214555);
  CHECK(one.dispersion_length == near(0.1609126, 1e-5));
  CHECK(one.order == near(1, 1e-6));
}

TEST_CASE("pins: the pressure that gives a zero of dispersion or a dispersive wave") {
  const GuideAt argon = [](double p) {
    return filled(Gas::argon, GasFit::standard, gas_density(Gas::argon, p, 294), 50 * um, Model::reduced, 1.45);
  };
  CHECK(value_of_zero_dispersion(argon, 728.9431 * nm, 0.01 * bar, 30 * bar).value() == near(2 * bar, 1e-6));
  CHECK_FALSE(value_of_zero_dispersion(argon, 728.9431 * nm, 3 * bar, 30 * bar));
  const GuideAt helium = [](double p) {
    return filled(Gas::helium, GasFit::ermolov, gas_density(Gas::helium, p, 293.15), 125 * um);
  };
  CHECK(value_of_phase_matching(helium, 800 * nm, 188.42 * nm, 0.1 * bar, 10 * bar).value() == near(1 * bar, 2e-4));
}

TEST_CASE("pins: the smallest root, past values that are no number; a soliton's order where beta2 changes sign") {
  const auto f = [](double x) { return x < 2 ? NAN : (x - 3) * (x - 7); };
  CHECK(smallest_root(f, 0.1, 100).value() == near(3, 1e-13));
  CHECK(smallest_root(f, 4, 100).value() == near(7, 1e-13));
  CHECK_FALSE(smallest_root(f, 8, 100));
  // beta2 = -(1 - x): N^2 = 6 x/(1 - x) = 9 at x = 0.6
  const GuideAt guide = [](double x) -> Beta { return [x](double w) { return (x - 1) * (w - 1) * (w - 1) / 2; }; };
  const auto strength = [](double x) { return 6 * x; };
  CHECK(value_of_soliton_order(guide, strength, 1, 3, 0.01, 10).value() == near(0.6, 1e-6));
  CHECK_FALSE(value_of_soliton_order(guide, strength, 1, 3, 1, 10));
}

TEST_CASE("derivatives of a polynomial are exact, and what is not smooth is refused") {
  const double w0 = 2e15;
  const Beta beta = [=](double w) {
    const double x = (w - w0) * 1e-15;
    return 5e6 + x * (4e6 + x * (3e4 + x * (-2e3 + x * (10 + x * 7))));
  };
  const std::array<double, 6> d = beta_derivatives(beta, w0);
  const double expected[6] = {5e6, 4e6, 2 * 3e4, -6 * 2e3, 24 * 10, 120 * 7};
  for (std::size_t k = 0; k < 6; ++k) CHECK(d[k] == near(expected[k] * std::pow(1e-15, k), k < 4 ? 1e-9 : 1e-5));
  CHECK(group_index(beta, w0) == near(c * 4e-9, 1e-12));
  // exp has itself as derivative, with narrow structure: the width shrinks by itself
  const Beta steep = [=](double w) { return std::exp((w - w0) * 3e-14); };
  const std::array<double, 6> e = beta_derivatives(steep, w0);
  for (std::size_t k = 0; k < 6; ++k) CHECK(e[k] == near(std::pow(3e-14, k), 1e-7));
  CHECK_THROWS_WITH_AS((void)beta_derivatives([=](double w) { return w < w0 ? 1.0 : 2.0; }, w0),
                       doctest::Contains("not smooth"), Error);
  CHECK_THROWS_AS((void)beta_derivatives([](double) { return NAN; }, w0), Error);
}
