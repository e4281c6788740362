// SPDX-License-Identifier: Apache-2.0
#include "translate/pins.hpp"

#include <algorithm>
#include <cstdio>

#include <lumarch/error.hpp>

#include "media/constants.hpp"
#include "media/design.hpp"
#include "translate/optics.hpp"
#include "translate/pulse.hpp"

namespace lumarch {

namespace {

constexpr double kLowestPressure = 100, kHighestPressure = 1e7;  // Pa
constexpr double kLargestRadius = 1e-3;                          // m

std::string text(const char* pattern, double a, double b = 0) {
  char words[200];
  std::snprintf(words, sizeof words, pattern, a, b);
  return words;
}

// Where a pin stands, and how numbers of it are written.
struct Place {
  bool of_pressure;
  [[nodiscard]] std::string pointer() const { return of_pressure ? "/medium/pressure" : "/medium/radius"; }
  [[nodiscard]] std::string name() const { return of_pressure ? "pressure" : "radius"; }
  [[nodiscard]] std::string shown(double value) const {
    return of_pressure ? text("%.5g bar", value * 1e-5) : text("%.5g um", value * 1e6);
  }
};

class Search {
public:
  // `problem` has some number at the place of its pin, which modes do not depend on.
  Search(const Problem& problem, const Place& place, const Pin& pin) : place_(place), pin_(pin), optics_(problem) {
    omega0_ = 2 * constants::pi * constants::c / problem.wavelength;
    pump_ = problem.wavelength;
    if (!problem.launch.empty()) {
      const Pulse& pulse = problem.launch.front();
      pump_ = pulse.wavelength.value_or(pump_);
      power_ = peak_power(pulse);
      t0_ = natural_width(pulse);
    }
    low_ = place.of_pressure ? kLowestPressure : 2 * std::max(pump_, pin.of == Pin::Of::soliton_order ? 0 : pin.value);
    high_ = place.of_pressure ? highest_pressure() : kLargestRadius;
  }

  [[nodiscard]] std::string wanted() const {
    switch (pin_.of) {
      case Pin::Of::zero_dispersion:
        return text("zero dispersion at %.6g nm", pin_.value * 1e9);
      case Pin::Of::dispersive_wave:
        return text("a dispersive wave at %.6g nm of a pulse at %.6g nm", pin_.value * 1e9, pump_ * 1e9);
      case Pin::Of::soliton_order:
        return text("the soliton order %.6g of the first pulse", pin_.value);
    }
    return "";
  }

  [[nodiscard]] double operator()() const {
    const auto found = high_ > low_ ? smallest() : std::nullopt;
    if (found) return *found;
    throw ProblemError(
        {{place_.pointer(), "no " + place_.name() + " from " + place_.shown(low_) + " to " + place_.shown(high_) +
                                " gives " + wanted() + "; ask for another number, or take another gas or " +
                                (place_.of_pressure ? "radius" : "pressure")}});
  }

private:
  [[nodiscard]] Conditions at(double value) const {
    return place_.of_pressure ? optics_.with(value, optics_.radius_at(0)) : optics_.with(optics_.pressure_at(0), value);
  }

  [[nodiscard]] std::optional<double> smallest() const {
    const GuideAt guide = [this](double value) -> Beta {
      return [this, conditions = at(value)](double omega) { return optics_.reference_beta(omega, conditions); };
    };
    switch (pin_.of) {
      case Pin::Of::zero_dispersion:
        return value_of_zero_dispersion(guide, pin_.value, low_, high_);
      case Pin::Of::dispersive_wave:
        return value_of_phase_matching(guide, pump_, pin_.value, low_, high_);
      case Pin::Of::soliton_order:
        return value_of_soliton_order(
            guide, [this](double value) { return strength(at(value)); }, omega0_, pin_.value, low_, high_);
    }
    return std::nullopt;
  }

  // gamma P0 t0^2
  [[nodiscard]] double strength(const Conditions& conditions) const {
    const double chi3 = optics_.chi3(conditions);
    const double n2 = chi3 > 0 ? n2_of_chi3(chi3, optics_.index(omega0_, conditions)) : 0;
    return nonlinear_parameter(n2, omega0_, optics_.area(0, conditions)) * power_ * t0_ * t0_;
  }

  // A gas ends where it becomes a liquid, or its equation of state.
  [[nodiscard]] double highest_pressure() const {
    for (double pressure = kHighestPressure; pressure > kLowestPressure; pressure *= 0.99) {
      try {
        (void)at(pressure);
        return pressure;
      } catch (const Error& error) {
        if (error.fault() != Fault::problem) throw;
      }
    }
    return kLowestPressure;
  }

  Place place_;
  Pin pin_;
  Optics optics_;
  double omega0_ = 0, pump_ = 0, power_ = 0, t0_ = 0, low_ = 0, high_ = 0;
};

void solve(Problem& problem, Profile* profile, const Place& place, std::vector<std::string>& notes) {
  if (profile == nullptr || !profile->pin) return;
  const Pin pin = *profile->pin;
  profile->pin.reset();
  profile->value = {place.of_pressure ? kLowestPressure : kLargestRadius};
  const Search search(problem, place, pin);
  profile->value = {search()};
  check_problem(problem);  // walls and tubes have to fit the radius that was found
  notes.push_back(place.name() + " " + place.shown(profile->value.front()) + " for " + search.wanted());
}

}  // namespace

Problem with_pins(const Problem& given, std::vector<std::string>& notes) {
  Problem problem = given;
  if (!problem.uppe) return problem;
  Medium& medium = problem.uppe->medium;
  Profile *pressure = nullptr, *radius = nullptr;
  std::visit(
      [&](auto& kind) {
        if constexpr (requires { kind.gas; }) pressure = &kind.gas.pressure;
        if constexpr (requires { kind.radius.pin; }) radius = &kind.radius;
      },
      medium);
  solve(problem, pressure, {true}, notes);
  solve(problem, radius, {false}, notes);
  return problem;
}

}  // namespace lumarch
