#include "media/molecular_raman.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include <lumarch/error.hpp>

#include "media/constants.hpp"
#include "rates.hpp"

using namespace lumarch;
using constants::c;
using constants::pi;
using test::far;
using test::refusal;

namespace {

constexpr double ps = 1e-12, fs = 1e-15, THz = 1e12;

std::vector<RamanLine> vibration(const char* gas, double amagat) {
  return {vibration_line(*molecule(gas)->vibration, amagat)};
}

std::vector<RamanLine> rotation(const char* gas, double amagat, double temperature = room_temperature) {
  return rotation_lines(*molecule(gas)->rotation, amagat, temperature);
}

// Im of the transform of samples, at a frequency in Hz.
double transform(const std::vector<double>& h, double dt, double frequency) {
  double sum = 0;
  for (std::size_t j = 0; j < h.size(); ++j) sum += h[j] * std::sin(2 * pi * frequency * static_cast<double>(j) * dt);
  return sum;
}

// Where the gain of the sampled response peaks, within 1 % of `near`, Hz: steps, then golden section.
double line_of(const std::vector<double>& h, double dt, double near) {
  double best = near, most = -std::numeric_limits<double>::infinity();
  const double step = near * 5e-4;
  for (int i = -20; i <= 20; ++i) {
    const double value = transform(h, dt, near + i * step);
    if (value > most) most = value, best = near + i * step;
  }
  double a = best - step, b = best + step;
  while (b - a > near * 1e-6) {
    const double x = a + 0.382 * (b - a), y = a + 0.618 * (b - a);
    (transform(h, dt, x) > transform(h, dt, y) ? b : a) = transform(h, dt, x) > transform(h, dt, y) ? y : x;
  }
  return (a + b) / 2;
}

}  // namespace

TEST_CASE("C20: lines appear in the sampled response where they were measured") {
  struct Value {
    const char* gas;
    bool vibrates;
    double frequency;  // Hz
  };
  const double dt = 2 * fs;
  for (const Value& v : {Value{"hydrogen", true, 124.5669 * THz},
                         {"nitrogen", true, 2330e2 * c},
                         {"deuterium", true, 2987e2 * c},
                         {"methane", true, 2914e2 * c},
                         {"sulfur_hexafluoride", true, 775e2 * c}}) {
    CAPTURE(v.gas);
    CHECK(far(line_of(sampled_response(vibration(v.gas, 5), dt, 15000), dt, v.frequency), v.frequency) < 1e-4);
  }
  // S(1) of hydrogen, c (B (12 - 2) - D (144 - 4)) = 17.448 THz; given as 17.45
  const double S1 = line_of(sampled_response(rotation("hydrogen", 5), dt, 15000), dt, 17.45 * THz);
  CHECK(far(S1, c * (5890.0 * 10 - 5.0 * 140)) < 1e-4);
  CHECK(std::abs(S1 - 17.45 * THz) < 0.005 * THz);
  // S(10) of nitrogen, c (B (156 - 110) - D (156^2 - 110^2)); its neighbours are 0.24 THz away
  CHECK(far(rotation("nitrogen", 1)[10].omega / (2 * pi), c * (199.0 * 46 - 5.74e-4 * (156.0 * 156 - 110.0 * 110))) <
        1e-12);
  CHECK(far(69.85 * THz, 2330e2 * c) < 1e-4);
}

// The sums of physics.md, 8, with mpmath: 25 digits, levels to J = 72 (N2), 16 (H2), 20 (D2), 162 (N2O).
TEST_CASE("responses of vibration and rotation against 25 digits") {
  struct Value {
    std::vector<RamanLine> lines;
    double t, h;
  };
  for (const Value& v : {Value{rotation("nitrogen", 2), 0.1 * ps, 4.6795060569894e-49},
                         {rotation("nitrogen", 2), 4.2 * ps, -4.3168688363539e-50},
                         {rotation("nitrogen", 2), 20 * ps, -8.204239470179e-52},
                         {rotation("hydrogen", 5), 10 * fs, 4.669421262428e-49},
                         {rotation("hydrogen", 5), 3 * ps, 2.004113327472e-49},
                         {rotation("nitrous_oxide", 2), 0.1 * ps, 3.2410241897387e-48},
                         {rotation("nitrous_oxide", 2), 20 * ps, 6.6521042033153e-49},
                         {rotation("deuterium", 4), 50 * fs, -2.3495572586639e-50},
                         {rotation("deuterium", 4), 3 * ps, 1.2933714971244e-49},
                         {vibration("sulfur_hexafluoride", 1), 10 * fs, 6.0535884725771e-49},
                         {vibration("hydrogen", 10), 2.5 * fs, 7.3990541965359e-49},
                         {vibration("nitrogen", 1), 2.5 * fs, 1.6519794322022e-49},
                         {vibration("methane", 3), 2.5 * fs, 1.4289048474459e-48},
                         {vibration("deuterium", 3), 500 * ps, 7.8626116405286e-51}}) {
    CAPTURE(v.h);
    CHECK(far(response(v.lines, v.t), v.h) < 1e-8);
    CHECK(response(v.lines, 0) == 0);
    CHECK(response(v.lines, -v.t) == 0);
  }
  // at 77 K hydrogen sits in J = 0 and 1
  const std::vector<RamanLine> cold = rotation("hydrogen", 5, 77);
  CHECK(far(cold[0].strength, 4.6730609841421e-49) < 1e-9);
  CHECK(far(cold[1].strength, 2.8072145489211e-49) < 1e-9);
}

// 3.94e-12 cm/W: what the published constants give (measured: 4.8e-12), G. C. Herring, M. J. Dyer and W. K. Bischel,
// Phys. Rev. A 34, 1944 (1986). It does not depend on the density: the line broadens with it.
TEST_CASE("the gain of S(10) of nitrogen at 568 nm") {
  for (const double amagat : {0.1, 1.0}) {
    const RamanLine S10 = rotation("nitrogen", amagat)[10];
    const double gain = raman_gain({S10}, amagat * amagat_density, 2 * pi * c / 568e-9, S10.omega);
    CHECK(far(gain * 100, 3.94e-12) < 1e-3);
  }
}

TEST_CASE("the gain of hydrogen's vibration for 532 nm at 10 amagat") {
  const std::vector<RamanLine> Q = vibration("hydrogen", 10);
  const double Omega = 2 * pi * 124.5669 * THz;
  const double gain = raman_gain(Q, 10 * amagat_density, 2 * pi * c / 532e-9 - Omega, Omega);
  CHECK(far(gain * 100, 2.42e-9) < 2e-3);
  CHECK(far(raman_gain(Q, 10 * amagat_density, 2 * pi * c / 532e-9 - Omega, Omega, 1.5 * 1.5), gain / 2.25) < 1e-14);
  // on the other side it is loss
  CHECK(raman_gain(Q, 10 * amagat_density, 2 * pi * c / 532e-9 + Omega, -Omega) < 0);
}

TEST_CASE("dephasing follows the density in amagat") {
  CHECK(far(vibration("hydrogen", 10)[0].tau, 1 / (pi * (30.9e6 + 522e6))) < 1e-13);
  CHECK(far(rotation("hydrogen", 0.5)[0].tau, 1 / (pi * (12.3e6 + 57e6))) < 1e-13);
  CHECK(far(vibration("deuterium", 4)[0].tau, 1 / (pi * (25.25e6 + 480e6))) < 1e-13);
  CHECK(far(rotation("deuterium", 4)[0].tau, 1 / (pi * 479.6e6)) < 1e-13);
  CHECK(far(vibration("methane", 2)[0].tau, 1 / (pi * (8220e6 + 768e6))) < 1e-13);
  CHECK(far(rotation("nitrogen", 2)[0].tau, 1 / (pi * 6.6e9)) < 1e-13);
  for (const double amagat : {0.1, 7.0}) {  // fixed ones
    CHECK(vibration("nitrogen", amagat)[0].tau == 6 * ps);
    CHECK(vibration("sulfur_hexafluoride", amagat)[0].tau == 6.6 * ps);
    CHECK(rotation("nitrous_oxide", amagat)[0].tau == 23.8 * ps);
  }
}

TEST_CASE("the spectrum of a response is its transform, with gain on the red side") {
  std::vector<RamanLine> lines = rotation("nitrogen", 5);
  lines.push_back(vibration("nitrogen", 5)[0]);
  const double dt = 0.5 * fs;
  for (const double frequency : {0.0, 1.3 * THz, 2.74 * THz, 69.852 * THz, -2 * THz}) {
    std::complex<double> sum = 0;  // trapezoids, h = 0 at both ends
    for (int j = 1; j < 300000; ++j) sum += response(lines, j * dt) * std::polar(dt, 2 * pi * frequency * j * dt);
    const std::complex<double> H = response_spectrum(lines, 2 * pi * frequency);
    CHECK(std::abs(H - sum) < 3e-3 * std::abs(response_spectrum(lines, 2 * pi * 2.74 * THz)));
    if (frequency > 0) CHECK(H.imag() > 0);
    if (frequency < 0) CHECK(H.imag() < 0);
  }
}

TEST_CASE("the spectrum of a line that is damped within a period") {
  const std::vector<RamanLine> line = {{1e13, 1, 1e-13}};  // omega tau = 1: H(0) = omega/(omega^2 + 1/tau^2)
  CHECK(far(response_spectrum(line, 0).real(), 0.5e-13) < 1e-12);
  CHECK(response_spectrum(line, 0).imag() == 0);
  // at Omega = omega: omega/(1/tau^2 - 2 i omega/tau), so (1 + 2 i)/5 of 1e-13
  CHECK(far(response_spectrum(line, 1e13).real(), 0.2e-13) < 1e-12);
  CHECK(far(response_spectrum(line, 1e13).imag(), 0.4e-13) < 1e-12);
}

TEST_CASE("levels end where nobody is: the number of lines follows temperature and constants") {
  const auto occupied = [](const Rotation& r, double T) {  // sum of exp(-E/(k T)) > 1e-12, by the closed form for D = 0
    return std::sqrt(27.63 * constants::k_B * T / (constants::h * c * r.B));
  };
  CHECK(std::abs(static_cast<double>(rotation("nitrous_oxide", 1).size()) -
                 occupied(*molecule("nitrous_oxide")->rotation, room_temperature)) < 2);
  CHECK(std::abs(static_cast<double>(rotation("nitrogen", 1).size()) -
                 occupied(*molecule("nitrogen")->rotation, room_temperature)) < 2);
  CHECK(rotation("nitrogen", 1, 1200).size() > 90);
  // stretching would let hydrogen's levels fall again at J = 24: cold gas never gets there, hot gas is refused
  for (const RamanLine& line : rotation("hydrogen", 1, 1000)) CHECK(line.strength > 0);
  CHECK(refusal([] { rotation("hydrogen", 1, 5000); }).find("temperature is 5000") != std::string::npos);
  // in a hot gas neighbouring levels are populated alike, and lines of low J fade
  CHECK(rotation("nitrogen", 1, 1200)[0].strength < rotation("nitrogen", 1, 300)[0].strength / 10);
}

TEST_CASE("oxygen's odd levels alone: a weight of 0 leaves no line") {
  Rotation oxygen{144, 0,        1,
                  0,   10.2e-31, {.time = 1 * ps}};  // the time is made up: that is why the table has no oxygen
  const std::vector<RamanLine> lines = rotation_lines(oxygen, 1);
  REQUIRE(lines.size() > 10);
  CHECK(far(lines[0].omega, 2 * pi * c * 144 * 10) < 1e-12);  // S(1)
  CHECK(far(lines[1].omega, 2 * pi * c * 144 * 18) < 1e-12);  // S(3)
}

TEST_CASE("the sampled response starts with 0, is h dt, and fades over the last 30 %") {
  const std::vector<RamanLine> lines = rotation("nitrogen", 3);
  const double dt = 3 * fs;
  constexpr std::size_t n = 4000;
  const std::vector<double> h = sampled_response(lines, dt, n);
  REQUIRE(h.size() == n);
  CHECK(h[0] == 0);
  double scale = 0;
  for (const RamanLine& line : lines) scale += line.strength * dt;
  for (std::size_t j = 1; j <= 2799; j += 31)
    CHECK(std::abs(h[j] - response(lines, static_cast<double>(j) * dt) * dt) < 1e-12 * scale);
  const auto share = [&](std::size_t j) { return h[j] / (response(lines, static_cast<double>(j) * dt) * dt); };
  CHECK(far(share(3400), 0.5) < 1e-9);                       // half way
  CHECK(far(share(3100), 1 - 0.064969169128664062) < 1e-9);  // a quarter: Planck's taper
  CHECK(far(share(3700), 0.064969169128664062) < 1e-9);
  CHECK(h[n - 1] == 0);
  CHECK(sampled_response(lines, dt, 1) == std::vector<double>{0});
}

TEST_CASE("what a response cannot be made of is refused with its value and a remedy") {
  const std::vector<RamanLine> H2 = vibration("hydrogen", 1);
  CHECK(refusal([] { vibration("nitrogen", 0); }).find("density is 0; give one above 0 amagat") != std::string::npos);
  CHECK(refusal([] { rotation("hydrogen", -1); }).find("density is -1") != std::string::npos);
  CHECK(refusal([] { rotation("hydrogen", 1, 0); }).find("temperature is 0; give one above 0 K") != std::string::npos);
  CHECK(refusal([&] { return sampled_response(H2, 0, 8); }).find("time step is 0") != std::string::npos);
  CHECK(refusal([&] { return sampled_response(H2, 1 * fs, 0); }).find("samples is 0") != std::string::npos);
  CHECK(refusal([&] { return sampled_response(H2, 4.1 * fs, 8); }).find("less than two samples") != std::string::npos);
  CHECK(refusal([&] { return sampled_response(H2, 3.9 * fs, 8); }).empty());
}

TEST_CASE("gases without a Raman response say why") {
  for (const char* gas : {"nitrogen", "hydrogen", "deuterium", "methane", "sulfur_hexafluoride", "nitrous_oxide"}) {
    CHECK(molecule(gas));
    CHECK(why_no_molecule(gas).empty());
  }
  CHECK(!molecule("nitrous_oxide")->vibration);
  CHECK(!molecule("methane")->rotation);
  CHECK(!molecule("sulfur_hexafluoride")->rotation);
  for (const char* gas : {"oxygen", "argon", "air", "water"}) CHECK(!molecule(gas));
  CHECK(why_no_molecule("oxygen").find("dephasing") != std::string::npos);
  CHECK(why_no_molecule("argon").find("atoms") != std::string::npos);
  CHECK(why_no_molecule("air").find("mixture") != std::string::npos);
  CHECK(why_no_molecule("water").find("sulfur_hexafluoride") != std::string::npos);
}
