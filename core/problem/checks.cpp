// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
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
  if (pulse.shape == Shape::cw || pulse.shape >= Shape::file) return std::nullopt;
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
    // With a band two samples belong to the shortest period.
    const double dt = time.band         ? time.band->shortest / (2 * kSpeedOfLight)
                      : time.points > 0 ? window / static_cast<double>(time.points)
                                        : 0;
    if (*fwhm < dt) {
      context.add(width, "the pulse (FWHM " + short_number(*fwhm) + " s) is shorter than a sample (" +
                             short_number(dt) + " s); take " +
                             (time.band ? "a shorter wavelength into /time/band" : "more /time/points"));
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

// The tables of a medium of the model uppe, and where they stand.
void for_each_curve(const Medium& medium, const std::function<void(const Curve&, const std::string&)>& take) {
  const auto curve = [&](const std::optional<Curve>& one, const std::string& place) {
    if (one) take(*one, place);
  };
  const auto material = [&](const Material& one, const std::string& place) {
    curve(one.table, place);
    curve(one.extinction, place);
  };
  std::visit(
      [&](const auto& kind) {
        if constexpr (requires { kind.wall; }) material(kind.wall, "/medium/wall");
        if constexpr (requires { kind.core; }) material(kind.core, "/medium/core");
        if constexpr (requires { kind.cladding; }) material(kind.cladding, "/medium/cladding");
        if constexpr (requires { kind.material; }) {
          material(kind.material, kind.material_x ? "/medium/material/y" : "/medium/material");
          if (kind.material_x) material(*kind.material_x, "/medium/material/x");
        }
        if constexpr (requires { kind.effective_area_curve; }) {
          take(kind.index, "/medium/index");
          curve(kind.loss_curve, "/medium/loss");
          curve(kind.effective_area_curve, "/medium/effective_area");
        }
      },
      medium);
}

void check_curves(const Problem& problem, Context& context) {
  std::vector<double> wavelengths{problem.wavelength};
  for (const Pulse& pulse : problem.launch) {
    if (pulse.wavelength) wavelengths.push_back(*pulse.wavelength);
  }
  for (std::size_t i = 0; i < problem.launch.size(); ++i) {
    const Pulse& pulse = problem.launch[i];
    if (pulse.spectral_phase)
      check_curve(*pulse.spectral_phase, "/launch/" + std::to_string(i) + "/spectral_phase",
                  {pulse.wavelength.value_or(problem.wavelength)}, context);
  }
  if (problem.uppe) {
    for_each_curve(problem.uppe->medium, [&](const Curve& curve, const std::string& place) {
      if (curve.x.size() > 1) check_curve(curve, place, wavelengths, context);  // else it was not readable
    });
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

// The frequencies of the grid, rad/s, and what to change where light lies outside.
struct Reach {
  double low, high;
  const char* remedy;
  [[nodiscard]] bool has(double wavelength) const { return omega_of(wavelength) > low && omega_of(wavelength) < high; }
};

Reach reach_of(const Problem& problem) {
  if (const auto& band = problem.time.band) {
    // Both ends are inside.
    constexpr double kInside = 1e-12;
    return {omega_of(band->longest) * (1 - kInside), omega_of(band->shortest) * (1 + kInside),
            "widen /time/band or take another wavelength"};
  }
  const double reach = pi * static_cast<double>(problem.time.points) / problem.time.window;
  const double centre = omega_of(problem.wavelength);
  return {centre - reach, centre + reach, "take more /time/points or a nearer /wavelength"};
}

void check_band(const Problem& problem, Context& context) {
  const Reach reach = reach_of(problem);
  const auto edge = [&](double omega) { return omega > 0 ? nanometres(omega_of(1) / omega) : "any longer one"; };
  const std::string band = edge(reach.high) + " to " + edge(reach.low);
  const auto outside = [&](const std::string& place, double wavelength) {
    context.add(place, nanometres(wavelength) + " lies outside the grid's band (" + band + "); " + reach.remedy);
  };
  if (problem.time.band && !reach.has(problem.wavelength)) outside("/wavelength", problem.wavelength);
  for (std::size_t i = 0; i < problem.launch.size(); ++i) {
    const auto& wavelength = problem.launch[i].wavelength;
    if (wavelength && !reach.has(*wavelength)) outside("/launch/" + std::to_string(i) + "/wavelength", *wavelength);
  }
  for (std::size_t i = 0; i < problem.statistics.size(); ++i) {
    const StatisticRequest& request = problem.statistics[i];
    if (request.quantity != Quantity::energy_band) continue;
    if (omega_of(request.longest) < reach.high && omega_of(request.shortest) > reach.low) continue;
    context.add("/statistics", in_quotes(request.name) + " lies outside the grid's band (" + band + ")");
  }
}

bool shines(const Pulse& pulse) {
  if (pulse.run) return true;
  if (pulse.peak_power) return *pulse.peak_power > 0;
  if (pulse.energy) return *pulse.energy > 0;
  if (!pulse.samples) return true;  // not readable, and found elsewhere
  return std::any_of(pulse.samples->power.begin(), pulse.samples->power.end(), [](double p) { return p > 0; });
}

}  // namespace

void check_whole(const Problem& problem, Context& context, const Sound& sound) {
  if (problem.time.window > 0) {
    for (std::size_t i = 0; i < problem.launch.size(); ++i) {
      check_in_time(problem.launch[i], "/launch/" + std::to_string(i), problem.time, context);
    }
  }
  if (problem.wavelength > 0) {
    check_curves(problem, context);
    if (problem.time.band || (problem.time.window > 0 && problem.time.points > 0)) check_band(problem, context);
  }
  if (problem.uppe) check_uppe_whole(problem, context, sound);
}

void check_light(const Problem& problem, Context& context) {
  if (problem.noise || std::any_of(problem.launch.begin(), problem.launch.end(), shines)) return;
  context.add("/launch", "there is neither light nor noise; launch a pulse with a power above zero, or add noise");
}

}  // namespace lumarch::problem
