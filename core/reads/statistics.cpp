// SPDX-License-Identifier: Apache-2.0
#include "reads/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "media/constants.hpp"
#include "reads/shapes.hpp"

namespace lumarch {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> squares(std::span<const Complex> row) {
  std::vector<double> out(row.size());
  std::transform(row.begin(), row.end(), out.begin(), [](Complex a) { return std::norm(a); });
  return out;
}

std::vector<double> width_20db(const Grid& grid, std::span<const double> spectrum) {
  std::vector<double> density, omega;  // frequencies rising, omega > 0 only
  for (std::int64_t j = 0; j < grid.n; ++j) {
    const std::int64_t k = grid.rising(j);
    if (grid.omega(k) <= 0) continue;
    omega.push_back(grid.omega(k));
    density.push_back(spectrum[static_cast<std::size_t>(k)]);
  }
  if (density.empty()) return {nan, nan};
  const auto [low, high] = span_20db(density);
  const auto wavelength = [&](double index) {
    return 2 * constants::pi * constants::c / (omega.front() + index * grid.domega);
  };
  return {wavelength(high), wavelength(low)};
}

double band_energy(const StatisticRequest& request, const Grid& grid, std::span<const double> spectrum) {
  double sum = 0;
  for (std::int64_t k = 0; k < grid.n; ++k) {
    const double omega = grid.omega(k);
    if (omega <= 0) continue;
    const double wavelength = 2 * constants::pi * constants::c / omega;
    if (wavelength >= request.shortest && wavelength <= request.longest) sum += spectrum[static_cast<std::size_t>(k)];
  }
  return sum * grid.window;
}

Moments time_moments(const Grid& grid, std::span<const double> power) {
  return moments(
      power.size(), [&](std::size_t j) { return grid.time(static_cast<std::int64_t>(j)); },
      [&](std::size_t j) { return power[j]; });
}

Moments omega_moments(const Grid& grid, std::span<const double> spectrum) {
  Moments m = moments(
      spectrum.size(), [&](std::size_t k) { return grid.offset(static_cast<std::int64_t>(k)); },
      [&](std::size_t k) { return spectrum[k]; });
  m.mean += grid.omega0;
  return m;
}

}  // namespace

bool needs_time(Quantity quantity) {
  switch (quantity) {
    case Quantity::peak_power:
    case Quantity::fwhm_time:
    case Quantity::fwhm_time_widest:
    case Quantity::rms_time:
    case Quantity::centroid_time:
      return true;
    default:
      return false;
  }
}

PlaneRows squares_of(std::span<const Complex> state, std::span<const Complex> time) {
  PlaneRows rows;
  rows.spectrum = squares(state);
  rows.power = squares(time);
  return rows;
}

double energy(const Grid& grid, std::span<const double> spectrum) {
  double sum = 0;
  for (const double a : spectrum) sum += a;
  return sum * grid.window;
}

double photon_number(const Grid& grid, std::span<const double> spectrum) {
  double sum = 0;
  for (std::int64_t k = 0; k < grid.n; ++k)
    if (const double omega = grid.omega(k); omega != 0) sum += spectrum[static_cast<std::size_t>(k)] / omega;
  return sum * grid.window / constants::hbar;
}

std::vector<double> statistic(const StatisticRequest& request, const Grid& grid, const PlaneRows& rows, double z) {
  const std::int64_t roundings = width_roundings(grid.n, grid.n);
  switch (request.quantity) {
    case Quantity::energy:
      return {energy(grid, rows.spectrum)};
    case Quantity::photon_number:
      return {photon_number(grid, rows.spectrum)};
    case Quantity::energy_band:
      return {band_energy(request, grid, rows.spectrum)};
    case Quantity::width_20db:
      return width_20db(grid, rows.spectrum);
    case Quantity::centroid_omega:
      return {omega_moments(grid, rows.spectrum).mean};
    case Quantity::rms_omega:
      return {omega_moments(grid, rows.spectrum).rms(roundings, request.name, z)};
    case Quantity::centroid_time:
      return {time_moments(grid, rows.power).mean};
    case Quantity::rms_time:
      return {time_moments(grid, rows.power).rms(roundings, request.name, z)};
    case Quantity::fwhm_time:
      return {full_width(rows.power, false) * grid.dt};
    case Quantity::fwhm_time_widest:
      return {full_width(rows.power, true) * grid.dt};
    case Quantity::peak_power:
      return {*std::max_element(rows.power.begin(), rows.power.end())};
    default:  // of media and geometries: uppe alone
      return {nan};
  }
}

}  // namespace lumarch
