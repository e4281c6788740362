// SPDX-License-Identifier: Apache-2.0
#include "reads/plane.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "media/constants.hpp"
#include "media/design.hpp"
#include "reads/shapes.hpp"

namespace lumarch {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = constants::pi, c = constants::c;

double largest(const std::vector<double>& values) {
  return values.empty() ? nan : *std::max_element(values.begin(), values.end());
}

}  // namespace

PlaneReading::PlaneReading(const UppeTables& tables, double z, std::span<const Complex> state,
                           std::span<const Complex> time)
    : tables_(tables), z_(z), state_(state), time_(time) {
  const BandGrid& grid = tables.grid;
  const auto samples = static_cast<std::size_t>(grid.samples);
  const std::size_t plane = tables.energy.size() / static_cast<std::size_t>(tables.own_components);
  std::vector<double> density(samples);
  mode_energy_.assign(static_cast<std::size_t>(tables.inner), 0.0);
  for (std::int64_t component = 0; component < tables.components; ++component)
    for (std::size_t i = 0; i < plane; ++i) {
      const std::size_t at = static_cast<std::size_t>(component) * plane + i;
      const double e = tables.energy[tables.own_components == 1 ? i : at] * std::norm(state[at]);
      density[i % samples] += e;
      mode_energy_[i / samples % mode_energy_.size()] += e;
    }
  spectrum_.resize(samples);
  for (std::int64_t j = 0; j < grid.samples; ++j)
    spectrum_[static_cast<std::size_t>(j)] = density[static_cast<std::size_t>(grid.rising(j))] / grid.domega;

  // The state of a gas is an equation to be solved, so this is asked for once a plane, not once a sample.
  if (tables.route == Route::mode_averaged)
    mode_field_ = 1 / std::sqrt(tables.intensity * tables.optics->area(0, tables.optics->at(z)));
  power_.assign(static_cast<std::size_t>(grid.times), 0.0);
  const bool free = tables.transverse != nullptr;
  if (free) fluence_.assign(static_cast<std::size_t>(tables.outer * tables.inner), 0.0);
  const std::int64_t skipped = tables.reading_inner - tables.inner;  // a radial reading begins with the axis
  for (std::int64_t component = 0; component < tables.components; ++component) {
    const double intensity = tables.component_intensity[static_cast<std::size_t>(component)];
    for (std::int64_t y = 0; y < tables.outer; ++y)
      for (std::int64_t x = 0; x < tables.inner; ++x) {
        const auto field = row(component, y, x + skipped);
        const double weight = free ? intensity * tables.transverse->area(y, x) : 1;
        double sum = 0;
        for (std::size_t j = 0; j < power_.size(); ++j) {
          const double size = std::norm(field[j]);
          power_[j] += weight * size;
          sum += size;
        }
        if (free) fluence_[static_cast<std::size_t>(y * tables.inner + x)] += intensity * sum * grid.dt();
      }
  }
}

std::span<const Complex> PlaneReading::row(std::int64_t component, std::int64_t y, std::int64_t x) const {
  const std::int64_t at = ((component * tables_.outer + y) * tables_.reading_inner + x) * tables_.grid.times;
  return time_.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(tables_.grid.times));
}

double PlaneReading::energy() const {
  double sum = 0;
  for (const double e : mode_energy_) sum += e;
  return sum;
}

double PlaneReading::photons() const {
  double sum = 0;
  for (std::int64_t j = 0; j < tables_.grid.samples; ++j)
    if (const double omega = tables_.grid.omega(tables_.grid.rising(j)); omega != 0)
      sum += spectrum_[static_cast<std::size_t>(j)] / omega;
  return sum * tables_.grid.domega / constants::hbar;
}

std::int64_t PlaneReading::axis_components() const {
  return tables_.route == Route::modal ? tables_.space_components : tables_.components;
}

// The field on the axis: for a mode average the one that the responses see.
Complex PlaneReading::axis(std::int64_t component, std::int64_t j) const {
  const auto at = [&](std::int64_t y, std::int64_t x) { return row(component, y, x)[static_cast<std::size_t>(j)]; };
  switch (tables_.route) {
    case Route::radial:
      return at(0, 0);
    case Route::line:
    case Route::cartesian:
      return at(tables_.outer / 2, tables_.inner / 2);
    case Route::mode_averaged:
      return row(0, 0, 0)[static_cast<std::size_t>(j)] * mode_field_;
    case Route::modal:
      break;
  }
  const double scale = tables_.pre_scale ? tables_.pre_scale(z_) : 1;
  Complex sum = 0;
  const std::size_t which = tables_.space_components == 2 ? static_cast<std::size_t>(component) : 1;
  for (std::int64_t x = 0; x < tables_.inner; ++x)
    sum += scale * tables_.axis_field[static_cast<std::size_t>(x)][which] * row(0, 0, x)[static_cast<std::size_t>(j)];
  return sum;
}

std::vector<double> PlaneReading::axis_field2() const {
  std::vector<double> field2(static_cast<std::size_t>(tables_.grid.times), 0.0);
  for (std::int64_t component = 0; component < axis_components(); ++component) {
    const double share = tables_.component_intensity[static_cast<std::size_t>(component)] / tables_.intensity;
    for (std::int64_t j = 0; j < tables_.grid.times; ++j)
      field2[static_cast<std::size_t>(j)] += share * std::norm(axis(component, j));
  }
  return field2;
}

std::vector<double> PlaneReading::axis_field() const {
  std::vector<double> size(static_cast<std::size_t>(tables_.grid.times), 0.0);
  for (std::int64_t component = 0; component < axis_components(); ++component)
    for (std::int64_t j = 0; j < tables_.grid.times; ++j)
      size[static_cast<std::size_t>(j)] = std::hypot(size[static_cast<std::size_t>(j)], axis(component, j).real());
  return size;
}

double PlaneReading::peak_intensity() const {
  if (!tables_.transverse) return tables_.intensity * largest(axis_field2());
  const auto n = static_cast<std::size_t>(tables_.grid.times);
  std::vector<double> sum(n);
  double peak = 0;
  for (std::int64_t y = 0; y < tables_.outer; ++y)
    for (std::int64_t x = 0; x < tables_.reading_inner; ++x) {
      std::fill(sum.begin(), sum.end(), 0.0);
      for (std::int64_t component = 0; component < tables_.components; ++component) {
        const auto field = row(component, y, x);
        const double share = tables_.component_intensity[static_cast<std::size_t>(component)] / tables_.intensity;
        for (std::size_t j = 0; j < n; ++j) sum[j] += share * std::norm(field[j]);
      }
      peak = std::max(peak, largest(sum));
    }
  return tables_.intensity * peak;
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

// 2 sqrt(<(x - xc)^2>) and the same along y; radial: sqrt(2 <r^2>), twice.
std::vector<double> PlaneReading::beam_radius() const {
  const Transverse& nodes = *tables_.transverse;
  double all = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  const auto each = [&](const auto& take) {
    for (std::int64_t y = 0; y < tables_.outer; ++y)
      for (std::int64_t x = 0; x < tables_.inner; ++x)
        take(fluence_[static_cast<std::size_t>(y * tables_.inner + x)] * nodes.area(y, x), nodes.x(x), nodes.y(y));
  };
  each([&](double f, double x, double y) { all += f, x1 += f * x, y1 += f * y; });
  if (!(all > 0)) return {nan, nan};
  const bool radial = tables_.route == Route::radial;
  const double xc = radial ? 0 : x1 / all, yc = y1 / all;
  each([&](double f, double x, double y) { x2 += f * (x - xc) * (x - xc), y2 += f * (y - yc) * (y - yc); });
  if (radial) return {std::sqrt(2 * x2 / all), std::sqrt(2 * x2 / all)};
  return {2 * std::sqrt(x2 / all), tables_.route == Route::line ? nan : 2 * std::sqrt(y2 / all)};
}

// Twice the radius at which the mean of a ring about the axis falls to half of the axis' own fluence.
double PlaneReading::ring_width() const {
  const Transverse& nodes = *tables_.transverse;
  std::vector<double> radius = {0}, mean;
  if (tables_.route == Route::radial) {
    double axis_sum = 0;
    for (const double e2 : axis_field2()) axis_sum += e2;
    mean.push_back(tables_.intensity * axis_sum * tables_.grid.dt());
    for (std::int64_t x = 0; x < tables_.inner; ++x)
      radius.push_back(nodes.x(x)), mean.push_back(fluence_[static_cast<std::size_t>(x)]);
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
        sum[ring] += fluence_[static_cast<std::size_t>(y * tables_.inner + x)];
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

std::vector<double> PlaneReading::statistic(const StatisticRequest& request) const {
  const BandGrid& grid = tables_.grid;
  const auto omega = [&](std::size_t j) { return grid.omega(grid.rising(static_cast<std::int64_t>(j))); };
  const auto time_moments = [&] {
    return moments(
        power_.size(), [&](std::size_t j) { return grid.time(static_cast<std::int64_t>(j)); },
        [&](std::size_t j) { return power_[j]; });
  };
  const auto omega_moments = [&] {
    return moments(spectrum_.size(), omega, [&](std::size_t j) { return spectrum_[j]; });
  };
  switch (request.quantity) {
    case Quantity::energy:
      return {energy()};
    case Quantity::photon_number:
      return {photons()};
    case Quantity::mode_energy:
      return mode_energy_;
    case Quantity::energy_band: {
      double sum = 0;
      for (std::size_t j = 0; j < spectrum_.size(); ++j) {
        const double wavelength = omega(j) > 0 ? 2 * pi * c / omega(j) : HUGE_VAL;
        if (wavelength >= request.shortest && wavelength <= request.longest) sum += spectrum_[j] * grid.domega;
      }
      return {sum};
    }
    case Quantity::width_20db: {
      const auto [low, high] = span_20db(spectrum_);
      const auto wavelength = [&](double at) { return 2 * pi * c / (omega(0) + at * grid.domega); };
      return {wavelength(high), wavelength(low)};
    }
    case Quantity::centroid_omega:
      return {omega_moments().mean};
    case Quantity::rms_omega:
      return {omega_moments().rms};
    case Quantity::centroid_time:
      return {time_moments().mean};
    case Quantity::rms_time:
      return {time_moments().rms};
    case Quantity::fwhm_time:
      return {full_width(power_, false) * grid.dt()};
    case Quantity::fwhm_time_widest:
      return {full_width(power_, true) * grid.dt()};
    case Quantity::peak_power:
      return {largest(power_)};
    case Quantity::peak_intensity:
      return {peak_intensity()};
    case Quantity::on_axis_intensity:
      return {tables_.intensity * largest(axis_field2())};
    case Quantity::on_axis_fluence: {
      double sum = 0;
      for (const double e2 : axis_field2()) sum += e2;
      return {tables_.intensity * sum * grid.dt()};
    }
    case Quantity::beam_radius:
      return tables_.transverse ? beam_radius() : std::vector<double>{nan, nan};
    case Quantity::fwhm_r:
      return {tables_.transverse ? ring_width() : nan};
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
  }
  return {nan};
}

std::vector<Complex> rising_field(const UppeTables& tables, std::span<const Complex> state) {
  const BandGrid& grid = tables.grid;
  const bool fourier = tables.transverse && tables.transverse->fourier();
  std::vector<Complex> field;
  field.reserve(state.size());
  // a state's phases refer to the first samples in time and space
  const auto time_phase = [&](std::int64_t k) {
    const double turn = (grid.half() ? grid.omega(k) : grid.omega(k) - grid.omega0) * grid.first_time();
    return std::polar(grid.window, turn);
  };
  std::vector<Complex> phases;
  for (std::int64_t j = 0; j < grid.samples; ++j) phases.push_back(time_phase(grid.rising(j)));
  for (std::int64_t component = 0; component < tables.components; ++component)
    for (std::int64_t v = 0; v < tables.outer; ++v)
      for (std::int64_t u = 0; u < tables.inner; ++u) {
        const std::int64_t y = fourier ? Transverse::rising(v, tables.outer) : v;
        const std::int64_t x = fourier ? Transverse::rising(u, tables.inner) : u;
        Complex factor = tables.transverse ? tables.transverse->to_file(y, x) : 1;
        if (fourier)
          factor *= std::polar(1.0, -(tables.transverse->kx(x) * tables.transverse->x(0) +
                                      tables.transverse->ky(y) * tables.transverse->y(0)));
        const Complex* row =
            state.data() + static_cast<std::size_t>((component * tables.outer + y) * tables.inner + x) *
                               static_cast<std::size_t>(grid.samples);
        for (std::int64_t j = 0; j < grid.samples; ++j)
          field.push_back(factor * phases[static_cast<std::size_t>(j)] * row[grid.rising(j)]);
      }
  return field;
}

}  // namespace lumarch
