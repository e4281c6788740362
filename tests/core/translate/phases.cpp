// Spectral phases of pulses: plates and tables, against published dispersion and closed forms.
#include <doctest/doctest.h>

#include "routes.hpp"
#include "translate/pulse.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

using Row = std::vector<std::complex<double>>;

constexpr std::int64_t n = 512;
constexpr double dt = 1e-15, omega0 = 2 * pi * c / 800e-9;

Row transform(const Row& in, double sign) {
  Row out(in.size());
  for (std::size_t k = 0; k < in.size(); ++k)
    for (std::size_t j = 0; j < in.size(); ++j)
      out[k] += in[j] * std::polar(1.0, sign * 2 * pi * static_cast<double>(j * k % in.size()) /
                                            static_cast<double>(in.size()));
  return out;
}

Transforms plain() {
  return {[](Row& row) { row = transform(row, -1); }, [](Row& row) { row = transform(row, 1); }};
}

Row field_of(const Pulse& pulse) { return pulse_field(pulse, {n, dt, omega0}, 800 * nm, plain()); }

Pulse gauss() {
  Pulse pulse;
  pulse.shape = Shape::gauss;
  pulse.fwhm = 30 * fs;
  pulse.energy = 1e-6;
  return pulse;
}

// Mean and root mean square of the time, weighted with the power.
struct Moments {
  double centre = 0, width = 0;
};
Moments moments(const Row& field) {
  double all = 0, first = 0, second = 0;
  for (std::size_t j = 0; j < field.size(); ++j) {
    const double t = (static_cast<double>(j) - static_cast<double>(n / 2)) * dt, p = std::norm(field[j]);
    all += p, first += p * t, second += p * t * t;
  }
  const double centre = first / all;
  return {centre, std::sqrt(second / all - centre * centre)};
}

}  // namespace

TEST_CASE("C31: 1 mm of fused silica broadens 30 fs at 800 nm by its beta2, and leaves it in its place") {
  Pulse pulse = gauss();
  const Moments before = moments(field_of(pulse));
  pulse.plates = {{kFusedSilica, 1 * mm}};
  const Row through = field_of(pulse);
  const Moments after = moments(through);
  const double t0 = natural_width(pulse), phase2 = 3.6162e-26 * 1 * mm;
  CHECK(before.width == near(t0 / std::sqrt(2.0), 1e-9));
  CHECK(after.width / before.width - 1 == near(std::hypot(1, phase2 / (t0 * t0)) - 1, 2e-3));
  // no group delay; the third order, beta3 = 2.7497262e-41 s^3/m, moves the centre by phi3/2 <w^2> with <w^2> = 1/(2
  // T0^2)
  CHECK(after.centre == near(2.7497262e-41 * 1 * mm / (4 * t0 * t0), 1e-3));
  double energy = 0;
  for (const auto& a : through) energy += std::norm(a) * dt;
  CHECK(energy == near(1e-6, 1e-12));
  CHECK(second_order_phase(pulse, 800 * nm) == near(phase2, 2e-5));
  pulse.gdd = -phase2;
  CHECK(moments(field_of(pulse)).width == near(before.width, 2e-5));
  // of two plates the thicknesses add, of a pulse's own wavelength its own dispersion
  pulse.plates = {{kFusedSilica, 0.25 * mm}, {kFusedSilica, 0.75 * mm}};
  CHECK(std::abs(second_order_phase(pulse, 800 * nm)) < 1e-4 * phase2);
}

TEST_CASE("a plate broadens the launch of a fibre and of a real field in a guide alike") {
  const double t0 = 30 * fs / (2 * std::sqrt(std::log(2.0))), phase2 = 3.6162e-26 * 1 * mm;
  const double width = t0 / std::sqrt(2.0) * std::hypot(1, phase2 / (t0 * t0));
  Problem guide = uppe(Route::mode_averaged, capillary(Gas::argon, 1 * bar, 125 * um), 800 * nm, 600 * fs, 1e-3);
  guide.uppe->field = FieldKind::real;
  guide.time.band = Band{400 * nm, 3000 * nm};
  for (Problem problem : {fibre(800 * nm, 600 * fs, 512, 1e-3, {}, 0), guide}) {
    problem.launch = {gauss()};
    problem.launch[0].plates = {{kFusedSilica, 1 * mm}};
    problem.statistics = {ask(Quantity::rms_time), ask(Quantity::energy)};
    const Marched run = march(problem);
    CHECK(stat(run, 0, 0) == near(width, 1e-3));
    CHECK(stat(run, 0, 1) == near(1e-6, 1e-6));
  }
}

TEST_CASE("a plate acts by the spectrum's own frequency, at absolute frequencies too") {
  Pulse pulse = gauss();
  pulse.plates = {{kFusedSilica, 5 * mm}};
  const Row envelope = field_of(pulse);
  const Row signal = pulse_field(pulse, {4 * n, dt / 4, 0}, 800 * nm, plain());
  for (std::size_t j = 100; j < 400; j += 7)
    CHECK(std::abs(std::abs(signal[4 * j]) - std::abs(envelope[j])) < 1e-6 * std::abs(envelope[256]));
}

TEST_CASE("a spectral phase from a table: a slope delays, a parabola is gdd, and jumps of 2 pi are none") {
  Pulse pulse = gauss();
  const Moments before = moments(field_of(pulse));
  const auto delayed = [&](double by, bool folded) {
    Curve slope;
    for (int i = -4; i <= 4; ++i) {
      const double w = i * 1e14;
      slope.x.push_back(omega0 + w);
      slope.y.push_back(folded ? std::remainder(by * w, 2 * pi) : by * w);
    }
    pulse.spectral_phase = slope;
    const Moments late = moments(field_of(pulse));
    CHECK(late.centre == near(by, 1e-5));
    CHECK(late.width == near(before.width, 1e-5));
  };
  delayed(20 * fs, true);
  delayed(20 * fs, false);
  delayed(60 * fs, false);  // more than half a turn from point to point
  Curve parabola;
  for (int i = -400; i <= 400; ++i) {
    const double w = i * 1e12;
    parabola.x.push_back(omega0 + w);
    parabola.y.push_back(300e-30 * w * w / 2);
  }
  pulse.spectral_phase = parabola;
  Pulse same = gauss();
  same.gdd = 300e-30;
  const Row table = field_of(pulse), formula = field_of(same);
  for (std::size_t j = 200; j < 312; ++j) CHECK(std::abs(table[j] - formula[j]) < 1e-4 * std::abs(formula[256]));
}
