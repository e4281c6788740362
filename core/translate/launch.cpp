// SPDX-License-Identifier: Apache-2.0
#include "translate/launch.hpp"

#include <cmath>
#include <utility>

#include "media/constants.hpp"

namespace lumarch {

namespace {

void scale(std::vector<Complex>& row, double factor) {
  for (Complex& a : row) a *= factor;
}

// One photon a mode with random phase: abs(A(omega)) = sqrt(hbar omega T), nothing at omega <= 0. In the state's scale.
std::vector<Complex> one_photon_per_mode(const Grid& grid, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Complex> noise(static_cast<std::size_t>(grid.n));
  for (std::int64_t k = 0; k < grid.n; ++k) {
    const double phase = random_phase(random);
    const double omega = grid.omega(k);
    if (omega > 0)
      noise[static_cast<std::size_t>(k)] = std::polar(std::sqrt(constants::hbar * omega / grid.window), phase);
  }
  return noise;
}

}  // namespace

double random_phase(std::mt19937_64& random) {
  return 2 * constants::pi * 0x1p-53 * static_cast<double>(random() >> 11);
}

void put_noise(const Noise& wanted, std::vector<Complex> noise, Launch& launch) {
  if (wanted.enters == Noise::Enters::nonlinear)
    launch.noise = std::move(noise);
  else
    for (std::size_t k = 0; k < noise.size(); ++k) launch.state[k] += noise[k];
}

Launch build_launch(const Problem& problem, const Grid& grid, const Transforms& transforms) {
  Launch launch;
  launch.state.assign(static_cast<std::size_t>(grid.n), 0.0);
  for (const Pulse& pulse : problem.launch) {
    const std::vector<Complex> field =
        pulse_field(pulse, {grid.n, grid.dt, grid.omega0}, problem.wavelength, transforms);
    for (std::size_t j = 0; j < field.size(); ++j) launch.state[j] += field[j];
  }
  transforms.to_frequency(launch.state);
  scale(launch.state, 1.0 / static_cast<double>(grid.n));
  if (problem.noise) put_noise(*problem.noise, one_photon_per_mode(grid, problem.noise->seed), launch);
  return launch;
}

}  // namespace lumarch
