#include "media/glass.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "media.hpp"
#include "media/constants.hpp"
#include "media/dispersion.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

double index(Glass glass, double wavelength) { return glass_index(glass, omega_of(wavelength)); }

Beta beta_of(Glass glass) {
  return [glass](double omega) { return omega / c * glass_index(glass, omega); };
}

}  // namespace

TEST_CASE("C31: fused silica and BK7") {
  const Glass silica = Glass::fused_silica;
  CHECK(index(silica, 400 * nm) == near(1.4701161185594052, 1e-14));
  CHECK(index(silica, 800 * nm) == near(1.4533172548587419, 1e-14));
  CHECK(index(silica, 1030 * nm) == near(1.4500438058602, 1e-13));
  CHECK(index(silica, 1550 * nm) == near(1.4440236217033, 1e-13));
  const Beta beta = beta_of(silica);
  CHECK(group_index(beta, omega_of(800 * nm)) == near(1.467144755, 1e-9));
  CHECK(beta_derivative(beta, omega_of(800 * nm), 2) == near(3.6161998e-26, 2e-8));
  CHECK(beta_derivative(beta, omega_of(800 * nm), 3) == near(2.7497262e-41, 2e-7));
  CHECK(beta_derivative(beta, omega_of(800 * nm), 4) == near(-1.143462e-56, 1e-6));
  CHECK(beta_derivative(beta, omega_of(400 * nm), 2) == near(9.7565561e-26, 2e-8));
  CHECK(beta_derivative(beta, omega_of(1030 * nm), 2) == near(1.8972578e-26, 2e-8));
  CHECK(beta_derivative(beta, omega_of(1550 * nm), 2) == near(-2.7947366e-26, 2e-8));
  CHECK(beta_derivative(beta, omega_of(1.272754 * um), 2) == doctest::Approx(0).scale(1).epsilon(1e-31));
  CHECK(beta_derivative(beta_of(Glass::bk7), omega_of(400 * nm), 2) == near(122.036e-27, 5e-6));
}

TEST_CASE("C31: every other glass has an index measured elsewhere") {
  const struct {
    Glass glass;
    double wavelength, index, tolerance;
  } published[] = {{Glass::bk7, 587.56 * nm, 1.51680, 1e-5},  // n_d of the data sheets
                   {Glass::sf10, 587.56 * nm, 1.72828, 1e-5},
                   {Glass::sf11, 587.56 * nm, 1.78472, 1e-5},
                   {Glass::caf2, 587.56 * nm, 1.43388, 5e-5},   // Malitson 1963
                   {Glass::caf2, 193.4 * nm, 1.5015, 2e-4},     // lithography at 193 nm
                   {Glass::baf2, 587.56 * nm, 1.47443, 2e-4},   // Malitson 1964
                   {Glass::kbr, 589.3 * nm, 1.5598, 2e-4},      // Stephens et al. 1953
                   {Glass::silicon, 10 * um, 3.4179, 2e-4},     // as Salzberg and Villa measured it
                   {Glass::mgf2_o, 589.3 * nm, 1.37774, 3e-5},  // Duncanson and Stevenson 1958
                   {Glass::mgf2_e, 589.3 * nm, 1.38955, 3e-5},
                   {Glass::sapphire_o, 589.3 * nm, 1.7681, 1e-4},  // International Critical Tables
                   {Glass::sapphire_e, 589.3 * nm, 1.7600, 1e-4},
                   {Glass::calcite_o, 589.3 * nm, 1.65835, 2e-4},
                   {Glass::calcite_e, 589.3 * nm, 1.48640, 2e-4},
                   {Glass::bbo_o, 1064 * nm, 1.6551, 6e-4},  // Kato 1986
                   {Glass::bbo_e, 1064 * nm, 1.5426, 6e-4},
                   {Glass::lbo_x, 1064 * nm, 1.5656, 5e-4},  // Castech
                   {Glass::lbo_y, 1064 * nm, 1.5905, 5e-4},
                   {Glass::lbo_z, 1064 * nm, 1.6055, 5e-4},
                   {Glass::lithium_niobate_o, 632.8 * nm, 2.2866, 1e-3},  // Boyd, Bond and Carter 1967
                   {Glass::lithium_niobate_e, 632.8 * nm, 2.2028, 1e-3},
                   {Glass::kdp_o, 632.8 * nm, 1.5074, 3e-4},
                   {Glass::kdp_e, 632.8 * nm, 1.4669, 3e-4},
                   {Glass::adp_o, 632.8 * nm, 1.5220, 3e-4},
                   {Glass::adp_e, 632.8 * nm, 1.4773, 3e-4}};
  for (const auto& p : published) {
    CAPTURE(name(p.glass));
    CHECK(index(p.glass, p.wavelength) == near(p.index, p.tolerance));
    CHECK(glass_range(p.glass).contains(p.wavelength));
  }
}

TEST_CASE("walls keep the index of the nearer end of the range") {
  const Glass silica = Glass::fused_silica;
  CHECK(wall_index(silica, omega_of(800 * nm)) == index(silica, 800 * nm));
  CHECK(wall_index(silica, omega_of(100 * nm)) == near(index(silica, 210 * nm), 1e-14));
  CHECK(wall_index(silica, omega_of(30 * um)) == near(index(silica, 3.71 * um), 1e-14));
  CHECK(std::isnan(index(silica, 9.5 * um)));  // just below the resonance at 9.9 um
}

TEST_CASE("C33: nonlinear indices of glasses, and names") {
  CHECK(*glass_n2(Glass::fused_silica) == 2.7e-20);
  CHECK(*glass_n2(Glass::mgf2_o) == 5.79e-21);
  CHECK(*glass_n2(Glass::calcite_e) == 3.22e-20);
  CHECK_FALSE(glass_n2(Glass::silicon).has_value());
  for (std::size_t i = 0; i < glass_names.size(); ++i) {
    CHECK(find_glass(glass_names[i]) == static_cast<Glass>(i));
    CHECK(std::isfinite(index(static_cast<Glass>(i), glass_range(static_cast<Glass>(i)).shortest)));
    CHECK(std::isfinite(index(static_cast<Glass>(i), glass_range(static_cast<Glass>(i)).longest)));
  }
  CHECK(name(Glass::adp_e) == "adp-e");
  CHECK(name(Glass::bbo_o) == "bbo-o");
  CHECK(name(Glass::lithium_niobate_e) == "lithium-niobate-e");
}
