// SPDX-License-Identifier: Apache-2.0
#include "translate/launch.hpp"

#include <cmath>
#include <utility>

#include <lumarch/error.hpp>

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

std::vector<Complex> stored_values(std::size_t pulse, const FieldAxes& axes, const StoredFields& stored,
                                   std::vector<std::string>& warnings) {
  const std::string place = "/launch/" + std::to_string(pulse);
  if (!stored) throw ProblemError({{place + "/file", "there is nobody here who reads the outputs of runs"}});
  StoredField field = stored(pulse);
  if (const std::string why = refuse_stored(field.file, field.axes, axes); !why.empty())
    throw ProblemError({{place + "/file", why}});
  std::string warning;
  std::vector<Complex> values = put_on(axes, std::move(field), warning);
  if (!warning.empty()) warnings.push_back("pulse " + std::to_string(pulse) + ": " + warning);
  return values;
}

Launch build_launch(const Problem& problem, const Grid& grid, const Transforms& transforms,
                    std::vector<std::string>& warnings, const StoredFields& stored) {
  Launch launch;
  launch.state.assign(static_cast<std::size_t>(grid.n), 0.0);
  for (const Pulse& pulse : problem.launch) {
    if (pulse.run) continue;
    const std::vector<Complex> field =
        pulse_field(pulse, {grid.n, grid.dt, grid.omega0}, problem.wavelength, transforms);
    for (std::size_t j = 0; j < field.size(); ++j) launch.state[j] += field[j];
  }
  transforms.to_frequency(launch.state);
  scale(launch.state, 1.0 / static_cast<double>(grid.n));
  for (std::size_t i = 0; i < problem.launch.size(); ++i) {
    if (!problem.launch[i].run) continue;
    const std::vector<Complex> values = stored_values(i, {false, grid.rising_omega(), {}}, stored, warnings);
    const std::vector<Complex> phases = file_phases(grid);
    for (std::int64_t j = 0; j < grid.n; ++j) {
      const auto at = static_cast<std::size_t>(j);
      launch.state[static_cast<std::size_t>(grid.rising(j))] += values[at] / phases[at];
    }
  }
  if (problem.noise) put_noise(*problem.noise, one_photon_per_mode(grid, problem.noise->seed), launch);
  return launch;
}

}  // namespace lumarch
