// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "problem/parts.hpp"
#include "problem/text.hpp"

namespace lumarch::problem {

namespace {

using std::numbers::ln2;
using std::numbers::pi;

double omega_of(double wavelength) { return 2 * pi * kSpeedOfLight / wavelength; }

std::string nanometres(double wavelength) { return short_number(wavelength * 1e9) + " nm"; }

std::optional<double> fwhm_of(const Pulse& pulse) {
  if (pulse.shape == Shape::cw || pulse.shape == Shape::file) return std::nullopt;
  if (pulse.fwhm || !pulse.t0) return pulse.fwhm;
  switch (pulse.shape) {
    case Shape::gauss:
      return *pulse.t0 * 2 * std::sqrt(ln2);
    case Shape::sech:
      return *pulse.t0 * 2 * std::log(1 + std::numbers::sqrt2);
    case Shape::supergauss:
      return *pulse.t0 * 2 * std::pow(ln2, 1 / (2.0 * pulse.order));
    default:
      return std::nullopt;
  }
}

void check_in_time(const Pulse& pulse, const std::string& place, const TimeAxis& time, Context& context) {
  const double window = time.window;
  const std::string width = place + (pulse.fwhm ? "/fwhm" : "/t0");
  if (const auto fwhm = fwhm_of(pulse)) {
    if (*fwhm >= window) {
      context.add(width, "the pulse (FWHM " + short_number(*fwhm) + " s) is wider than the window (" +
                             short_number(window) + " s); make /time/window several times wider than it");
    }
    const double dt = time.points > 0 ? window / static_cast<double>(time.points) : 0;
    if (*fwhm < dt) {
      context.add(width, "the pulse (FWHM " + short_number(*fwhm) + " s) is shorter than a sample (" +
                             short_number(dt) + " s); take more /time/points");
    }
  }
  if (std::abs(pulse.delay) >= window / 2) {
    context.add(place + "/delay", "the delay " + short_number(pulse.delay) + " s lies outside the window (" +
                                      short_number(-window / 2) + " s to " + short_number(window / 2) + " s)");
  }
  if (pulse.samples && (pulse.samples->t.back() < -window / 2 || pulse.samples->t.front() > window / 2)) {
    context.add(place + "/file", printable(pulse.samples->file) + " lies outside the window (" +
                                     short_number(-window / 2) + " s to " + short_number(window / 2) + " s)");
  }
}

void check_curve(const Curve& curve, const std::string& place, const std::vector<double>& wavelengths,
                 Context& context) {
  for (const double wavelength : wavelengths) {
    const double omega = omega_of(wavelength);
    if (omega >= curve.x.front() && omega <= curve.x.back()) continue;
    context.add(place, printable(curve.file) + " reaches from " + nanometres(omega_of(1) / curve.x.back()) + " to " +
                           nanometres(omega_of(1) / curve.x.front()) + " and not over the light at " +
                           nanometres(wavelength) + "; nothing is extrapolated");
    return;
  }
}

void check_curves(const Problem& problem, Context& context) {
  std::vector<double> wavelengths{problem.wavelength};
  for (const Pulse& pulse : problem.launch) {
    if (pulse.wavelength) wavelengths.push_back(*pulse.wavelength);
  }
  const Fibre& fibre = problem.medium;
  if (const auto* index = std::get_if<IndexCurve>(&fibre.dispersion)) {
    check_curve(index->index, "/medium/dispersion/index", wavelengths, context);
  }
  if (const auto* beta = std::get_if<PropagationCurve>(&fibre.dispersion)) {
    check_curve(beta->beta, "/medium/dispersion/propagation_constant", wavelengths, context);
  }
  if (fibre.effective_area_curve) {
    check_curve(*fibre.effective_area_curve, "/medium/effective_area", wavelengths, context);
  }
  if (fibre.loss_curve) check_curve(*fibre.loss_curve, "/medium/loss", wavelengths, context);
}

void check_band(const Problem& problem, Context& context) {
  const double reach = pi * static_cast<double>(problem.time.points) / problem.time.window;
  const double centre = omega_of(problem.wavelength);
  const auto edge = [&](double omega) { return omega > 0 ? nanometres(omega_of(1) / omega) : "any longer one"; };
  const std::string band = edge(centre + reach) + " to " + edge(centre - reach);
  for (std::size_t i = 0; i < problem.launch.size(); ++i) {
    const auto& wavelength = problem.launch[i].wavelength;
    if (!wavelength || std::abs(omega_of(*wavelength) - centre) < reach) continue;
    context.add("/launch/" + std::to_string(i) + "/wavelength",
                nanometres(*wavelength) + " lies outside the grid's band (" + band +
                    "); take more /time/points or a nearer /wavelength");
  }
  for (std::size_t i = 0; i < problem.statistics.size(); ++i) {
    const StatisticRequest& request = problem.statistics[i];
    if (request.quantity != Quantity::energy_band) continue;
    if (omega_of(request.longest) < centre + reach && omega_of(request.shortest) > centre - reach) continue;
    context.add("/statistics", in_quotes(request.name) + " lies outside the grid's band (" + band + ")");
  }
}

bool shines(const Pulse& pulse) {
  if (pulse.peak_power) return *pulse.peak_power > 0;
  if (pulse.energy) return *pulse.energy > 0;
  if (!pulse.samples) return true;  // not readable, and found elsewhere
  return std::any_of(pulse.samples->power.begin(), pulse.samples->power.end(), [](double p) { return p > 0; });
}

}  // namespace

void check_whole(const Problem& problem, Context& context) {
  if (problem.time.window > 0) {
    for (std::size_t i = 0; i < problem.launch.size(); ++i) {
      check_in_time(problem.launch[i], "/launch/" + std::to_string(i), problem.time, context);
    }
  }
  if (problem.wavelength > 0) {
    check_curves(problem, context);
    if (problem.time.window > 0 && problem.time.points > 0) check_band(problem, context);
  }
}

void check_light(const Problem& problem, Context& context) {
  if (problem.noise || std::any_of(problem.launch.begin(), problem.launch.end(), shines)) return;
  context.add("/launch", "there is neither light nor noise; launch a pulse with a power above zero, or add noise");
}

}  // namespace lumarch::problem
