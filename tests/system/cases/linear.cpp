// Cases C1 to C8: dispersion, chirp, loss, signs, frame. Analytic values.
#include <doctest/doctest.h>

#include "relative.hpp"

#include "fibre.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

double rms_ratio(const Marched& s, std::size_t i = 0) { return stat(s, s.planes.size() - 1, i) / stat(s, 0, i); }

}  // namespace

TEST_CASE("C1: a Gaussian broadens by sqrt(1 + (z/L_D)^2), and its field is exact") {
  const double t0 = 60.0561204 * fs, beta2 = -0.02e-24, ld = t0 * t0 / std::abs(beta2);
  CHECK(ld == lumarch::test::about(0.18033688).epsilon(1e-7));
  for (const double multiple : {1.0, 4.0, 5.0}) {
    Problem p = fibre(835 * nm, 20 * ps, 4096, multiple * ld, {beta2}, 0);
    p.launch = {pulse(Shape::gauss, t0, 1.0)};
    p.statistics = {ask(Quantity::rms_time), ask(Quantity::fwhm_time)};
    const Marched s = march(p);
    const double ratio = std::sqrt(1 + multiple * multiple);
    CHECK(rms_ratio(s) == lumarch::test::about(ratio).epsilon(1e-9));
    CHECK(rms_ratio(s, 1) == lumarch::test::about(ratio).epsilon(1e-3));  // linear between samples of 4.9 fs
    // exp(-t^2/(2 (T0^2 - i beta2 z))) sqrt(T0^2/(T0^2 - i beta2 z))
    const std::complex<double> q(t0 * t0, -beta2 * multiple * ld);
    double worst = 0;
    const auto field = time_field(s, 1);
    for (std::size_t j = 0; j < field.size(); ++j) {
      const double t = s.run.time[j];
      worst = std::max(worst, std::abs(field[j] - std::sqrt(t0 * t0 / q) * std::exp(-t * t / (2.0 * q))));
    }
    CHECK(worst < 1e-12);
  }
}

TEST_CASE("C2: a chirped Gaussian is shortest at 0.4 L_D for C = -2 and beta2 > 0") {
  const double t0 = 60 * fs, beta2 = 0.02e-24, ld = t0 * t0 / beta2;
  Problem p = fibre(835 * nm, 20 * ps, 4096, 0.8 * ld, {beta2}, 0);
  p.launch = {pulse(Shape::gauss, t0, 1.0)};
  p.launch[0].chirp = -2;
  p.planes = {0, 0.2 * ld, 0.4 * ld, 0.8 * ld};
  p.statistics = {ask(Quantity::rms_time)};
  const Marched s = march(p);
  for (std::size_t i = 1; i < 4; ++i) {
    const double x = s.planes[i].z / ld;
    CHECK(stat(s, i, 0) / stat(s, 0, 0) == lumarch::test::about(std::hypot(1 - 2 * x, x)).epsilon(1e-12));
  }
  CHECK(stat(s, 2, 0) / stat(s, 0, 0) == lumarch::test::about(1 / std::sqrt(5.0)).epsilon(1e-12));
}

TEST_CASE("C3: cubic phase alone: width, centroid, and a tail on the late side") {
  const double t0 = 50 * fs, beta3 = 1e-40, z = t0 * t0 * t0 / beta3;
  Problem p = fibre(835 * nm, 20 * ps, 8192, z, {0, beta3}, 0);
  p.launch = {pulse(Shape::gauss, t0, 1.0)};
  p.statistics = {ask(Quantity::rms_time), ask(Quantity::centroid_time)};
  const Marched s = march(p);
  CHECK(stat(s, 1, 0) / stat(s, 0, 0) == lumarch::test::about(1.1180340).epsilon(1e-6));
  CHECK(stat(s, 1, 1) / t0 == lumarch::test::about(0.25).epsilon(1e-6));
  CHECK(std::norm(field_at(s, 1, 3 * t0)) / std::norm(field_at(s, 1, -3 * t0)) ==
        lumarch::test::about(6.4864).epsilon(1e-4));
}

TEST_CASE("C4: loss of 3.01 dB halves the energy") {
  const double per_db = std::log(10.0) / 10;
  Problem p = fibre(835 * nm, 10 * ps, 1024, 1, {-1e-26}, 0);
  p.launch = {pulse(Shape::sech, 100 * fs, 10.0)};
  p.medium.loss = 3.0102999566 * per_db;
  p.statistics = {ask(Quantity::energy)};
  const Marched s = march(p);
  CHECK(rms_ratio(s) == lumarch::test::about(0.5).epsilon(1e-9));  // the value has 11 digits: 0.5000000000(5)
  p.medium.loss = 5 * per_db;
  p.medium.length = 0.1;
  p.planes = {0, 0.1};
  CHECK(rms_ratio(march(p)) == lumarch::test::about(0.8912509).epsilon(1e-7));
}

TEST_CASE("C5: a delay moves the peak later, red leads for GDD > 0, and pulses have what was asked for") {
  Problem p = fibre(800 * nm, 5 * ps, 16384, 1e-3, {}, 0);
  p.launch = {pulse(Shape::sech, 30 * fs, 100.0)};
  p.launch[0].delay = 5 * fs;
  p.launch[0].cep = 0.3;
  p.statistics = {ask(Quantity::centroid_time), ask(Quantity::energy), ask(Quantity::fwhm_time)};
  Marched s = march(p);
  CHECK(stat(s, 0, 0) == lumarch::test::about(5 * fs).epsilon(1e-9));
  CHECK(std::arg(field_at(s, 0, 5 * fs)) == lumarch::test::about(0.3).epsilon(1e-9));
  CHECK(std::norm(field_at(s, 0, 5 * fs)) == lumarch::test::about(100).epsilon(1e-9));

  for (const Shape shape : {Shape::gauss, Shape::sech, Shape::supergauss}) {
    p.launch = {Pulse{}};
    p.launch[0].shape = shape;
    p.launch[0].fwhm = 50 * fs;
    p.launch[0].energy = 1e-9;
    s = march(p);
    CHECK(stat(s, 0, 1) == lumarch::test::about(1e-9).epsilon(1e-14));
    CHECK(stat(s, 0, 2) == lumarch::test::about(50 * fs).epsilon(1e-5));
  }

  p.launch = {pulse(Shape::gauss, 50 * fs, 1.0)};
  p.launch[0].gdd = 2500 * fs * fs;  // phi2 = T0^2: C = +1, the pulse sqrt(2) longer
  s = march(p);
  // the instantaneous frequency omega0 + C t/T1^2 rises: red leads. A = exp(-i C t^2/(2 T1^2)): the phase falls
  const double t1 = 50 * fs * std::sqrt(2.0);
  const auto a = field_at(s, 0, -20 * fs), b = field_at(s, 0, -19 * fs);
  const double omega = -std::arg(b / a) / fs;
  CHECK(omega == lumarch::test::about(-19.5 * fs / (t1 * t1)).epsilon(1e-4));
  CHECK(stat(s, 0, 2) == lumarch::test::about(2 * std::sqrt(std::log(2.0)) * t1).epsilon(1e-4));
}

TEST_CASE("C6: the frame moves with the reference: a pulse elsewhere drifts by beta2 Omega z") {
  Problem p = fibre(835 * nm, 10 * ps, 4096, 1, {-11.83e-27}, 0);
  p.launch = {pulse(Shape::sech, 50 * fs / 1.7627471740390861, 1.0)};
  p.launch[0].wavelength = 850 * nm;
  p.statistics = {ask(Quantity::centroid_time), ask(Quantity::centroid_omega)};
  const Marched s = march(p);
  const double Omega = 2 * pi * c * (1 / (850 * nm) - 1 / (835 * nm));
  CHECK(Omega == lumarch::test::about(-39.81e12).epsilon(1e-4));
  CHECK(stat(s, 1, 1) - s.run.omega0 == lumarch::test::about(Omega).epsilon(1e-9));
  CHECK(stat(s, 1, 0) == lumarch::test::about(0.4709 * ps).epsilon(1e-4));
}

TEST_CASE("C7: D and S become beta2 and beta3") {
  Problem p = fibre(1550 * nm, 10 * ps, 1024, 1000, {}, 0);
  p.medium.dispersion = DispersionD{5e-6, 0.025e3};  // 5 ps/(nm km), 0.025 ps/(nm^2 km)
  const LocalDispersion local = local_dispersion(p);
  CHECK(local.beta2 == lumarch::test::about(-6.3772409975e-27).epsilon(1e-10));
  CHECK(local.beta3 == lumarch::test::about(0.0511644808663e-39).epsilon(1e-10));
  // the same march as with the betas given
  p.launch = {pulse(Shape::gauss, 1 * ps, 1.0)};
  const Marched a = march(p);
  p.medium.dispersion = BetaSeries{{local.beta2, local.beta3}};
  const Marched b = march(p);
  CHECK(a.planes[1].field == b.planes[1].field);
}

TEST_CASE("C8: the sign of dispersion shows, and without operators nothing changes") {
  // dimensionless in nlolib: dt 0.02, z 0.35, beta2 0.05, exp(-(t/0.25)^2) exp(-12 i t), here in units of 1 ps and 1 m
  const double unit = ps;
  Problem p = fibre(1550 * nm, 256 * 0.02 * unit, 256, 0.35, {0.05 * unit * unit}, 0);
  p.launch = {pulse(Shape::gauss, 0.25 * unit / std::sqrt(2.0), 1.0)};
  p.launch[0].wavelength = 2 * pi * c / (2 * pi * c / (1550 * nm) + 12 / unit);
  const auto exact = [&](double beta2, double t) {
    const std::complex<double> q(0.03125 * unit * unit, -beta2 * 0.35), i(0, 1);
    const double Omega = 12 / unit, shift = t - beta2 * Omega * 0.35;
    return std::sqrt(0.03125 * unit * unit / q) * std::exp(-shift * shift / (2.0 * q)) *
           std::exp(-i * Omega * t + i * (beta2 * Omega * Omega / 2) * 0.35);
  };
  const Marched s = march(p);
  double right = 0, wrong = 0;
  for (const double t : s.run.time) {
    right = std::max(right, std::abs(field_at(s, 1, t) - exact(0.05 * unit * unit, t)));
    wrong = std::max(wrong, std::abs(field_at(s, 1, t) - exact(-0.05 * unit * unit, t)));
  }
  CHECK(right < 1e-10);
  CHECK(wrong > 1e3 * right);

  Problem nothing = fibre(1550 * nm, 10 * ps, 512, 1, {}, 0);
  nothing.launch = {pulse(Shape::sech, 100 * fs, 10.0)};
  const Marched same = march(nothing);
  CHECK(same.planes[0].field == same.planes[1].field);
}
