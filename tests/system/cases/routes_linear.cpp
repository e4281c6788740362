// Linear propagation on every route: cases C21, C36, C50, and the exact field (physics.md, 3 and 5).
#include <doctest/doctest.h>

#include "routes.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

// w(z) of a Gaussian beam, and what beam_radius is of it.
double spot(double waist, double wavelength, double z) {
  const double zr = pi * waist * waist / wavelength;
  return waist * std::hypot(1, z / zr);
}

Problem long_pulse(Route route, double length) {
  // a picosecond of light: its own bandwidth changes a beam's size by less than the test looks at
  Problem p = uppe(route, solid(1, 0), 800 * nm, 8 * ps, length);
  p.time.points = 64;
  p.launch = {beam_pulse(2 * ps, 1e-12, 40 * um)};
  p.statistics = {ask(Quantity::beam_radius), ask(Quantity::energy), ask(Quantity::on_axis_fluence),
                  ask(Quantity::photon_number)};
  return p;
}

}  // namespace

TEST_CASE("C21: a Gaussian beam widens as it should, on the radial, line and Cartesian routes") {
  const double length = 20 * mm, expected = spot(40 * um, 800 * nm, length);
  CHECK(pi * 40 * um * 40 * um / (800 * nm) == near(6.283185 * mm, 1e-6));
  SUBCASE("radial") {
    Problem p = long_pulse(Route::radial, length);
    p.uppe->geometry.radius = 1 * mm;
    p.uppe->geometry.points = 128;
    const Marched s = march(p);
    // beyond the paraxial: (w0 k)^-2 of the width, some 1e-5
    CHECK(stat(s, 1, 0) == near(expected, 1e-4));
    CHECK(stat(s, 0, 0) == near(40 * um, 1e-6));
    CHECK(stat(s, 1, 1) == near(1e-12, 1e-9));
    CHECK(stat(s, 0, 2) == near(2e-12 / (pi * 40 * um * 40 * um), 1e-4));  // C23: 2 E/(pi w^2)
    CHECK(stat(s, 1, 2) == near(2e-12 / (pi * expected * expected), 1e-3));
  }
  SUBCASE("line") {
    Problem p = long_pulse(Route::line, length);
    p.uppe->geometry.half_width = 1 * mm;
    p.uppe->geometry.points = 256;
    const Marched s = march(p);
    CHECK(stat(s, 1, 0) == near(expected, 1e-4));
    CHECK(stat(s, 1, 1) == near(1e-12, 1e-9));
  }
  SUBCASE("Cartesian, displaced and tilted") {
    Problem p = long_pulse(Route::cartesian, length);
    p.uppe->geometry.half_width = 0.8 * mm;
    p.uppe->geometry.half_height = 0.7 * mm;
    p.uppe->geometry.points = 120;
    p.uppe->geometry.points_y = 105;
    p.launch[0].beam->x = 50 * um;
    p.launch[0].beam->y = -70 * um;
    p.launch[0].beam->tilt_x = 4e-3;
    const Marched s = march(p);
    CHECK(stat(s, 1, 0) == near(expected, 2e-4));
    CHECK(s.planes[1].statistics[0][1] == near(expected, 2e-4));
    CHECK(stat(s, 1, 1) == near(1e-12, 1e-9));
    // the centroid of the fluence: where the beam went
    for (const std::size_t plane : {0u, 1u}) {
      double all = 0, x = 0, y = 0;
      const NodeAxes& nodes = s.run.nodes;
      for (std::size_t j = 0; j < nodes.y.size(); ++j)
        for (std::size_t i = 0; i < nodes.x.size(); ++i) {
          const double f = s.planes[plane].fluence[j * nodes.x.size() + i];
          all += f, x += f * nodes.x[i], y += f * nodes.y[j];
        }
      CHECK(x / all == near(50 * um + (plane ? length * 4e-3 : 0), 1e-3));
      CHECK(y / all == near(-70 * um, 1e-3));
    }
  }
  SUBCASE("radial, towards its focus and by a lens") {
    for (const bool lens : {false, true}) {
      Problem p = long_pulse(Route::radial, length);
      p.uppe->geometry.radius = 3 * mm;
      p.uppe->geometry.points = lens ? 512 : 256;  // k reaches to three times k w/f
      const double w = 300 * um;
      p.launch[0].beam->waist = lens ? w : 40 * um;
      if (lens)
        p.launch[0].beam->lens = length;
      else
        p.launch[0].beam->focus = length;
      const Marched s = march(p);
      // behind a lens the field in the focal plane is the far field: w_f = lambda f/(pi w)
      const double focus = lens ? 800 * nm * length / (pi * w) : 40 * um;
      CHECK(stat(s, 1, 0) == near(focus, 1e-3));
      CHECK(stat(s, 0, 0) == near(lens ? w : expected, 1e-3));
    }
  }
}

TEST_CASE("C36: HE11 loses what Marcatili and Schmeltzer say") {
  Problem p = uppe(Route::mode_averaged, capillary(Gas::argon, 0, 125 * um), 800 * nm, 400 * fs, 3);
  p.time.band = Band{400 * nm, 2000 * nm};
  p.uppe->field = FieldKind::real;
  std::get<Capillary>(p.uppe->medium).reduced = true;
  std::get<Capillary>(p.uppe->medium).wall = Material{std::nullopt, 1.4533172548587419};
  p.launch = {beam_pulse(80 * fs, 1e-6, 80 * um)};
  p.launch[0].beam.reset();
  p.statistics = {ask(Quantity::energy)};
  const Marched s = march(p);
  CHECK(stat(s, 1, 0) / stat(s, 0, 0) == near(0.653789, 3e-4));  // of one wavelength there
}

TEST_CASE("C50: a 10 fs pulse in 3 m of argon-filled capillary") {
  for (const FieldKind field : {FieldKind::envelope, FieldKind::real}) {
    Problem p = uppe(Route::mode_averaged, capillary(Gas::argon, 0.08 * bar, 125 * um), 800 * nm, 600 * fs, 3);
    p.time.band = Band{220 * nm, 3000 * nm};
    p.uppe->field = field;
    p.launch = {beam_pulse(10 * fs, 60e-6, 80 * um)};
    p.launch[0].beam.reset();
    p.statistics = {ask(Quantity::energy), ask(Quantity::fwhm_time)};
    const Marched s = march(p);
    CHECK(stat(s, 1, 0) / stat(s, 0, 0) == near(0.65379, 0.01));
    CHECK(stat(s, 1, 1) == near(11.594 * fs, 0.01));
    CHECK(stat(s, 0, 0) == near(60e-6, 1e-6));
  }
}

TEST_CASE("a line's field is the launch times exp(i beta_z z), to rounding") {
  Problem p = uppe(Route::line, FreeGas{gas(Gas::argon, 1 * bar)}, 800 * nm, 600 * fs, 5 * mm);
  p.time.points = 256;
  p.uppe->geometry.half_width = 0.5 * mm;
  p.uppe->geometry.points = 64;
  p.launch = {beam_pulse(30 * fs, 1e-9, 60 * um)};
  p.planes = {0, 2 * mm, 5 * mm};
  const Marched s = march(p);
  const auto n = s.run.omega.size();
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < s.run.nodes.kx.size(); ++i)
    for (std::size_t k = 0; k < n; ++k) {
      const auto a = s.planes[0].field[i * n + k], b = s.planes[2].field[i * n + k];
      largest = std::max(largest, std::abs(a));
      worst = std::max(worst, std::abs(std::abs(a) - std::abs(b)));
    }
  CHECK(worst < 1e-12 * largest);
  // between two nodes of k at one frequency the phase advances by the difference of their beta_z
  const std::size_t k = n / 2, i = s.run.nodes.kx.size() / 2;
  const double omega = s.run.omega[k], kx = s.run.nodes.kx[i + 2];
  const double whole = omega / c * 1.0002573;  // n of argon, 1 bar, 20 C, about
  const double expected = (std::sqrt(whole * whole - kx * kx) - whole) * 5 * mm;
  const auto turn = [&](std::size_t node) {
    return std::arg(s.planes[2].field[node * n + k] / s.planes[0].field[node * n + k]);
  };
  CHECK(std::remainder(turn(i + 2) - turn(i) - expected, 2 * pi) == doctest::Approx(0).epsilon(1e-6));
}

TEST_CASE("zdw is silica's own, follows a gradient, and is NaN where there is none") {
  // Malitson's silica has its zero at 1.2727 um
  Solid silica;
  silica.material.glass = Glass::fused_silica;
  Problem p = uppe(Route::radial, silica, 1300 * nm, 100 * fs, 1 * mm);
  p.time.band = Band{1000 * nm, 1600 * nm};
  p.uppe->geometry.radius = 200 * um;
  p.uppe->geometry.points = 16;
  p.launch = {beam_pulse(30 * fs, 1e-12, 50 * um)};
  p.statistics = {ask(Quantity::zdw)};
  CHECK(stat(march(p), 1, 0) == near(1272.7 * nm, 1e-4));

  // of gas and guide, beta2 = p b - g: no zero in vacuum, and along a gradient that of each place's own pressure
  Problem guide = uppe(Route::mode_averaged, capillary(Gas::argon, 0.08 * bar, 125 * um), 800 * nm, 100 * fs, 10 * mm);
  guide.time.band = Band{400 * nm, 1500 * nm};
  guide.launch = {beam_pulse(10 * fs, 1e-12, 50 * um)};
  guide.launch[0].beam.reset();
  guide.statistics = {ask(Quantity::zdw)};
  const double there = stat(march(guide), 1, 0);
  CHECK(there > 450 * nm);
  CHECK(there < 600 * nm);
  GasFill& fill = std::get<Capillary>(guide.uppe->medium).gas;
  fill.pressure = {{0, 10 * mm}, {0, 0.08 * bar}};
  const Marched gradient = march(guide);
  CHECK(std::isnan(stat(gradient, 0, 0)));
  CHECK(stat(gradient, 1, 0) == near(there, 1e-9));
}

TEST_CASE("a beam that the nodes across do not resolve is warned of, with the share that they hold") {
  const double waist = 10 * um, half = 200 * um;
  Problem p = uppe(Route::line, solid(1, 0), 800 * nm, 200 * fs, 1 * mm);
  p.time.points = 64;
  p.uppe->geometry.half_width = half;
  p.uppe->geometry.points = 23;  // an odd number: the angles end half a step beyond its last node, on either side
  p.launch = {beam_pulse(30 * fs, 1e-12, waist)};
  p.statistics = {ask(Quantity::energy)};
  const auto said = [&] {
    for (const std::string& warning : march(p).summary.warnings)
      if (const auto at = warning.find("across hold "); at != std::string::npos)
        return std::stod(warning.substr(at + std::string("across hold ").size()));
    return 1.0;
  };
  // of the angles' power, exp(-k^2 w^2/2), what lies below pi/dx
  CHECK(said() == near(std::erf(pi * 23 / (2 * half) * waist / std::sqrt(2.0)), 0.01));
  CHECK(describe(p).find("across hold ") != std::string::npos);
  p.uppe->geometry.points = 128;
  CHECK(said() == 1);
  CHECK(describe(p).find("across hold ") == std::string::npos);
  p.uppe->geometry.points = 2;
  p.launch[0].energy = 1e300;  // its square root still is a number, its sum over the samples none
  CHECK_THROWS_AS(march(p), Error);
}

TEST_CASE("check says the intensity of a beam with two waists, of one that converges, and of a line") {
  const auto intensity = [](const Problem& p) {
    const std::string text = describe(p), words = "peak intensity";
    return std::stod(text.substr(text.find(words) + words.size()));
  };
  Problem p = uppe(Route::cartesian, solid(1.5, 0), 800 * nm, 200 * fs, 0.1 * mm);
  p.time.points = 64;
  Geometry& geometry = p.uppe->geometry;
  geometry.half_width = geometry.half_height = 500 * um;
  geometry.points = geometry.points_y = 64;
  p.launch = {beam_pulse(30 * fs, 0, 100 * um)};
  p.launch[0].energy.reset();
  p.launch[0].peak_power = 1000;
  p.launch[0].beam->waist_y = 50 * um;
  CHECK(intensity(p) == near(2000 / (pi * 100 * um * 50 * um), 1e-3));
  p.launch[0].beam->waist_y.reset();
  p.launch[0].beam->focus = 30 * mm;  // in vacuum: a Rayleigh length of 39.27 mm
  CHECK(intensity(p) == near(2000 / (pi * std::pow(spot(100 * um, 800 * nm, 30 * mm), 2)), 1e-3));
  geometry.route = Route::line;
  p.launch[0].beam->focus = 0;
  CHECK(intensity(p) == near(1000 * std::sqrt(2 / pi) / (100 * um), 1e-3));
  CHECK(describe(p).find("1000 W/m ") != std::string::npos);
}
