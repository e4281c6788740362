// SPDX-License-Identifier: Apache-2.0
#include "media/molecular_raman.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <lumarch/error.hpp>

#include "media/constants.hpp"
#include "media/taper.hpp"

namespace lumarch {

namespace {

using constants::pi;
using Complex = std::complex<double>;

void require(bool good, const char* what, double value, const char* remedy) {
  if (good) return;
  std::ostringstream text;
  text << "molecular Raman response: " << what << " is " << value << "; " << remedy;
  throw Error(Fault::problem, text.str());
}

bool positive(double x) { return x > 0 && std::isfinite(x); }

constexpr double volume_squared =  // of a polarisability volume to SI, twice
    (4 * pi * constants::eps0) * (4 * pi * constants::eps0);

}  // namespace

double dephasing_time(const Dephasing& dephasing, double amagat) {
  require(positive(amagat), "the density", amagat, "give one above 0 amagat");
  if (dephasing.time > 0) return dephasing.time;
  return 1 / (pi * (dephasing.constant + dephasing.inverse / amagat + dephasing.linear * amagat));
}

RamanLine vibration_line(const Vibration& vibration, double amagat) {
  const double omega = 2 * pi * vibration.frequency;
  return {omega, volume_squared * vibration.derivative * vibration.derivative / (4 * vibration.reduced_mass * omega),
          dephasing_time(vibration.dephasing, amagat)};
}

std::vector<RamanLine> rotation_lines(const Rotation& rotation, double amagat, double temperature) {
  require(positive(temperature), "the temperature", temperature, "give one above 0 K");
  const double tau = dephasing_time(rotation.dephasing, amagat);
  constexpr double few = 1e-12, notable = 1e-6;  // Boltzmann factors: where levels end, and what may not be left out
  constexpr std::size_t most = 2000;
  const auto energy = [&](std::size_t J) {
    const auto x = static_cast<double>(J * (J + 1));
    return constants::h * constants::c * (rotation.B - rotation.D * x) * x;
  };
  std::vector<double> populations;  // of one of the 2 J + 1 states of a level, spins counted
  double all = 0, boltzmann = 1;
  for (std::size_t J = 0; boltzmann > few; ++J) {
    if (J == most || (J > 0 && energy(J) <= energy(J - 1))) {
      require(boltzmann < notable, "the temperature", temperature,
              "the rotor's constants do not describe levels that are populated there; give a lower one, K");
      break;
    }
    boltzmann = std::exp(-energy(J) / (constants::k_B * temperature));
    populations.push_back((J % 2 == 1 ? rotation.weight_odd : rotation.weight_even) * boltzmann);
    all += static_cast<double>(2 * J + 1) * populations.back();
  }
  const double scale = volume_squared * 2 / 15 * rotation.anisotropy * rotation.anisotropy / constants::hbar / all;
  std::vector<RamanLine> lines;
  for (std::size_t J = 0; J + 2 < populations.size(); ++J) {
    const auto j = static_cast<double>(J);
    const double fewer_above = populations[J] - populations[J + 2];
    if (fewer_above == 0) continue;  // J's spin weight is 0
    lines.push_back(
        {(energy(J + 2) - energy(J)) / constants::hbar, scale * (j + 1) * (j + 2) / (2 * j + 3) * fewer_above, tau});
  }
  return lines;
}

double response(const std::vector<RamanLine>& lines, double t) {
  if (t <= 0) return 0;
  double sum = 0;
  for (const RamanLine& line : lines) sum += line.strength * std::sin(line.omega * t) * std::exp(-t / line.tau);
  return sum;
}

Complex response_spectrum(const std::vector<RamanLine>& lines, double Omega) {
  Complex sum = 0;
  for (const RamanLine& line : lines) {
    const double b = 1 / line.tau;
    sum += line.strength * line.omega / Complex(line.omega * line.omega + b * b - Omega * Omega, -2 * b * Omega);
  }
  return sum;
}

std::vector<double> sampled_response(const std::vector<RamanLine>& lines, double dt, std::size_t n) {
  require(positive(dt), "the time step", dt, "give one above 0 s");
  require(n > 0, "the number of samples", static_cast<double>(n), "give at least 1");
  std::vector<double> h(n, 0.0);
  constexpr std::size_t block = 64;  // steps by multiplication before sine and exponential are taken anew
  for (const RamanLine& line : lines) {
    require(dt * line.omega < pi, "the time step", dt,
            "a line of the gas has less than two samples a period; give more points, or a wider band");
    const Complex rate(-1 / line.tau, line.omega), factor = std::exp(rate * dt);
    for (std::size_t first = 0; first < n; first += block) {
      Complex value = line.strength * dt * std::exp(rate * (static_cast<double>(first) * dt));
      for (std::size_t j = first; j < std::min(n, first + block); ++j, value *= factor) h[j] += value.imag();
    }
  }
  const double window = static_cast<double>(n) * dt;
  h[0] = 0;
  for (std::size_t j = 0; j < n; ++j) h[j] *= planck_taper(static_cast<double>(j) * dt, window, 0.7 * window);
  return h;
}

double raman_gain(const std::vector<RamanLine>& lines, double density, double omega_stokes, double Omega,
                  double index2) {
  const double ec = constants::eps0 * constants::c;
  return omega_stokes * density * response_spectrum(lines, Omega).imag() / (index2 * ec * ec);
}

}  // namespace lumarch
