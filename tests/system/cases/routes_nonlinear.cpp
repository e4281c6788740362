// Nonlinear propagation on every route: pairs of routes and fields that have to agree, and laws that hold exactly.
#include <doctest/doctest.h>

#include "media/step_index.hpp"
#include "routes.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

// C44's guide: argon, 13 um, 30 fs at 800 nm.
Problem filled_fibre(Route route, double length, FieldKind field = FieldKind::real) {
  Problem p = uppe(route, capillary(Gas::argon, 5 * bar, 13 * um), 800 * nm, 400 * fs, length);
  p.time.band = Band{160 * nm, 3000 * nm};
  p.uppe->field = field;
  Pulse pulse = beam_pulse(30 * fs, 1e-6, 1);
  pulse.beam.reset();
  p.launch = {pulse};
  p.responses = {Kerr{}};
  p.march.tolerance = 1e-7;
  p.statistics = {ask(Quantity::energy), ask(Quantity::photon_number)};
  return p;
}

const std::vector<double>& last_spectrum(const Marched& s) { return s.planes.back().spectrum; }

Problem kerr_beam(Route route, double power_ratio, double length) {
  const double n2 = 2.7e-20, index = 1.45, wavelength = 800 * nm, w = 50 * um;
  Problem p = uppe(route, solid(index, n2), wavelength, 4 * ps, length);
  p.time.points = 16;
  Pulse pulse;
  pulse.shape = Shape::cw;
  pulse.peak_power = power_ratio * wavelength * wavelength / (2 * pi * index * n2);  // of P_H (C25)
  pulse.beam = Beam{};
  pulse.beam->waist = w;
  p.launch = {pulse};
  Kerr kerr;
  kerr.third_harmonic = false;
  p.responses = {kerr};
  p.march.tolerance = 1e-8;
  p.statistics = {ask(Quantity::beam_radius), ask(Quantity::on_axis_intensity), ask(Quantity::energy),
                  ask(Quantity::on_axis_fluence)};
  p.output.fields = Fields::none;
  return p;
}

double rayleigh_length() { return pi * 50 * um * 50 * um * 1.45 / (800 * nm); }

}  // namespace

TEST_CASE("C43: a real field without third harmonic is the envelope") {
  Kerr kerr;
  kerr.third_harmonic = false;
  Problem real = filled_fibre(Route::mode_averaged, 40 * mm),
          envelope = filled_fibre(Route::mode_averaged, 40 * mm, FieldKind::envelope);
  real.responses = envelope.responses = {kerr};
  real.statistics =
      envelope.statistics = {ask(Quantity::energy), ask(Quantity::photon_number), ask(Quantity::centroid_omega),
                             ask(Quantity::rms_omega), ask(Quantity::rms_time)};
  const Marched a = march(real), b = march(envelope);
  for (std::size_t i = 0; i < 5; ++i) {
    CAPTURE(i);
    CHECK(stat(a, 1, i) == near(stat(b, 1, i), 1e-5));  // the grids differ, the field is the same
  }
  CHECK(stat(a, 1, 3) > 1.03 * stat(a, 0, 3));  // the spectrum has broadened, in spite of the loss
}

TEST_CASE("C44: the mode average is the modal route with one mode") {
  const Marched average = march(filled_fibre(Route::mode_averaged, 20 * mm));
  Problem p = filled_fibre(Route::modal, 20 * mm);
  p.uppe->geometry.modes = {"HE11"};
  const Marched modal = march(p);
  CHECK(difference(last_spectrum(average), last_spectrum(modal)) < 1e-5);  // a purely third-order response: exact
  CHECK(difference(last_spectrum(average), average.planes.front().spectrum) > 0.1);  // something happens
}

TEST_CASE("C46: at 45 degrees between its two polarisations a mode does what it does along one") {
  Problem one = filled_fibre(Route::modal, 10 * mm), two = one;
  one.uppe->geometry.modes = {"HE11y"};
  two.uppe->geometry.modes = {"HE11x", "HE11y"};
  two.uppe->geometry.polarisations = 2;
  two.launch[0].modes = {{"HE11x", 0.5}, {"HE11y", 0.5}};
  one.uppe->geometry.radial_nodes = two.uppe->geometry.radial_nodes = 24;
  CHECK(difference(last_spectrum(march(one)), last_spectrum(march(two))) < 1e-7);
}

TEST_CASE("C47: a mode of another symmetry stays dark, and HE12 takes light from HE11") {
  Problem p = filled_fibre(Route::modal, 2 * mm);
  p.uppe->geometry.modes = {"HE11", "HE12", "TE01"};
  p.uppe->geometry.polarisations = 2;
  p.uppe->geometry.radial_nodes = 16;
  p.march.tolerance = 1e-5;
  p.statistics = {ask(Quantity::mode_energy)};
  const Marched s = march(p);
  CHECK(stat(s, 1, 0, 1) > 1e-6 * stat(s, 1, 0, 0));
  CHECK(stat(s, 1, 0, 2) < 1e-25 * stat(s, 1, 0, 0));  // TE01 has another symmetry
}

TEST_CASE("C48: half and half of the same gas is that gas") {
  Problem pure = filled_fibre(Route::mode_averaged, 10 * mm), mixed = pure;
  std::get<Capillary>(mixed.uppe->medium).gas.parts = {{Gas::argon, 0.5}, {Gas::argon, 0.5}};
  // the density of the real gas is not quite linear in pressure
  CHECK(difference(last_spectrum(march(pure)), last_spectrum(march(mixed))) < 2e-2);
}

TEST_CASE("C49: along a taper the mode average stays the modal route, and a taper of no slope changes nothing") {
  const auto with = [](Route route, std::vector<double> radius) {
    Problem p = filled_fibre(route, 20 * mm);
    p.launch[0].energy = 600e-9;
    auto& guide = std::get<Capillary>(p.uppe->medium);
    guide.radius.value = std::move(radius);
    if (guide.radius.value.size() == 2) guide.radius.z = {0, 20 * mm};
    if (route == Route::modal) p.uppe->geometry.modes = {"HE11"};
    return march(p);
  };
  const Marched average = with(Route::mode_averaged, {13 * um, 9.75 * um}),
                modal = with(Route::modal, {13 * um, 9.75 * um});
  const Marched constant = with(Route::mode_averaged, {13 * um}),
                level = with(Route::mode_averaged, {13 * um, 13 * um});
  CHECK(difference(last_spectrum(average), last_spectrum(modal)) < 1e-5);
  CHECK(difference(last_spectrum(level), last_spectrum(constant)) < 1e-7);
  CHECK(difference(last_spectrum(average), last_spectrum(constant)) > 1e-2);
}

TEST_CASE("C39: a gradient between equal pressures is that pressure, and a gradient's two halves are its whole") {
  const auto with = [](std::vector<double> z, std::vector<double> pressure) {
    Problem p = filled_fibre(Route::mode_averaged, 20 * mm);
    auto& fill = std::get<Capillary>(p.uppe->medium).gas;
    fill.pressure.value = std::move(pressure);
    fill.pressure.z = std::move(z);
    return march(p);
  };
  const double middle = std::sqrt(0.5 * 25) * bar;  // p^2 is linear
  const Marched flat = with({}, {5 * bar}), level = with({0, 20 * mm}, {5 * bar, 5 * bar});
  const Marched whole = with({0, 20 * mm}, {0, 5 * bar}), halves = with({0, 10 * mm, 20 * mm}, {0, middle, 5 * bar});
  CHECK(difference(last_spectrum(level), last_spectrum(flat)) < 1e-7);
  CHECK(difference(last_spectrum(halves), last_spectrum(whole)) < 1e-6);
  CHECK(difference(last_spectrum(whole), last_spectrum(flat)) > 5e-3);
}

TEST_CASE("C39: along a gradient of pressure all integrators go where erk43 goes") {
  Problem p = filled_fibre(Route::mode_averaged, 20 * mm);
  auto& fill = std::get<Capillary>(p.uppe->medium).gas;
  fill.pressure.z = {0, 20 * mm};
  p.march.tolerance = 1e-8;
  // At an end in vacuum nothing responds, and an error that is estimated from there says nothing.
  for (const bool to_vacuum : {false, true}) {
    fill.pressure.value = to_vacuum ? std::vector<double>{5 * bar, 0} : std::vector<double>{0, 5 * bar};
    p.march.integrator = Integrator::erk43;
    const Marched reference = march(p);
    for (const Integrator integrator : {Integrator::dp54, Integrator::low_storage, Integrator::adams}) {
      p.march.integrator = integrator;
      CAPTURE(static_cast<int>(integrator));
      CHECK(difference(last_spectrum(march(p)), last_spectrum(reference)) < 1e-6);
    }
  }
}

TEST_CASE("C25: the virial theorem, radial and Cartesian, and the on-axis fluence of both") {
  const double zr = rayleigh_length();
  double radial_axis = 0;
  for (const double ratio : {0.25, 0.5}) {
    Problem p = kerr_beam(Route::radial, ratio, zr);
    p.uppe->geometry.radius = 0.45 * mm;
    p.uppe->geometry.points = 96;
    const Marched s = march(p);
    const double grown = std::pow(stat(s, 1, 0) / stat(s, 0, 0), 2);
    CHECK(grown == near(1 + (1 - ratio), 1e-3));  // beyond the paraxial: (w k)^-2
    if (ratio == 0.25) CHECK(stat(s, 1, 1) / stat(s, 0, 1) == near(0.62462, 2e-3));
    CHECK(stat(s, 1, 2) / stat(s, 0, 2) == near(1, 1e-6));
    radial_axis = stat(s, 1, 3) / stat(s, 0, 3);
  }
  Problem p = kerr_beam(Route::cartesian, 0.5, zr);
  p.uppe->geometry.half_width = p.uppe->geometry.half_height = 0.3 * mm;
  p.uppe->geometry.points = p.uppe->geometry.points_y = 64;
  p.time.points = 4;
  const Marched s = march(p);
  CHECK(stat(s, 1, 3) / stat(s, 0, 3) == near(radial_axis, 1e-3));
}

TEST_CASE("Kerr conserves energy and photons of envelopes, energy alone of real fields with third harmonic") {
  Problem p = filled_fibre(Route::mode_averaged, 10 * mm, FieldKind::envelope);
  std::get<Capillary>(p.uppe->medium).loss = false;
  std::get<Kerr>(p.responses[0]).third_harmonic = false;
  p.march.tolerance = 1e-8;
  const Marched envelope = march(p);
  CHECK(stat(envelope, 1, 1) / stat(envelope, 0, 1) == near(1, 1e-6));
  CHECK(stat(envelope, 1, 0) / stat(envelope, 0, 0) == near(1, 1e-6));
}

// Three waves: dA3/dz = i omega3 chi2 A1 A2/(2 n c), omega3 = omega1 + omega2; of two Gaussians alike in time and x
// half of the peak's efficiency. In a poled crystal the sum wave grows to the first wall, and is gone a quarter of a
// period later.
TEST_CASE("chi2: two waves make their sum, along z as the sign of chi2 has it") {
  const double first = 1500 * nm, second = 1800 * nm, sum = 1 / (1 / first + 1 / second), index = 2, chi2 = 20e-12;
  const double length = 200 * um, fwhm = 120 * fs, energy = 1e-4, waist = 1 * mm;
  for (const FieldKind field : {FieldKind::real, FieldKind::envelope}) {
    Solid crystal = solid(index, 0);
    crystal.n2.reset();
    crystal.chi2 = chi2;
    crystal.poling_period = length;
    Problem p = uppe(Route::line, crystal, first, 500 * fs, length);
    p.time.band = Band{600 * nm, 3000 * nm};
    p.uppe->field = field;
    p.uppe->geometry.half_width = 4 * mm;
    p.uppe->geometry.points = 32;
    p.launch = {beam_pulse(fwhm, energy, waist), beam_pulse(fwhm, energy, waist)};
    p.launch[0].wavelength = first;
    p.launch[1].wavelength = second;
    p.responses = {Chi2{}};
    p.march.tolerance = 1e-8;
    p.planes = {0, length / 8, length / 4, 3 * length / 8, length / 2};
    // between the second harmonics of the two, 750 and 900 nm
    p.statistics = {{"energy_band:790nm-850nm", Quantity::energy_band, 790 * nm, 850 * nm}};
    const Marched s = march(p);
    const double T0 = fwhm / (2 * std::sqrt(std::log(2.0))), omega = 2 * pi * c / sum;
    const double intensity = energy / (std::sqrt(pi) * T0 * waist * std::sqrt(pi / 2));  // of each wave's peak
    const double square = intensity / (index * 8.8541878128e-12 * c / 2);
    const auto expected = [&](double integral) {
      return energy * 0.5 * std::pow(omega * chi2 * integral / (2 * index * c), 2) * square;
    };
    CHECK(stat(s, 1, 0) == near(expected(length / 8), 0.01));
    CHECK(stat(s, 2, 0) == near(expected(length / 4), 0.01));
    CHECK(stat(s, 4, 0) < 2e-3 * stat(s, 2, 0));
  }
}

// A2 = i omega chi2 A^2 z/(2 n c) without depletion and dispersion; a Gaussian in time and x has 1/2 of its peak's
// efficiency. Walls of a poled crystal turn the sign: the harmonic goes as the integral of d along z.
TEST_CASE("chi2: the second harmonic grows as z^2, and turns back at the walls of a poled crystal") {
  const double wavelength = 1550 * nm, index = 2, chi2 = 20e-12, length = 200 * um;
  for (const FieldKind field : {FieldKind::real, FieldKind::envelope}) {
    Solid crystal = solid(index, 0);
    crystal.n2.reset();
    crystal.chi2 = chi2;
    Problem p = uppe(Route::line, crystal, wavelength, 400 * fs, length);
    p.time.band = Band{600 * nm, 2500 * nm};
    p.uppe->field = field;
    p.uppe->geometry.half_width = 4 * mm;
    p.uppe->geometry.points = 32;
    p.launch = {beam_pulse(100 * fs, 1e-4, 1 * mm)};
    p.responses = {Chi2{}};
    p.march.tolerance = 1e-8;
    p.planes = {0, length / 4, length / 2, 3 * length / 4, length};
    p.statistics = {{"energy_band:700nm-860nm", Quantity::energy_band, 700 * nm, 860 * nm},
                    ask(Quantity::energy),
                    ask(Quantity::peak_intensity)};
    const double omega = 2 * pi * c / wavelength;
    for (const bool poled : {false, true}) {
      if (poled) std::get<Solid>(p.uppe->medium).poling_period = length;
      const Marched s = march(p);
      const double peak2 = stat(s, 0, 2) / (index * 8.8541878128e-12 * c / 2);  // |A|^2
      const auto expected = [&](double integral) {
        return 0.5 * std::pow(omega * chi2 * integral / (2 * index * c), 2) * peak2;
      };
      const double first = stat(s, 1, 0) / stat(s, 0, 1);
      CHECK(first == near(expected(length / 4), 0.01));
      CHECK(first < 1e-3);  // no depletion
      if (poled) {
        CHECK(stat(s, 2, 0) < 2e-4 * stat(s, 1, 0));
        CHECK(stat(s, 3, 0) == near(stat(s, 1, 0), 1e-3));
        CHECK(stat(s, 4, 0) < 2e-4 * stat(s, 1, 0));
      } else {
        CHECK(stat(s, 4, 0) / stat(s, 0, 1) == near(expected(length), 0.01));
      }
    }
  }
}

// The mode average of a glass fibre is the GNLSE with gamma = n2 omega0/(c A_eff) and the fibre's own index, silica's
// delayed response included.
TEST_CASE("a step-index fibre's mode average is the GNLSE of its parameters") {
  StepIndex guide;
  guide.core.index = 1.47;
  guide.cladding.index = 1.45;
  guide.radius = 2 * um;
  guide.n2 = 2.6e-20;
  const double wavelength = 1000 * nm, length = 20 * mm;
  Pulse pulse;
  pulse.shape = Shape::sech;
  pulse.fwhm = 40 * fs;
  pulse.peak_power = 60e3;
  Kerr kerr;
  kerr.third_harmonic = false;
  Problem p = uppe(Route::mode_averaged, guide, wavelength, 3 * ps, length);
  p.time.points = 1024;
  p.launch = {pulse};
  p.responses = {kerr, Raman{}};
  p.march.tolerance = 1e-8;
  p.statistics = {ask(Quantity::centroid_omega), ask(Quantity::rms_omega), ask(Quantity::energy)};
  const Marched a = march(p);

  const Permittivity cladding = [](double) { return std::complex<double>(1.45 * 1.45); };
  const StepIndexMode mode(parse_mode("HE11"), cladding, 2 * pi * c / wavelength, 1.47 * 1.47, guide.radius);
  const double area = effective_area(mode, guide.radius);
  Problem q = fibre(wavelength, 3 * ps, 1024, length, {}, *guide.n2 * 2 * pi / (wavelength * area));
  IndexCurve index;
  for (int i = 0; i <= 4000; ++i) {
    index.index.x.push_back(a.run.omega.front() + (a.run.omega.back() - a.run.omega.front()) * i / 4000);
    index.index.y.push_back(mode.n_eff(index.index.x.back(), 1.47 * 1.47, guide.radius).real());
  }
  q.medium.dispersion = index;
  q.launch = {pulse};
  q.responses = {Kerr{}, Raman{}, SelfSteepening{}};
  q.march.tolerance = 1e-8;
  q.statistics = p.statistics;
  const Marched b = march(q);
  for (std::size_t i = 0; i < 2; ++i) {
    // what a response that is not delayed, or another area, would change is far larger
    const double moved = stat(b, 1, i) - stat(b, 0, i);
    CHECK(stat(a, 1, i) - stat(a, 0, i) == near(moved, 2e-3));
    CHECK(std::abs(moved) > 1e11);
  }
  CHECK(stat(a, 1, 2) == near(stat(b, 1, 2), 1e-5));
}
