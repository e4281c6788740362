// SPDX-License-Identifier: Apache-2.0
#include "translate/pulse.hpp"

#include "translate/material.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <lumarch/error.hpp>

#include "media/constants.hpp"
#include "media/dispersion.hpp"
#include "media/spline.hpp"
#include "translate/optics.hpp"
#include "translate/pulse_warnings.hpp"

namespace lumarch {

namespace {

using Complex = std::complex<double>;

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
    case Shape::run:
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

// A table's phase: one that stays within a turn is one that was folded into it. One that does not is as it should be,
// however far apart its points are.
std::vector<double> whole(const std::vector<double>& phase) {
  const auto [low, high] = std::minmax_element(phase.begin(), phase.end());
  return *high - *low <= 2 * constants::pi * (1 + 1e-6) ? unwrapped(phase) : phase;
}

double peak_of(const std::vector<Complex>& field) {
  double peak = 0;
  for (const Complex& a : field) peak = std::max(peak, std::norm(a));
  return peak;
}

Beta beta_of(const Plate& plate) {
  return [index = MaterialIndex(plate.material)](double omega) { return index(omega) * omega / constants::c; };
}

std::array<double, 6> derivatives_of(const Plate& plate, std::size_t index, double omega) {
  try {
    return beta_derivatives(beta_of(plate), omega);
  } catch (const Error& error) {
    throw Error(Fault::problem, "/launch: a pulse's plates/" + std::to_string(index) + ": " + error.what());
  }
}

// exp(i phi) of all that acts on a pulse's spectrum, at absolute frequencies.
class SpectralPhase {
public:
  SpectralPhase(const Pulse& pulse, double own) : pulse_(pulse), own_(own) {
    for (std::size_t i = 0; i < pulse.plates.size(); ++i) {
      const auto d = derivatives_of(pulse.plates[i], i, own);
      plates_.push_back({beta_of(pulse.plates[i]), pulse.plates[i].thickness, d[0], d[1]});
    }
    if (pulse.spectral_phase) table_.emplace(pulse.spectral_phase->x, whole(pulse.spectral_phase->y));
  }
  [[nodiscard]] bool any() const { return pulse_.gdd != 0 || pulse_.tod != 0 || table_ || !plates_.empty(); }

  // `from_own` is omega less the pulse's own frequency. Not finite where a plate lets nothing through.
  [[nodiscard]] double phase(double from_own) const {
    const double w = from_own, omega = own_ + w;
    double phase = w * w * (pulse_.gdd / 2 + w * pulse_.tod / 6);
    if (table_) phase += (*table_)(std::clamp(omega, table_->first(), table_->last()));
    for (const Passed& plate : plates_) {
      const double beta = omega > 0 ? plate.beta(omega) : 0;
      if (!(std::isfinite(beta) && beta > 0)) return std::nan("");
      phase += plate.thickness * (beta - plate.beta0 - plate.beta1 * w);
    }
    return phase;
  }
  [[nodiscard]] Complex operator()(double from_own) const {
    const double all = phase(from_own);
    return std::isfinite(all) ? std::polar(1.0, all) : 0;
  }

private:
  struct Passed {
    Beta beta;
    double thickness, beta0, beta1;
  };
  const Pulse& pulse_;
  double own_;
  std::vector<Passed> plates_;
  std::optional<Spline> table_;
};

void scale(std::vector<Complex>& row, double factor) {
  for (Complex& a : row) a *= factor;
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
    case Shape::run:
      break;
  }
  return 0;
}

double shape_amplitude(const Pulse& pulse, double t) { return amplitude(pulse, natural_width(pulse), t); }

std::function<double(double)> spectral_phase(const Pulse& pulse, double wavelength) {
  const double own = 2 * constants::pi * constants::c / pulse.wavelength.value_or(wavelength);
  SpectralPhase all(pulse, own);
  if (!all.any()) return {};
  return [all](double from_own) { return all.phase(from_own); };
}

double second_order_phase(const Pulse& pulse, double wavelength) {
  const double own = 2 * constants::pi * constants::c / pulse.wavelength.value_or(wavelength);
  double phase = pulse.gdd;
  for (std::size_t i = 0; i < pulse.plates.size(); ++i)
    phase += pulse.plates[i].thickness * derivatives_of(pulse.plates[i], i, own)[2];
  return phase;
}

double peak_power(const Pulse& pulse) {
  const double t0 = natural_width(pulse);
  if (pulse.peak_power) return *pulse.peak_power;
  if (!pulse.energy || t0 <= 0) return 0;
  switch (pulse.shape) {
    case Shape::gauss:
      return *pulse.energy / (std::sqrt(constants::pi) * t0);
    case Shape::sech:
      return *pulse.energy / (2 * t0);
    case Shape::supergauss:
      return *pulse.energy / (2 * t0 * std::tgamma(1 + 0.5 / pulse.order));
    case Shape::cw:
    case Shape::file:
    case Shape::run:
      break;
  }
  return 0;
}

std::vector<Complex> pulse_field(const Pulse& pulse, const TimeSamples& samples, double wavelength,
                                 const Transforms& transforms) {
  const auto n = static_cast<std::size_t>(samples.n);
  const double t0 = natural_width(pulse);
  // exactly 0 for a pulse at the carrier of its grid
  const double own = 2 * constants::pi * constants::c / pulse.wavelength.value_or(wavelength);
  const double detuning = own == samples.carrier ? 0 : own - samples.carrier;
  std::vector<double> phase;
  if (pulse.samples) phase = unwrapped(pulse.samples->phase);
  std::vector<Complex> field(n);
  for (std::size_t j = 0; j < n; ++j) {
    const double time = samples.time(static_cast<std::int64_t>(j)), t = time - pulse.delay;
    const Complex shape = pulse.samples ? sampled(*pulse.samples, phase, t) : amplitude(pulse, t0, t);
    const double chirp = t0 > 0 ? -pulse.chirp * t * t / (2 * t0 * t0) : 0;
    field[j] = shape * std::polar(1.0, chirp - detuning * time + pulse.cep);
  }
  const SpectralPhase phases(pulse, own);
  if (phases.any()) {
    transforms.to_frequency(field);
    for (std::size_t k = 0; k < n; ++k) {
      const auto i = static_cast<std::int64_t>(k);
      const double step = 2 * constants::pi / (static_cast<double>(samples.n) * samples.dt);
      const double w = static_cast<double>(i < (samples.n + 1) / 2 ? i : i - samples.n) * step - detuning;
      field[k] *= phases(w) / static_cast<double>(n);
    }
    transforms.to_time(field);
  }
  if (pulse.energy) {
    double energy = 0;
    for (const Complex& a : field) energy += std::norm(a) * samples.dt;
    if (energy > 0) scale(field, std::sqrt(*pulse.energy / energy));
  } else if (pulse.peak_power) {
    // without phases the shape's own peak is 1, also where it falls between two samples
    const double peak = phases.any() || pulse.samples ? peak_of(field) : 1;
    if (peak > 0) scale(field, std::sqrt(*pulse.peak_power / peak));
  }
  return field;
}

}  // namespace lumarch
