#include "media/ionisation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <lumarch/error.hpp>

#include "media/constants.hpp"
#include "rates.hpp"

using namespace lumarch;
using constants::c;
using constants::eps0;
using constants::hartree;
using constants::pi;
using test::far;
using test::refusal;

namespace {

constexpr double He = 0.9036 * hartree, Ne = 0.7925 * hartree, Ar = 0.5792 * hartree, Kr = 0.5142 * hartree,
                 Xe = 0.4458 * hartree, nm = 1e-9;

AtomicShell helium() {
  AtomicShell shell{He};
  shell.polarisability = {1.3207 * constants::polarisability_au, 0.2811 * constants::polarisability_au};
  return shell;
}

AtomicShell argon() {
  AtomicShell shell{Ar, 1};
  shell.polarisability = {10.762 * constants::polarisability_au, 6.807 * constants::polarisability_au};
  return shell;
}

}  // namespace

// The cases' figures use the constants of 2014: 1e-8 in them is up to 1e-6 in the exponential.
TEST_CASE("C40: ADK rates") {
  CHECK(far(Adk(He).rate(1e10), 1.2416371e-18) < 2e-6);
  CHECK(far(Adk(He).rate(2e10), 1.0772391) < 1e-6);
  CHECK(far(Adk(He).rate(5e10), 4.88997e10) < 2e-6);
  CHECK(far(Adk(Ar).rate(7e9), 2.4422306e-8) < 2e-6);
  CHECK(far(Adk(Ar).rate(2e10), 1.70945e9) < 2e-6);
  CHECK(Adk(Ar).rate(-2e10) == Adk(Ar).rate(2e10));
  // with the constants of 2018, by the formula in 30 digits
  CHECK(far(Adk(He).rate(1e10), 1.24163634267e-18) < 1e-9);
  CHECK(far(Adk(Ar).rate(2e10), 1709449528.17) < 1e-9);
}

TEST_CASE("ADK is zero where it underflows, and at no field") {
  const Adk rate(He);
  CHECK(rate.rate(0) == 0);
  CHECK(rate.rate(1e8) == 0);
  CHECK(rate.rate(2.2e9) > 0);
  CHECK(rate.log_rate(1e8) < -8e3);
  CHECK(rate.log_rate(0) == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(rate.rate(std::nan(""))));
}

TEST_CASE("C40: barrier-suppression fields and their intensities") {
  struct Value {
    double potential, field, intensity;
  };
  for (const Value& v : {Value{He, 1.0496e11, 1.462e15},
                         {Ne, 8.074e10, 8.65e14},
                         {Ar, 4.3127e10, 2.47e14},
                         {Kr, 3.399e10, 1.53e14},
                         {Xe, 2.5549e10, 8.66e13}}) {
    const double field = barrier_suppression_field(v.potential, 1);
    CHECK(far(field, v.field) < 5e-5);
    CHECK(far(c * eps0 / 2 * field * field * 1e-4, v.intensity) < 3e-3);
    CHECK(Adk(v.potential).barrier_field() == field);
  }
  // Z^3/(16 n*^4), n* = Z/sqrt(2 I_p)
  const double n = 0.9 / std::sqrt(2 * 0.5726);
  CHECK(far(barrier_suppression_field(0.5726 * hartree, 0.9),
            0.9 * 0.9 * 0.9 / (16 * n * n * n * n) * 5.14220674763e11) < 1e-12);
}

TEST_CASE("C41: the cycle average of ADK is that of the numbers within 5 %") {
  // averages over the cycle by quadrature in 30 digits: 9.355089076e9 and 2.924357907e8 1/s
  CHECK(far(Adk(He, true).rate(5e10), 9.355089076e9) < 0.05);
  CHECK(far(Adk(Ar, true).rate(2e10), 2.924357907e8) < 0.05);
  for (const double field : {0.5e10, 1.5e10, 2.1e10}) {
    double mean = 0;
    constexpr int points = 2000;
    for (int i = 0; i < points; ++i) mean += Adk(Ar).rate(field * std::cos(pi * (i + 0.5) / points)) / points;
    CHECK(far(Adk(Ar, true).rate(field), mean) < 0.05);
  }
  CHECK(far(Adk(He, true).rate(5e10), 9559765381.0) < 1e-8);  // the formula itself, in 30 digits
}

TEST_CASE("C41: PPT of helium at 800 nm, with and without the Stark shift") {
  CHECK(far(Ppt(helium(), {.wavelength = 800 * nm, .stark_shift = true}).rate(1e10), 2 * 1.404321e-5) < 1e-6);
  CHECK(far(Ppt(helium(), {.wavelength = 800 * nm}).rate(1e10), 2 * 1.413018e-5) < 1e-6);
}

TEST_CASE("C41: Keldysh's parameter of argon at 800 nm and 1e18 W/m^2") {
  const double field = std::sqrt(2 * 1e18 / (c * eps0));
  CHECK(far(keldysh_parameter(2 * pi * c / (800 * nm), Ar, field), 1.14835) < 5e-6);
}

// Computed by the formulas of physics.md, 7, with mpmath: 30 digits, hyp1f1, photon numbers to 1e-13.
TEST_CASE("PPT of shells with l = 0, 1 and 2, charges, wavelengths and corrections against 30 digits") {
  using Sum = PptSettings::Sum;
  const AtomicShell neon{Ne, 1}, krypton{Kr, 1}, xenon{Xe, 1}, d_shell{Ar, 2};
  const AtomicShell nitrogen{0.5726 * hartree, 0, 0.9}, oxygen{0.443553 * hartree, 0, 0.53};
  struct Value {
    AtomicShell shell;
    PptSettings settings;
    double field, rate;
  };
  for (const Value& v :
       {Value{helium(), {.wavelength = 800 * nm}, 1.5e10, 1.254079491651},
        {argon(), {.wavelength = 800 * nm}, 1e10, 2146027.938498},
        {argon(), {.wavelength = 800 * nm, .stark_shift = true, .dipole_correction = true}, 1e10, 1595194.981606},
        {argon(), {.wavelength = 800 * nm, .stark_shift = true}, 3e10, 1.630747671654e13},
        {argon(), {.wavelength = 800 * nm}, 6e10, 7.299776810734e15},
        {argon(), {.wavelength = 800 * nm, .cycle_average = true}, 3e10, 4474571510487.0},
        {argon(), {.wavelength = 800 * nm, .sum = Sum::integral}, 3e10, 1.882150997933e13},
        {xenon, {.wavelength = 1030 * nm}, 2e10, 2.93537266431e13},
        {nitrogen, {.wavelength = 800 * nm}, 2e10, 17966318146.69},
        {oxygen, {.wavelength = 400 * nm}, 5e9, 366374017.5615},
        {d_shell, {.wavelength = 800 * nm}, 2e10, 162911929222.4},
        {krypton, {.wavelength = 3200 * nm}, 1.5e10, 2181948282.53},
        {neon, {.wavelength = 266 * nm}, 4e10, 1.698867245768e13}}) {
    CAPTURE(v.rate);
    CHECK(far(Ppt(v.shell, v.settings).rate(v.field), v.rate) < 1e-9);
    CHECK(Ppt(v.shell, v.settings).rate(-v.field) == Ppt(v.shell, v.settings).rate(v.field));
  }
  AtomicShell one = argon();
  one.occupancy = 1;
  CHECK(far(Ppt(one, {.wavelength = 800 * nm}).rate(1e10), 2146027.938498 / 2) < 1e-9);
  CHECK(Ppt(one, {.wavelength = 800 * nm}).rate(0) == 0);
}

TEST_CASE("PPT of long waves tunnels: where a channel's width is nothing, sum and integral agree") {
  const AtomicShell shell = helium();
  const PptSettings channels{.wavelength = 20e-6}, integral{.wavelength = 20e-6, .sum = PptSettings::Sum::integral};
  CHECK(far(Ppt(shell, channels).rate(4e10), Ppt(shell, integral).rate(4e10)) < 1e-3);
  // and the field alone then sets the rate
  CHECK(far(Ppt(shell, integral).rate(4e10),
            Ppt(shell, {.wavelength = 40e-6, .sum = PptSettings::Sum::integral}).rate(4e10)) < 2e-3);
}

TEST_CASE("what a rate cannot be made of is refused with its value and a remedy") {
  const PptSettings good{.wavelength = 800 * nm};
  CHECK(refusal([] { Adk(-1); }).find("ionisation potential is -1; give one above 0 J") != std::string::npos);
  CHECK(refusal([] { Adk(std::nan("")); }).find("ionisation potential") != std::string::npos);
  CHECK(refusal([] { return barrier_suppression_field(He, 0); }).find("effective charge is 0") != std::string::npos);
  CHECK(refusal([] { Ppt(helium(), {.wavelength = 0}); }).find("wavelength is 0") != std::string::npos);
  CHECK(refusal([&] { Ppt(AtomicShell{He, 4}, good); }).find("l is 4; give 0 (s)") != std::string::npos);
  CHECK(refusal([&] { Ppt(AtomicShell{He, -1}, good); }).find("l is -1") != std::string::npos);
  CHECK(refusal([&] { Ppt(AtomicShell{He, 0, -2}, good); }).find("charge is -2") != std::string::npos);
  CHECK(refusal([&] { Ppt(AtomicShell{He, 0, 1, 0}, good); }).find("electrons for each m is 0") != std::string::npos);
  for (const PptSettings& settings : {PptSettings{.wavelength = 800 * nm, .stark_shift = true},
                                      PptSettings{.wavelength = 800 * nm, .dipole_correction = true}})
    CHECK(refusal([&] {
            Ppt(AtomicShell{Kr, 1}, settings);
          }).find("not known here; switch both off") != std::string::npos);
  AtomicShell swapped = helium();
  std::swap(swapped.polarisability->neutral, swapped.polarisability->ion);
  CHECK(refusal([&] { Ppt(swapped, {.wavelength = 800 * nm, .stark_shift = true}); }).find("not below the ion's") !=
        std::string::npos);
}
