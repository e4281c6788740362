#include "media/step_index.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include <lumarch/error.hpp>

#include "media.hpp"
#include "media/constants.hpp"
#include "media/dispersion.hpp"
#include "media/glass.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

double n_eff(const char* name, double wavelength, double n1, double n2, double radius) {
  return step_index_n_eff(parse_mode(name), omega_of(wavelength), n1 * n1, n2 * n2, radius).value_or(0);
}

Permittivity constant(double n) {
  return [n](double) { return n * n; };
}

}  // namespace

TEST_CASE("step index: the four modes of a core of 2 um radius, 1.47 in 1.45, at 1 um") {
  CHECK(n_eff("HE11", 1 * um, 1.47, 1.45, 2 * um) == near(1.46313716086, 1e-11));
  CHECK(n_eff("TE01", 1 * um, 1.47, 1.45, 2 * um) == near(1.45382429725, 1e-11));
  CHECK(n_eff("TM01", 1 * um, 1.47, 1.45, 2 * um) == near(1.45376759244, 1e-11));
  CHECK(n_eff("HE21", 1 * um, 1.47, 1.45, 2 * um) == near(1.45373868072, 1e-11));
  for (const char* name : {"HE12", "TE02", "TM02", "EH11", "HE31", "HE22"}) {
    CAPTURE(std::string(name));
    CHECK(n_eff(name, 1 * um, 1.47, 1.45, 2 * um) == 0);
  }
}

TEST_CASE("step index: a mode is guided where V is above its cut-off") {
  // weak guidance: TE01, TM01, HE21 from V = 2.405, EH11, HE31, HE12 from 3.832
  const double n2 = 1.45, n1 = n2 + 1e-6, a = 1e-3, na = std::sqrt(n1 * n1 - n2 * n2);
  const auto guided = [&](const char* name, double V) { return n_eff(name, 2 * pi * a * na / V, n1, n2, a) != 0; };
  const struct {
    const char* mode;
    double cutoff;
  } modes[] = {{"TE01", 2.404826}, {"TM01", 2.404826}, {"HE21", 2.404826}, {"HE12", 3.831706},
               {"EH11", 3.831706}, {"HE31", 3.831706}, {"TE02", 5.520078}};
  for (const auto& m : modes) {
    CAPTURE(std::string(m.mode));
    CHECK_FALSE(guided(m.mode, m.cutoff - 0.03));
    CHECK(guided(m.mode, m.cutoff + 0.03));
  }
  CHECK(guided("HE11", 1));
  // V = 2.4: b = (W/V)^2 = 0.5302 (Gloge 1971 gives (1.1428 - 0.996/V)^2 = 0.530)
  const double b = (std::pow(n_eff("HE11", 2 * pi * a * na / 2.4, n1, n2, a), 2) - n2 * n2) / (na * na);
  CHECK(b == near(std::pow(1.1428 - 0.996 / 2.4, 2), 2e-3));
}

TEST_CASE("step index: all modes of a strong guide, glass of 1.5 in air") {
  // scipy: roots of the equation before it is split into HE and EH, radius 1 um, wavelength 1 um
  const struct {
    const char* mode;
    double index;  // 0: not guided
  } published[] = {{"HE11", 1.459064612456},
                   {"EH11", 1.315447641699},
                   {"HE12", 1.272096088136},
                   {"EH12", 1.000709861156},
                   {"HE21", 1.393455027427},
                   {"EH21", 1.208822780066},
                   {"HE22", 1.124040144656},
                   {"HE31", 1.302101882237},
                   {"EH31", 1.078780463831},
                   {"TE01", 1.402786146717},
                   {"TE02", 1.157165018137},
                   {"TM01", 1.388494786093},
                   {"TM02", 1.120749305834},
                   {"HE13", 0},
                   {"HE23", 0},
                   {"HE32", 0},
                   {"TE03", 0},
                   {"EH13", 0}};
  for (const auto& p : published) {
    CAPTURE(std::string(p.mode));
    CHECK(n_eff(p.mode, 1 * um, 1.5, 1, 1 * um) == near(p.index, 1e-11));
  }
}

TEST_CASE("step index: as a guide, with a shape that is normalised") {
  const double omega = omega_of(1 * um), a = 2 * um;
  const StepIndexMode he11(parse_mode("HE11x"), constant(1.45), omega, 1.47 * 1.47, a);
  CHECK(he11.n_eff(omega, 1.47 * 1.47, a).real() == near(1.46313716086, 1e-11));
  CHECK(he11.alpha(omega, 1.47 * 1.47, a) == 0);
  const StepIndexMode te(parse_mode("TE01"), constant(1.45), omega, 1.47 * 1.47, a);
  CHECK(te.alpha(omega / 2, 1.47 * 1.47, a) == 3000);  // below its cut-off
  CHECK(te.n_eff(omega / 2, 1.47 * 1.47, a).real() == 1.45);
  for (const StepIndexMode* mode : {&he11, &te}) {
    const Nodes nodes = mode->nodes();
    double sum = 0;
    for (std::size_t i = 0; i < nodes.theta.size(); ++i) {
      const auto e = mode->shape(nodes.r_over_a[i], nodes.theta[i]);
      sum += nodes.weight_over_a2[i] * (e[0] * e[0] + e[1] * e[1]);
    }
    CHECK(sum * constants::eps0 * c / 2 == near(1, 1e-11));
  }
  const double edge = 1 / he11.extent();
  CHECK(he11.shape(edge * (1 - 1e-12), 0)[0] == near(he11.shape(edge * (1 + 1e-12), 0)[0], 1e-9));
  CHECK(he11.shape(0.999, 0)[0] < 1e-7 * he11.shape(edge, 0)[0]);
  CHECK_THROWS_WITH_AS(StepIndexMode(parse_mode("HE12"), constant(1.45), omega, 1.47 * 1.47, a),
                       doctest::Contains("HE12 is not guided"), Error);
}

TEST_CASE("step index: the effective area of a weak guide is Marcuse's") {
  // w/a = 0.65 + 1.619 V^-1.5 + 2.879 V^-6 (D. Marcuse, Bell Syst. Tech. J. 56, 703 (1977)), within 1 % for V
  // about 2.4; the area of the Gaussian that couples best is pi w^2 within 5 %
  const double n2 = 1.45, n1 = 1.4545, na = std::sqrt(n1 * n1 - n2 * n2), V = 2.2, a = 4 * um;
  const StepIndexMode mode(parse_mode("HE11"), constant(n2), omega_of(2 * pi * a * na / V), n1 * n1, a);
  const double w = a * (0.65 + 1.619 * std::pow(V, -1.5) + 2.879 * std::pow(V, -6));
  CHECK(effective_area(mode, a) == near(pi * w * w, 0.05));
}

TEST_CASE("step index: far above its cut-off a fibre of silica has the dispersion of silica, and its index is smooth") {
  const Beta fibre = [](double omega) {
    const double clad = wall_index(Glass::fused_silica, omega), core = clad * 1.01;
    return omega / c * step_index_n_eff(parse_mode("HE11"), omega, core * core, clad * clad, 20 * um).value();
  };
  const Beta glass = [](double omega) { return omega / c * 1.01 * glass_index(Glass::fused_silica, omega); };
  const double omega = omega_of(600 * nm);
  CHECK(beta_derivative(fibre, omega, 2) == near(beta_derivative(glass, omega, 2), 5e-3));
  CHECK(group_index(fibre, omega) == near(group_index(glass, omega), 1e-4));
}
