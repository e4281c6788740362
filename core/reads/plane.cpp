// SPDX-License-Identifier: Apache-2.0
#include "reads/plane.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "media/constants.hpp"
#include "media/design.hpp"
#include "reads/shapes.hpp"
#include "reads/wants.hpp"
#include "reads/width_budget.hpp"
#include "translate/file_order.hpp"

namespace lumarch {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = constants::pi, c = constants::c;

double largest(const std::vector<double>& values) {
  return values.empty() ? nan : *std::max_element(values.begin(), values.end());
}

}  // namespace

PlaneReading::PlaneReading(const Problem& problem, const UppeTables& tables, double z, PlaneRows rows)
    : problem_(problem), tables_(tables), z_(z), rows_(std::move(rows)), spectrum_(rising(rows_.spectrum)) {
  // The state of a gas is an equation to be solved, so this is asked for once a plane, not once a sample.
  if (tables.route == Route::mode_averaged)
    axis_scale_ = 1 / (tables.intensity * tables.optics->area(0, tables.optics->at(z)));
  if (tables.route == Route::modal && tables.pre_scale) axis_scale_ = tables.pre_scale(z) * tables.pre_scale(z);
}

std::vector<double> PlaneReading::rising(const std::vector<double>& spectrum) const {
  const BandGrid& grid = tables_.grid;
  std::vector<double> density(spectrum.size());
  for (std::size_t j = 0; j < density.size(); ++j)
    density[j] = spectrum[static_cast<std::size_t>(grid.rising(static_cast<std::int64_t>(j)))] / grid.domega;
  return density;
}

double PlaneReading::energy() const {
  double sum = 0;
  for (const double e : rows_.spectrum) sum += e;
  return sum;
}

double PlaneReading::photons() const {
  double sum = 0;
  for (std::int64_t j = 0; j < tables_.grid.samples; ++j)
    if (const double omega = tables_.grid.omega(tables_.grid.rising(j)); omega != 0)
      sum += spectrum_[static_cast<std::size_t>(j)] / omega;
  return sum * tables_.grid.domega / constants::hbar;
}

double PlaneReading::axis_sum() const {
  double sum = 0;
  for (const double e2 : rows_.axis_power) sum += e2;
  return axis_scale_ * sum;
}

double PlaneReading::axis_peak() const { return axis_scale_ * largest(rows_.axis_power); }

std::vector<double> PlaneReading::axis_intensity() const {
  std::vector<double> row = rows_.axis_power;
  for (double& value : row) value *= tables_.intensity * axis_scale_;
  return row;
}

// The rows count abs(S)^2 of a sample, and a field in time is the sum of its samples.
std::vector<double> PlaneReading::axis_density() const {
  std::vector<double> row = rising(rows_.axis_spectrum);
  for (double& value : row) value *= tables_.intensity * axis_scale_ * tables_.grid.window;
  return row;
}

std::vector<double> PlaneReading::axis_field() const {
  std::vector<double> size;
  for (const double e2 : rows_.axis_real) size.push_back(std::sqrt(axis_scale_ * e2));
  return size;
}

double PlaneReading::peak_intensity() const {
  if (!tables_.transverse) return tables_.intensity * axis_peak();
  const double nodes = largest(rows_.peak);
  return tables_.route == Route::radial ? std::max(nodes, tables_.intensity * axis_peak()) : nodes;
}

double PlaneReading::over_rates() const {
  double least = 0;
  for (const UppeResponse& response : tables_.responses)
    if (response.rates) least = least > 0 ? std::min(least, response.rates->field_max) : response.rates->field_max;
  return least > 0 ? largest(axis_field()) / least : 0;
}

// Free electrons on the axis once the pulse has passed, of all gases.
double PlaneReading::electron_density() const {
  const std::vector<double> field = axis_field();
  double sum = 0;
  for (const UppeResponse& response : tables_.responses) {
    const auto* p = std::get_if<lm_p_plasma>(&response.params);
    if (!p || !response.rates) continue;
    double passed = 0, before = 0;
    for (const double e : field) {
      const double now = rate(*response.rates, e);
      passed += tables_.grid.dt() * (before + now) / 2;
      before = now;
    }
    const double density = p->density * (response.scale ? response.scale(z_) : 1);
    sum += density * (p->fraction + (1 - p->fraction) * -std::expm1(-passed));
  }
  return sum;
}

double PlaneReading::peak_ionisation_rate() const {
  double most = 0;
  for (const UppeResponse& response : tables_.responses)
    if (response.rates)
      for (const double e : axis_field()) most = std::max(most, rate(*response.rates, e));
  return most;
}

// The one nearest to the reference where there are several within what is propagated.
double PlaneReading::zero_dispersion() const {
  const BandGrid& grid = tables_.grid;
  const Optics& optics = *tables_.optics;
  Range band{HUGE_VAL, 0};
  for (std::int64_t k = 0; k < grid.samples; ++k) {
    if (grid.weight[static_cast<std::size_t>(k)] < 1) continue;
    band.shortest = std::min(band.shortest, 2 * pi * c / grid.omega(k));
    band.longest = std::max(band.longest, 2 * pi * c / grid.omega(k));
  }
  if (!(band.longest > band.shortest)) return nan;
  const Conditions here = optics.at(z_);
  const double reference = 2 * pi * c / grid.omega0;
  double nearest = nan;
  for (const double zero : zero_dispersion_wavelengths(optics.dispersion(here), band))
    if (!(std::abs(zero - reference) >= std::abs(nearest - reference))) nearest = zero;
  return nearest;
}

// How often a number of the fluence map, or of a row, has been rounded at most on its way into a sum over them.
std::int64_t PlaneReading::roundings(std::int64_t numbers) const {
  return width_roundings(std::max(tables_.grid.samples, tables_.grid.times) * tables_.components, numbers);
}

// 2 sqrt(<(x - xc)^2>) and the same along y; radial: sqrt(2 <r^2>), twice.
std::vector<double> PlaneReading::beam_radius(const std::string& name) const {
  const Transverse& nodes = *tables_.transverse;
  const std::int64_t n = roundings(tables_.outer * tables_.inner);
  const auto each = [&](const auto& take) {
    for (std::int64_t y = 0; y < tables_.outer; ++y)
      for (std::int64_t x = 0; x < tables_.inner; ++x)
        take(rows_.fluence[static_cast<std::size_t>(y * tables_.inner + x)] * nodes.area(y, x), nodes.x(x), nodes.y(y));
  };
  EnergySum all;
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0, reach_x = 0, reach_y = 0;
  each([&](double f, double x, double y) { all.add(f), x1 += f * x, y1 += f * y; });
  const double whole = not_negative(all.sum, width_budget(n, all.size), name, z_);
  if (!(whole > 0)) return {nan, nan};
  const bool radial = tables_.route == Route::radial;
  const double xc = radial ? 0 : x1 / whole, yc = y1 / whole;
  each([&](double f, double x, double y) {
    const double dx2 = (x - xc) * (x - xc), dy2 = (y - yc) * (y - yc);
    x2 += f * dx2, y2 += f * dy2;
    reach_x = std::max(reach_x, dx2), reach_y = std::max(reach_y, dy2);
  });
  const double along_x = not_negative(x2, width_budget(n, all.size, reach_x), name, z_) / whole;
  if (radial) return {std::sqrt(2 * along_x), std::sqrt(2 * along_x)};
  if (tables_.route == Route::line) return {2 * std::sqrt(along_x), nan};
  const double along_y = not_negative(y2, width_budget(n, all.size, reach_y), name, z_) / whole;
  return {2 * std::sqrt(along_x), 2 * std::sqrt(along_y)};
}

// Twice the radius at which the mean of a ring about the axis falls to half of the axis' own fluence.
double PlaneReading::ring_width(const std::string& name) const {
  const Transverse& nodes = *tables_.transverse;
  EnergySum all;
  for (std::int64_t y = 0; y < tables_.outer; ++y)
    for (std::int64_t x = 0; x < tables_.inner; ++x)
      all.add(rows_.fluence[static_cast<std::size_t>(y * tables_.inner + x)] * nodes.area(y, x));
  if (!(not_negative(all.sum, width_budget(roundings(tables_.outer * tables_.inner), all.size), name, z_) > 0))
    return nan;
  std::vector<double> radius = {0}, mean;
  if (tables_.route == Route::radial) {
    mean.push_back(tables_.intensity * axis_sum() * tables_.grid.dt());
    for (std::int64_t x = 0; x < tables_.inner; ++x)
      radius.push_back(nodes.x(x)), mean.push_back(rows_.fluence[static_cast<std::size_t>(x)]);
  } else {
    const std::int64_t cx = tables_.inner / 2, cy = tables_.outer / 2;
    const double dx = tables_.inner > 1 ? nodes.x(1) - nodes.x(0) : 1,
                 dy = tables_.outer > 1 ? nodes.y(1) - nodes.y(0) : dx, width = std::max(dx, dy);
    std::vector<double> sum, count;
    for (std::int64_t y = 0; y < tables_.outer; ++y)
      for (std::int64_t x = 0; x < tables_.inner; ++x) {
        const double r = std::hypot(nodes.x(x) - nodes.x(cx), nodes.y(y) - nodes.y(cy));
        const auto ring = static_cast<std::size_t>(std::lround(r / width));
        if (ring >= sum.size()) sum.resize(ring + 1), count.resize(ring + 1);
        sum[ring] += rows_.fluence[static_cast<std::size_t>(y * tables_.inner + x)];
        count[ring] += 1;
      }
    for (std::size_t i = 0; i < sum.size(); ++i) {
      if (i > 0) radius.push_back(static_cast<double>(i) * width);
      mean.push_back(count[i] > 0 ? sum[i] / count[i] : 0);
    }
  }
  for (std::size_t i = 1; i < mean.size(); ++i)
    if (mean[i] < mean[0] / 2)
      return 2 * (radius[i - 1] + (radius[i] - radius[i - 1]) * (mean[0] / 2 - mean[i - 1]) / (mean[i] - mean[i - 1]));
  return nan;
}

std::vector<double> PlaneReading::spectral(const StatisticRequest& request, const std::vector<double>& density) const {
  const BandGrid& grid = tables_.grid;
  const auto omega = [&](std::size_t j) { return grid.omega(grid.rising(static_cast<std::int64_t>(j))); };
  const auto sum = [&](const auto& weight) {
    double total = 0;
    for (std::size_t j = 0; j < density.size(); ++j) total += density[j] * weight(omega(j));
    return total * grid.domega;
  };
  const auto of_omega = [&] { return moments(density.size(), omega, [&](std::size_t j) { return density[j]; }); };
  switch (request.quantity) {
    case Quantity::energy:
      return {sum([](double) { return 1.0; })};
    case Quantity::photon_number:
      return {sum([](double at) { return at != 0 ? 1 / (constants::hbar * at) : 0.0; })};
    case Quantity::energy_band:
      return {sum([&](double at) {
        const double wavelength = at > 0 ? 2 * pi * c / at : HUGE_VAL;
        return wavelength >= request.shortest && wavelength <= request.longest ? 1.0 : 0.0;
      })};
    case Quantity::width_20db: {
      const auto [low, high] = span_20db(density);
      const auto wavelength = [&](double at) { return 2 * pi * c / (omega(0) + at * grid.domega); };
      return {wavelength(high), wavelength(low)};
    }
    case Quantity::centroid_omega:
      return {of_omega().mean};
    default:
      return {of_omega().rms(roundings(static_cast<std::int64_t>(density.size())), request.name, z_)};
  }
}

std::vector<double> PlaneReading::temporal(const StatisticRequest& request, const std::vector<double>& power) const {
  const BandGrid& grid = tables_.grid;
  const auto of_time = [&] {
    return moments(
        power.size(), [&](std::size_t j) { return grid.time(static_cast<std::int64_t>(j)); },
        [&](std::size_t j) { return power[j]; });
  };
  switch (request.quantity) {
    case Quantity::centroid_time:
      return {of_time().mean};
    case Quantity::rms_time:
      return {of_time().rms(roundings(static_cast<std::int64_t>(power.size())), request.name, z_)};
    case Quantity::fwhm_time:
      return {full_width(power, false) * grid.dt()};
    case Quantity::fwhm_time_widest:
      return {full_width(power, true) * grid.dt()};
    default:
      return {largest(power)};
  }
}

std::vector<double> PlaneReading::statistic(const StatisticRequest& request) const {
  const PlaneRows::Through* through = nullptr;
  if (request.aperture)
    through = &(request.aperture->plane == Aperture::Plane::far_field ? rows_.far : rows_.near)
                   .at(which_aperture(problem_, *request.aperture));
  switch (request.quantity) {
    case Quantity::energy:
    case Quantity::photon_number:
    case Quantity::energy_band:
    case Quantity::width_20db:
    case Quantity::centroid_omega:
    case Quantity::rms_omega:
      return spectral(request, through ? rising(through->spectrum) : spectrum_);
    case Quantity::centroid_time:
    case Quantity::rms_time:
    case Quantity::fwhm_time:
    case Quantity::fwhm_time_widest:
    case Quantity::peak_power:
      return temporal(request, through ? through->power : rows_.power);
    case Quantity::mode_energy:
      return rows_.nodes;
    case Quantity::peak_intensity:
      return {peak_intensity()};
    case Quantity::on_axis_intensity:
      return {tables_.intensity * axis_peak()};
    case Quantity::on_axis_fluence:
      return {tables_.intensity * axis_sum() * tables_.grid.dt()};
    case Quantity::beam_radius:
      return tables_.transverse ? beam_radius(request.name) : std::vector<double>{nan, nan};
    case Quantity::fwhm_r:
      return {tables_.transverse ? ring_width(request.name) : nan};
    case Quantity::density:
      return {tables_.optics->density(tables_.optics->at(z_))};
    case Quantity::pressure:
      return {tables_.optics->at(z_).pressure};
    case Quantity::core_radius:
      return {tables_.optics->at(z_).radius};
    case Quantity::electron_density:
      return {electron_density()};
    case Quantity::zdw:
      return {zero_dispersion()};
    case Quantity::on_axis_spectrum:
      return axis_density();
    case Quantity::on_axis_time:
      return axis_intensity();
    case Quantity::peak_ionisation_rate:
      return {peak_ionisation_rate()};
  }
  return {nan};
}

std::vector<Complex> rising_field(const UppeTables& tables, std::span<const Complex> state) {
  const BandGrid& grid = tables.grid;
  std::vector<Complex> field;
  field.reserve(state.size());
  // a state's phases refer to the first samples in time and space
  const std::vector<Complex> phases = file_phases(grid);
  for_each_file_row(tables, [&](std::size_t first, Complex factor) {
    const Complex* row = state.data() + first;
    for (std::int64_t j = 0; j < grid.samples; ++j)
      field.push_back(factor * phases[static_cast<std::size_t>(j)] * row[grid.rising(j)]);
  });
  return field;
}

}  // namespace lumarch
