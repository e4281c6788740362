// Absorbers with a rate (physics.md, 9): what they take does not depend on the steps.
#include <doctest/doctest.h>

#include "media/taper.hpp"
#include "routes.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

// Light that stays as it is but for the absorbers: a wide beam in a medium without dispersion.
Problem still(FieldKind field, double ell_share) {
  Problem p = uppe(Route::line, solid(1, 0), 800 * nm, 500 * fs, 1 * mm);
  if (field == FieldKind::real)
    p.time.band = Band{400 * nm, 2000 * nm};
  else
    p.time.points = 256;  // no negative frequencies, which are not propagated
  p.uppe->field = field;
  p.uppe->geometry.half_width = 8 * mm;
  p.uppe->geometry.points = 32;
  p.launch = {beam_pulse(60 * fs, 1e-6, 1.5 * mm)};
  p.uppe->boundary.length = ell_share * p.medium.length;
  return p;
}

}  // namespace

TEST_CASE("the absorber in time takes alpha(t) over the length, whatever the steps") {
  for (const FieldKind field : {FieldKind::envelope, FieldKind::real})
    for (const double share : {0.05, 0.5, 2.0}) {
      Problem p = still(field, share);
      p.launch[0].delay = field == FieldKind::real ? 280 * fs : 190 * fs;  // in the rim of a window of 683 or 500 fs
      p.uppe->boundary.time = true;
      p.march.max_step = share < 1 ? 1 * mm : 0.013 * mm;
      const Marched s = march(p);
      const auto& t = s.run.time;
      const double half = static_cast<double>(t.size()) * (t[1] - t[0]) / 2, window = 2 * half;
      const double width = std::max((window - 500 * fs) / 2, 0.05 * window);
      const double peak = *std::max_element(s.planes[0].power.begin(), s.planes[0].power.end());
      double seen = 0;
      for (std::size_t j = 0; j < t.size(); ++j) {
        const double before = s.planes[0].power[j], after = s.planes[1].power[j];
        if (before < 1e-6 * peak) continue;
        const double weight = planck_taper(std::abs(t[j]), half, half - width);
        const double expected =
            weight > 0 ? std::max(std::pow(weight, 2 / share), std::exp(-60 / share)) : std::exp(-60 / share);
        // a real field loses what its edge throws to negative frequencies: far less than this
        CAPTURE(share);
        CAPTURE(field == FieldKind::real);
        CAPTURE(t[j] / half);
        CAPTURE(before / peak);
        CHECK(after / peak ==
              doctest::Approx(expected * before / peak).epsilon(field == FieldKind::real ? 2e-3 : 1e-6));
        seen = std::max(seen, std::abs(expected - 1) * before / peak);
      }
      CHECK(seen > 0.05);
    }
}

TEST_CASE("the absorber in space takes what reaches the rim, and says so") {
  for (const Route route : {Route::line, Route::radial}) {
    Problem p = uppe(route, solid(1, 0), 800 * nm, 4 * ps, 30 * mm);
    p.time.points = 16;
    p.uppe->geometry.half_width = p.uppe->geometry.radius = 0.3 * mm;
    p.uppe->geometry.points = route == Route::line ? 128 : 96;
    p.launch = {beam_pulse(1 * ps, 1e-6, 25 * um)};  // grows to 306 um
    p.uppe->boundary.space = true;
    p.statistics = {ask(Quantity::energy)};
    const Marched s = march(p);
    CHECK(stat(s, 1, 0) / stat(s, 0, 0) < 0.97);
    CHECK(stat(s, 1, 0) / stat(s, 0, 0) > 0.2);
    const auto says = [&](const char* words) {
      return std::any_of(s.summary.warnings.begin(), s.summary.warnings.end(),
                         [&](const std::string& warning) { return warning.find(words) != std::string::npos; });
    };
    CHECK(says("the absorber in space took"));
    CHECK(says(route == Route::line ? "the outer part of the window in x" : "the outer part of the radius"));
    // what it took is in the readings
    CHECK(s.edges.back().absorbed_space == near(stat(s, 0, 0) - stat(s, 1, 0), 1e-3));
    // without it the grid's own edge keeps or folds the light, and nothing is lost
    p.uppe->boundary.space = false;
    const Marched kept = march(p);
    CHECK(stat(kept, 1, 0) / stat(kept, 0, 0) == near(1, 1e-9));
  }
}

TEST_CASE("an absorber in band damps by its profile") {
  Problem p = still(FieldKind::real, 0.5);
  p.uppe->boundary.band = true;
  p.launch[0].wavelength = 380 * nm;  // within the band's upper edge, 364 to 400 nm
  p.launch[0].fwhm = 30 * fs;
  const Marched s = march(p);
  const double top = 2 * pi * c / (400 * nm);
  for (std::size_t k = 0; k < s.run.omega.size(); ++k) {
    const double before = s.planes[0].spectrum[k], after = s.planes[1].spectrum[k], w = s.run.omega[k];
    if (w < top || w > 1.07 * top || before <= 0) continue;
    const double weight = planck_taper(w, 1.1 * top, top);
    CHECK(after / before == near(std::max(std::pow(weight, 4), std::exp(-120.0)), 1e-6));
  }
}
