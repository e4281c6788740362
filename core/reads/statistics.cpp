// SPDX-License-Identifier: Apache-2.0
#include "reads/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "media/constants.hpp"

namespace lumarch {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Moments {
  double mean = nan, rms = nan;
};

// First and second central moment of weight(i) at x(i); two passes, so that a narrow line far from 0 keeps its digits.
template <class X, class W>
Moments moments(std::size_t n, X x, W weight) {
  double sum = 0, first = 0, second = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += weight(i);
    first += weight(i) * x(i);
  }
  const double mean = first / sum;
  for (std::size_t i = 0; i < n; ++i) second += weight(i) * (x(i) - mean) * (x(i) - mean);
  return {mean, std::sqrt(second / sum)};
}

// Where a line between two samples crosses `level`, as a fraction of the way from a to b.
double crossing(double a, double b, double level) { return (level - a) / (b - a); }

// Positions, in samples, where y falls to level on both sides of index `from` going outwards; NaN where it never does.
std::pair<double, double> crossings_around(const std::vector<double>& y, std::size_t from, double level) {
  double left = nan, right = nan;
  for (std::size_t i = from; i > 0; --i)
    if (y[i - 1] < level) {
      left = static_cast<double>(i - 1) + crossing(y[i - 1], y[i], level);
      break;
    }
  for (std::size_t i = from; i + 1 < y.size(); ++i)
    if (y[i + 1] < level) {
      right = static_cast<double>(i) + crossing(y[i], y[i + 1], level);
      break;
    }
  return {left, right};
}

// The first and the last crossing of level, in samples.
std::pair<double, double> outermost_crossings(const std::vector<double>& y, double level) {
  double left = nan, right = nan;
  for (std::size_t i = 0; i < y.size() && y[i] < level; ++i)
    if (i + 1 < y.size() && y[i + 1] >= level) left = static_cast<double>(i) + crossing(y[i], y[i + 1], level);
  for (std::size_t i = y.size(); i-- > 1 && y[i] < level;)
    if (y[i - 1] >= level) right = static_cast<double>(i - 1) + crossing(y[i - 1], y[i], level);
  return {left, right};
}

std::vector<double> powers(std::span<const Complex> row) {
  std::vector<double> power(row.size());
  std::transform(row.begin(), row.end(), power.begin(), [](Complex a) { return std::norm(a); });
  return power;
}

std::vector<double> width_20db(const Grid& grid, std::span<const Complex> state) {
  std::vector<double> db;  // 10 log10 of the density, frequencies rising, omega > 0 only
  std::vector<double> omega;
  for (std::int64_t j = 0; j < grid.n; ++j) {
    const std::int64_t k = grid.rising(j);
    if (grid.omega(k) <= 0) continue;
    omega.push_back(grid.omega(k));
    db.push_back(10 * std::log10(std::max(std::norm(state[static_cast<std::size_t>(k)]), 1e-300)));
  }
  if (db.empty()) return {nan, nan};
  const double peak = *std::max_element(db.begin(), db.end());
  const auto [low, high] = outermost_crossings(db, peak - 20);
  const auto wavelength = [&](double index) {
    return 2 * constants::pi * constants::c / (omega.front() + index * grid.domega);
  };
  return {wavelength(high), wavelength(low)};
}

double full_width(const Grid& grid, std::span<const Complex> time, bool widest) {
  const std::vector<double> power = powers(time);
  const auto peak = std::max_element(power.begin(), power.end());
  if (!(*peak > 0)) return nan;
  const auto [left, right] = widest
                                 ? outermost_crossings(power, *peak / 2)
                                 : crossings_around(power, static_cast<std::size_t>(peak - power.begin()), *peak / 2);
  return (right - left) * grid.dt;
}

double band_energy(const StatisticRequest& request, const Grid& grid, std::span<const Complex> state) {
  double sum = 0;
  for (std::int64_t k = 0; k < grid.n; ++k) {
    const double omega = grid.omega(k);
    if (omega <= 0) continue;
    const double wavelength = 2 * constants::pi * constants::c / omega;
    if (wavelength >= request.shortest && wavelength <= request.longest)
      sum += std::norm(state[static_cast<std::size_t>(k)]);
  }
  return sum * grid.window;
}

Moments time_moments(const Grid& grid, std::span<const Complex> time) {
  return moments(
      time.size(), [&](std::size_t j) { return grid.time(static_cast<std::int64_t>(j)); },
      [&](std::size_t j) { return std::norm(time[j]); });
}

Moments omega_moments(const Grid& grid, std::span<const Complex> state) {
  Moments m = moments(
      state.size(), [&](std::size_t k) { return grid.offset(static_cast<std::int64_t>(k)); },
      [&](std::size_t k) { return std::norm(state[k]); });
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

double energy(const Grid& grid, std::span<const Complex> state) {
  double sum = 0;
  for (const Complex& a : state) sum += std::norm(a);
  return sum * grid.window;
}

double photon_number(const Grid& grid, std::span<const Complex> state) {
  double sum = 0;
  for (std::int64_t k = 0; k < grid.n; ++k)
    if (const double omega = grid.omega(k); omega != 0) sum += std::norm(state[static_cast<std::size_t>(k)]) / omega;
  return sum * grid.window / constants::hbar;
}

std::vector<double> statistic(const StatisticRequest& request, const Grid& grid, const PlaneRows& rows) {
  switch (request.quantity) {
    case Quantity::energy:
      return {energy(grid, rows.state)};
    case Quantity::photon_number:
      return {photon_number(grid, rows.state)};
    case Quantity::energy_band:
      return {band_energy(request, grid, rows.state)};
    case Quantity::width_20db:
      return width_20db(grid, rows.state);
    case Quantity::centroid_omega:
      return {omega_moments(grid, rows.state).mean};
    case Quantity::rms_omega:
      return {omega_moments(grid, rows.state).rms};
    case Quantity::centroid_time:
      return {time_moments(grid, rows.time).mean};
    case Quantity::rms_time:
      return {time_moments(grid, rows.time).rms};
    case Quantity::fwhm_time:
      return {full_width(grid, rows.time, false)};
    case Quantity::fwhm_time_widest:
      return {full_width(grid, rows.time, true)};
    case Quantity::peak_power: {
      const std::vector<double> power = powers(rows.time);
      return {*std::max_element(power.begin(), power.end())};
    }
  }
  return {nan};
}

}  // namespace lumarch
