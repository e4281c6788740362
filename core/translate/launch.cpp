// SPDX-License-Identifier: Apache-2.0
#include "translate/launch.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "media/constants.hpp"

namespace lumarch {

namespace {

// The real amplitude of a shape with peak 1, t from its centre.
double amplitude(const Pulse& pulse, double t0, double t) {
  switch (pulse.shape) {
    case Shape::gauss:
      return std::exp(-t * t / (2 * t0 * t0));
    case Shape::sech:
      return 1 / std::cosh(std::min(std::abs(t) / t0, 700.0));
    case Shape::supergauss:
      return std::exp(-std::pow(t / t0, 2 * pulse.order) / 2);
    case Shape::cw:
      return 1;
    case Shape::file:
      break;
  }
  return 0;
}

// A field from a file: amplitude and unwrapped phase, linear between samples, nothing outside.
Complex sampled(const Pulse::Samples& samples, const std::vector<double>& phase, double t) {
  const auto& x = samples.t;
  if (t < x.front() || t > x.back()) return 0;
  const auto above = std::upper_bound(x.begin() + 1, x.end() - 1, t);
  const auto i = static_cast<std::size_t>(above - x.begin()) - 1;
  const double b = (t - x[i]) / (x[i + 1] - x[i]);
  const double size = (1 - b) * std::sqrt(samples.power[i]) + b * std::sqrt(samples.power[i + 1]);
  return std::polar(size, (1 - b) * phase[i] + b * phase[i + 1]);
}

std::vector<double> unwrapped(std::vector<double> phase) {
  for (std::size_t i = 1; i < phase.size(); ++i)
    phase[i] -= 2 * constants::pi * std::round((phase[i] - phase[i - 1]) / (2 * constants::pi));
  return phase;
}

double peak_power(const std::vector<Complex>& field) {
  double peak = 0;
  for (const Complex& a : field) peak = std::max(peak, std::norm(a));
  return peak;
}

void scale(std::vector<Complex>& row, double factor) {
  for (Complex& a : row) a *= factor;
}

// One pulse in time, sqrt(W).
std::vector<Complex> pulse_field(const Pulse& pulse, const Grid& grid, const Transforms& transforms) {
  const auto n = static_cast<std::size_t>(grid.n);
  const double t0 = natural_width(pulse);
  const double detuning = pulse.wavelength ? 2 * constants::pi * constants::c / *pulse.wavelength - grid.omega0 : 0;
  std::vector<double> phase;
  if (pulse.samples) phase = unwrapped(pulse.samples->phase);
  std::vector<Complex> field(n);
  for (std::size_t j = 0; j < n; ++j) {
    const double time = grid.time(static_cast<std::int64_t>(j)), t = time - pulse.delay;
    const Complex shape = pulse.samples ? sampled(*pulse.samples, phase, t) : amplitude(pulse, t0, t);
    const double chirp = t0 > 0 ? -pulse.chirp * t * t / (2 * t0 * t0) : 0;
    field[j] = shape * std::polar(1.0, chirp - detuning * time + pulse.cep);
  }
  const bool spectral_phase = pulse.gdd != 0 || pulse.tod != 0;
  if (spectral_phase) {
    transforms.to_frequency(field);
    for (std::size_t k = 0; k < n; ++k) {
      const double w = grid.offset(static_cast<std::int64_t>(k)) - detuning;
      field[k] *= std::polar(1.0 / static_cast<double>(n), w * w * (pulse.gdd / 2 + w * pulse.tod / 6));
    }
    transforms.to_time(field);
  }
  if (pulse.energy) {
    double energy = 0;
    for (const Complex& a : field) energy += std::norm(a) * grid.dt;
    if (energy > 0) scale(field, std::sqrt(*pulse.energy / energy));
  } else if (pulse.peak_power) {
    // without phases the shape's own peak is 1, also where it falls between two samples
    const double peak = spectral_phase || pulse.samples ? peak_power(field) : 1;
    if (peak > 0) scale(field, std::sqrt(*pulse.peak_power / peak));
  }
  return field;
}

// One photon a mode with random phase: abs(A(omega)) = sqrt(hbar omega T), nothing at omega <= 0. In the state's scale.
std::vector<Complex> one_photon_per_mode(const Grid& grid, std::uint64_t seed) {
  std::mt19937_64 random(seed);  // its sequence is fixed by the standard, and so is the way to [0, 1) below
  std::vector<Complex> noise(static_cast<std::size_t>(grid.n));
  for (std::int64_t k = 0; k < grid.n; ++k) {
    const double phase = 2 * constants::pi * 0x1p-53 * static_cast<double>(random() >> 11);
    const double omega = grid.omega(k);
    if (omega > 0)
      noise[static_cast<std::size_t>(k)] = std::polar(std::sqrt(constants::hbar * omega / grid.window), phase);
  }
  return noise;
}

}  // namespace

double natural_width(const Pulse& pulse) {
  if (pulse.t0) return *pulse.t0;
  if (!pulse.fwhm) return 0;
  switch (pulse.shape) {
    case Shape::gauss:
      return *pulse.fwhm / (2 * std::sqrt(std::log(2.0)));
    case Shape::sech:
      return *pulse.fwhm / (2 * std::log(1 + std::sqrt(2.0)));
    case Shape::supergauss:
      return *pulse.fwhm / (2 * std::pow(std::log(2.0), 0.5 / pulse.order));
    case Shape::cw:
    case Shape::file:
      break;
  }
  return 0;
}

Launch build_launch(const Problem& problem, const Grid& grid, const Transforms& transforms) {
  Launch launch;
  launch.state.assign(static_cast<std::size_t>(grid.n), 0.0);
  for (const Pulse& pulse : problem.launch) {
    const std::vector<Complex> field = pulse_field(pulse, grid, transforms);
    for (std::size_t j = 0; j < field.size(); ++j) launch.state[j] += field[j];
  }
  transforms.to_frequency(launch.state);
  scale(launch.state, 1.0 / static_cast<double>(grid.n));
  if (problem.noise) {
    std::vector<Complex> noise = one_photon_per_mode(grid, problem.noise->seed);
    if (problem.noise->enters == Noise::Enters::nonlinear)
      launch.noise = std::move(noise);
    else
      for (std::size_t k = 0; k < noise.size(); ++k) launch.state[k] += noise[k];
  }
  return launch;
}

}  // namespace lumarch
