// What is conserved on every route (physics.md, 16), and the order of the integrators there.
#include <doctest/doctest.h>

#include "routes.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

Problem problem_on(Route route, FieldKind field, bool harmonic) {
  Problem p = uppe(route, solid(1.45, 2.7e-20), 800 * nm, 120 * fs, 4 * mm);
  if (field == FieldKind::real || harmonic)
    p.time.band = Band{200 * nm, 2400 * nm};
  else
    p.time.band = Band{400 * nm, 2400 * nm};
  p.uppe->field = field;
  p.uppe->geometry.half_width = p.uppe->geometry.half_height = p.uppe->geometry.radius = 250 * um;
  p.uppe->geometry.points = route == Route::cartesian ? 32 : 48;
  p.uppe->geometry.points_y = 30;
  // about half of the critical power (a line: of its own), in 20 fs
  p.launch = {beam_pulse(20 * fs, route == Route::line ? 5e-4 : 2.5e-8, 40 * um)};
  Kerr kerr;
  kerr.third_harmonic = harmonic;
  p.responses = {kerr};
  if (route == Route::mode_averaged || route == Route::modal) {
    Capillary guide = capillary(Gas::krypton, 5 * bar, 40 * um);
    guide.loss = false;
    p.uppe->medium = guide;
    p.medium.length = 10 * mm;
    p.planes = {0, 10 * mm};
    p.launch[0].beam.reset();
    p.launch[0].energy = 4e-6;
    if (route == Route::modal) p.uppe->geometry.modes = {"HE11", "HE12"};
    p.uppe->geometry.radial_nodes = 24;
  }
  p.statistics = {ask(Quantity::energy), ask(Quantity::photon_number)};
  p.output.fields = Fields::none;
  return p;
}

struct Drift {
  double energy, photons;
};

Drift drift(Problem p, double tolerance) {
  p.march.tolerance = tolerance;
  const Marched s = march(p);
  CHECK(s.ended.ended == Ended::done);
  // something happens: the spectrum is another one
  CHECK(difference(s.planes[1].spectrum, s.planes[0].spectrum) > 1e-3);
  return {std::abs(stat(s, 1, 0) / stat(s, 0, 0) - 1), std::abs(stat(s, 1, 1) / stat(s, 0, 1) - 1)};
}

}  // namespace

TEST_CASE("Kerr conserves energy on every route, and photons of fields without third harmonic") {
  using enum Route;
  for (const Route route : {mode_averaged, modal, radial, line, cartesian})
    for (const bool real : {false, true})
      for (const bool harmonic : {false, true}) {
        if (route == cartesian && (real || harmonic)) continue;  // as on a line, and long
        CAPTURE(static_cast<int>(route));
        CAPTURE(real);
        CAPTURE(harmonic);
        const Problem p = problem_on(route, real ? FieldKind::real : FieldKind::envelope, harmonic);
        const Drift coarse = drift(p, 1e-5), fine = drift(p, 1e-8);
        CHECK(fine.energy < 1e-6);
        CHECK((fine.energy < 0.1 * coarse.energy || coarse.energy < 1e-9));
        if (harmonic) continue;
        CHECK(fine.photons < 1e-6);
        CHECK((fine.photons < 0.1 * coarse.photons || coarse.photons < 1e-9));
      }
}

TEST_CASE("erk43 has order 4 and dp54 order 5 on the mode-averaged and the line route") {
  for (const Route route : {Route::mode_averaged, Route::line})
    for (const Integrator integrator : {Integrator::erk43, Integrator::dp54}) {
      Problem p = problem_on(route, FieldKind::envelope, false);
      p.output.fields = Fields::last;
      p.march.integrator = integrator;
      const auto with = [&](int steps) {
        p.march.schedule.assign(static_cast<std::size_t>(steps), p.medium.length / steps);
        return march(p).planes.back().field;
      };
      const auto exact = with(1280);
      const auto error = [&](int steps) {
        const auto field = with(steps);
        double sum = 0, all = 0;
        for (std::size_t i = 0; i < field.size(); ++i)
          sum += std::norm(field[i] - exact[i]), all += std::norm(exact[i]);
        return std::sqrt(sum / all);
      };
      const int steps = route == Route::line && integrator == Integrator::dp54 ? 8 : 40;  // above rounding
      const double coarse = error(steps), fine = error(2 * steps), order = std::log2(coarse / fine);
      CAPTURE(coarse);
      CAPTURE(fine);
      CAPTURE(static_cast<int>(route));
      // dp54's fifth-order term is tiny on some problems, which then look like the sixth (as on the N = 2 soliton)
      CHECK(order > (integrator == Integrator::erk43 ? 3.8 : 4.8));
      CHECK(order < (integrator == Integrator::erk43 ? 4.3 : 6.1));
    }
}
