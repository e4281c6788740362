#include <doctest/doctest.h>

#include "relative.hpp"

#include "fibre.hpp"
#include "media/spline.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

// Malitson's fused silica, J. Opt. Soc. Am. 55, 1205 (1965); omega in rad/s.
double silica(double omega) {
  const double um = 2 * pi * c / omega * 1e6, l2 = um * um;
  return std::sqrt(1 + 0.6961663 * l2 / (l2 - 0.0684043 * 0.0684043) + 0.4079426 * l2 / (l2 - 0.1162414 * 0.1162414) +
                   0.8974794 * l2 / (l2 - 9.896161 * 9.896161));
}

Curve sampled(double shortest, double longest, int n, double (*f)(double)) {
  Curve curve{"silica", {}, {}};
  for (int i = 0; i < n; ++i) {
    const double omega = 2 * pi * c * (1 / longest + (1 / shortest - 1 / longest) * i / (n - 1));
    curve.x.push_back(omega);
    curve.y.push_back(f(omega));
  }
  return curve;
}

}  // namespace

TEST_CASE("C31: a tabulated index of silica has its published dispersion at 800 nm") {
  Problem p = fibre(800 * nm, 5 * ps, 8192, 0.1, {}, 0);
  p.medium.dispersion = IndexCurve{sampled(400 * nm, 2000 * nm, 2000, &silica)};
  CHECK(silica(2 * pi * c / (800 * nm)) == lumarch::test::about(1.4533172548587419).epsilon(1e-9));
  CHECK(local_dispersion(p).beta2 == lumarch::test::about(3.6161998e-26).epsilon(2e-3));
  CHECK(local_dispersion(p).beta3 == lumarch::test::about(2.7497262e-41).epsilon(1e-2));
  // a 50 fs pulse through 10 cm of it broadens as beta2 and beta3 say
  p.launch = {pulse(Shape::gauss, 50 * fs, 1)};
  p.statistics = {ask(Quantity::rms_time), ask(Quantity::centroid_time)};
  const Marched s = march(p);
  const double b2 = 3.6161998e-26 * 0.1 / (50 * fs * 50 * fs), b3 = 2.7497262e-41 * 0.1 / std::pow(50 * fs, 3);
  CHECK(stat(s, 1, 0) / stat(s, 0, 0) == lumarch::test::about(std::sqrt(1 + b2 * b2 + b3 * b3 / 4 / 2)).epsilon(1e-3));
  // the same from beta itself
  Problem q = p;
  Curve beta = std::get<IndexCurve>(p.medium.dispersion).index;
  for (std::size_t i = 0; i < beta.x.size(); ++i) beta.y[i] *= beta.x[i] / c;
  q.medium.dispersion = PropagationCurve{beta};
  CHECK(march(q).planes[1].statistics[0][0] == lumarch::test::about(stat(s, 1, 0)).epsilon(1e-9));
  REQUIRE(s.summary.warnings.size() == 1);  // the grid goes beyond the table
  CHECK(s.summary.warnings[0].find("400") != std::string::npos);
}

TEST_CASE("n2 and A_eff make gamma = n2 omega0/(c A_eff)") {
  Problem p = fibre(835 * nm, 5 * ps, 256, 0.1, {}, 0);
  p.medium.gamma.reset();
  p.medium.n2 = 2.6e-20;
  p.medium.effective_area = 2e-12;
  CHECK(nonlinear_coefficient(p) == lumarch::test::about(2.6e-20 * 2 * pi / (835e-9 * 2e-12)).epsilon(1e-12));
  Curve area{"a", {1e15, 4e15}, {2e-12, 2e-12}};
  p.medium.effective_area.reset();
  p.medium.effective_area_curve = area;
  CHECK(nonlinear_coefficient(p) == lumarch::test::about(2.6e-20 * 2 * pi / (835e-9 * 2e-12)).epsilon(1e-12));
}

TEST_CASE("a linear problem needs no nonlinearity") {
  Problem p = fibre(835 * nm, 5 * ps, 256, 0.1, {-1e-26}, 0);
  p.medium.gamma.reset();
  p.launch = {pulse(Shape::sech, 100 * fs, 1)};
  CHECK(nonlinear_coefficient(p) == 0);
  CHECK(march(p).ended.ended == Ended::done);
  CHECK(describe(p).find("dispersion length") != std::string::npos);
}

TEST_CASE("an effective area that grows with the wavelength conserves photons, and changes the pulse") {
  Problem p = fibre(835 * nm, 5 * ps, 2048, 0.01, {-11.83e-27}, 0.11);
  p.launch = {pulse(Shape::sech, 28.4 * fs, 5000)};
  p.responses = {Kerr{}, Raman{}, SelfSteepening{}};
  p.march.tolerance = 1e-9;
  p.statistics = {ask(Quantity::photon_number)};
  const Marched without = march(p);
  p.medium.effective_area_curve = Curve{"a", {1e15, 2e15, 3e15, 4e15}, {5e-12, 2.5e-12, 1.7e-12, 1.3e-12}};
  const Marched with = march(p);
  CHECK(stat(with, 1, 0) / stat(with, 0, 0) == lumarch::test::about(1).epsilon(1e-7));
  CHECK(std::abs(with.summary.peak_power_out / without.summary.peak_power_out - 1) > 1e-3);
  CHECK(march(p, false).summary.peak_power_out == lumarch::test::about(with.summary.peak_power_out).epsilon(1e-8));
}

TEST_CASE("tabulated loss acts where it is") {
  Problem p = fibre(1550 * nm, 20 * ps, 1024, 1, {}, 0);
  const double omega0 = 2 * pi * c / (1550 * nm);
  p.medium.loss_curve = Curve{"loss", {omega0 - 1e12, omega0, omega0 + 1e12}, {0.1, 0.2, 0.3}};
  p.launch = {pulse(Shape::cw, 0, 1)};
  const Marched s = march(p);
  CHECK(s.summary.energy_out / s.summary.energy_in == lumarch::test::about(std::exp(-0.2)).epsilon(1e-9));
}

TEST_CASE("a natural spline meets its nodes, a cubic's slope, and goes on straight") {
  std::vector<double> x, y;
  for (int i = 0; i <= 200; ++i) {
    x.push_back(i * 0.05);
    y.push_back(std::sin(x.back()));
  }
  const Spline s(x, y);
  CHECK(s(x[7]) == y[7]);
  CHECK(s(5.0321) == lumarch::test::about(std::sin(5.0321)).epsilon(1e-6));
  CHECK(s.slope(5.0321) == lumarch::test::about(std::cos(5.0321)).epsilon(1e-4));
  CHECK(s(12) == lumarch::test::about(y.back() + 2 * s.slope(10)));
  const Spline two({0, 1}, {1, 3});
  CHECK(two(0.25) == 1.5);
  CHECK(two(-1) == -1);
}
