#include "media/graded_index.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include <lumarch/error.hpp>

#include "media.hpp"
#include "media/constants.hpp"
#include "media/quadrature.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

constexpr double n1 = 1.464, n2 = 1.45, a = 25e-6;
constexpr double omega = omega_of(1030 * nm), k = omega / c;

GradedIndexMode mode(const char* name) {
  return GradedIndexMode(
      parse_mode(name), [](double) { return n2 * n2; }, omega, n1 * n1);
}

}  // namespace

TEST_CASE("graded index: modes solve the scalar wave equation of the parabola") {
  // f'' + f'/r - q^2 f/r^2 + k^2 (eps(r) - n^2) f = 0, by central differences
  for (const char* name : {"HE11", "HE12", "HE21", "EH11", "HE33", "TE02"}) {
    const GradedIndexMode m = mode(name);
    const int q = azimuthal_order(parse_mode(name));
    const double n = m.n_eff(omega, n1 * n1, a).real(), R = m.field_radius(a), h = 1e-4;
    double peak = 0;
    for (double x = 0.01; x < 1; x += 0.01) peak = std::max(peak, std::abs(m.shape(x, 0.1)[1]));
    for (const double x : {0.08, 0.13, 0.21, 0.34}) {
      const auto f = [&](double r) { return m.shape(r, 0.1)[1]; };
      const double second = (f(x + h) - 2 * f(x) + f(x - h)) / (h * h), first = (f(x + h) - f(x - h)) / (2 * h);
      const double eps = n1 * n1 - (n1 * n1 - n2 * n2) * std::pow(x * R / a, 2);
      const double terms = second + first / x - q * q * f(x) / (x * x), wave = k * k * R * R * (eps - n * n) * f(x);
      CAPTURE(std::string(name));
      CAPTURE(x);
      CHECK(std::abs(terms + wave) < 1e-4 * k * k * R * R * (n1 * n1 - n * n) * peak);
    }
  }
}

TEST_CASE("graded index: shapes are normalised, orthogonal and within the field radius") {
  const std::vector<const char*> names = {"HE11", "HE12", "HE13", "HE21", "EH11", "TM01"};
  std::vector<ModeName> modes;
  for (const char* name : names) modes.push_back(parse_mode(name));
  for (const char* one : names) {
    const GradedIndexMode f = mode(one);
    CHECK(std::abs(f.shape(0.9999, 0.1)[1]) < 1e-7 * std::abs(f.shape(0.1, 0.1)[1]));
    for (const char* two : names) {
      const GradedIndexMode g = mode(two);
      const Nodes nodes = disk_nodes(modes);
      const double R = f.field_radius(a), S = g.field_radius(a);
      double sum = 0;
      for (std::size_t i = 0; i < nodes.theta.size(); ++i) {
        const auto e = f.shape(nodes.r_over_a[i], nodes.theta[i]),
                   h = g.shape(nodes.r_over_a[i] * R / S, nodes.theta[i]);
        sum += nodes.weight_over_a2[i] * (e[0] * h[0] + e[1] * h[1]) * R / S;
      }
      CAPTURE(std::string(one));
      CAPTURE(std::string(two));
      CHECK(sum * constants::eps0 * c / 2 == doctest::Approx(std::string(one) == two ? 1 : 0).scale(1).epsilon(1e-7));
    }
  }
}

TEST_CASE("graded index: the ground mode is a Gaussian beam, and images of it come back") {
  const GradedIndexMode he11 = mode("HE11"), he12 = mode("HE12");
  const double step = n1 * n1 - n2 * n2, w = he11.waist(a);
  CHECK(w == near(std::sqrt(2 * a / (k * std::sqrt(step))), 1e-12));
  CHECK(effective_area(he11, a) == near(pi * w * w, 1e-10));
  // a ray's period is 2 pi a/sqrt(2 Delta), and a beam's width has half of it
  const double beat = 2 * pi / (he11.beta(omega, n1 * n1, a) - he12.beta(omega, n1 * n1, a));
  CHECK(beat == near(pi * a / std::sqrt(step / (n1 * n1)), 2e-3));
  CHECK(mode("HE31").beta(omega, n1 * n1, a) == he12.beta(omega, n1 * n1, a));
  CHECK(he11.alpha(omega, n1 * n1, a) == 0);
  CHECK(he11.alpha(omega, n1 * n1, 0.4 * um) == 3000);  // below its cut-off
  CHECK_THROWS_WITH_AS(GradedIndexMode(
                           parse_mode("HE11"), [](double) { return 2.2; }, omega, 2.1),
                       doctest::Contains("more than 0"), Error);
}
