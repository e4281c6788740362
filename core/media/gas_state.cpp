// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <lumarch/error.hpp>

#include "media/constants.hpp"
#include "media/gas.hpp"
#include "media/gas_state.hpp"

namespace lumarch {

namespace {

struct State {
  double factor;  // compressibility p/(rho R T)
  double energy;  // residual Helmholtz energy/(R T)
};

State state(const StateEquation& eq, double rho, double temperature) {
  const double delta = rho / eq.density, tau = eq.temperature / temperature;
  State s{1, 0};
  for (const StateEquation::Power& p : eq.powers) {
    const double dl = p.l == 0 ? 0 : std::pow(delta, p.l);
    const double term = p.n * std::pow(delta, p.d) * std::pow(tau, p.t) * (p.l == 0 ? 1 : std::exp(-dl));
    s.energy += term;
    s.factor += term * (p.d - p.l * dl);
  }
  for (const StateEquation::Gauss& g : eq.gauss) {
    const double x = delta - g.epsilon, y = tau - g.gamma;
    const double term = g.n * std::pow(delta, g.d) * std::pow(tau, g.t) * std::exp(-g.eta * x * x - g.beta * y * y);
    s.energy += term;
    s.factor += term * (g.d - 2 * g.eta * delta * x);
  }
  return s;
}

double pressure_of(const StateEquation& eq, double rho, double temperature) {
  return rho * eq.gas_constant * temperature * state(eq, rho, temperature).factor;
}

double solve(const StateEquation& eq, double low, double high, double pressure, double temperature) {
  const auto f = [&](double rho) { return pressure_of(eq, rho, temperature) - pressure; };
  const double at_low = f(low), at_high = f(high);
  if (at_low == 0) return low;
  if (at_high == 0) return high;
  std::uintmax_t tries = 100;
  const auto [a, b] = boost::math::tools::toms748_solve(f, low, high, at_low, at_high,
                                                        boost::math::tools::eps_tolerance<double>(52), tries);
  return (a + b) / 2;
}

// The gas is the branch that starts at rho = 0; below the critical temperature it ends where the pressure falls.
std::optional<double> gas_root(const StateEquation& eq, double pressure, double temperature) {
  const double ideal = pressure / (eq.gas_constant * temperature);
  const bool can_condense = temperature < eq.temperature;
  const double step = can_condense ? eq.density / 128 : ideal / 2;
  double low = 0, at_low = 0;
  for (;;) {
    const double high = low + step, at_high = pressure_of(eq, high, temperature);
    if (at_high >= pressure) return solve(eq, low, high, pressure, temperature);
    if (can_condense && at_high <= at_low) return std::nullopt;
    if (high > 6 * eq.density) return std::nullopt;
    low = high, at_low = at_high;
  }
}

// The liquid is the branch that comes down from high density.
std::optional<double> liquid_root(const StateEquation& eq, double pressure, double temperature) {
  double high = 4 * eq.density, at_high = pressure_of(eq, high, temperature);
  const double step = eq.density / 128;
  while (high > eq.density) {
    const double low = high - step, at_low = pressure_of(eq, low, temperature);
    if (at_low <= pressure && at_high >= pressure) return solve(eq, low, high, pressure, temperature);
    if (at_low >= at_high) return std::nullopt;
    high = low, at_high = at_low;
  }
  return std::nullopt;
}

// Of two states of one pressure and temperature the one with the smaller Gibbs energy is there.
double gibbs(const StateEquation& eq, double rho, double temperature) {
  const State s = state(eq, rho, temperature);
  return s.energy + s.factor + std::log(rho);
}

std::string plain(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

[[noreturn]] void refuse(Gas gas, double pressure, double temperature, const std::string& why) {
  throw Error(Fault::problem, "the density of " + std::string(name(gas)) + " at " + plain(pressure / 1e5) +
                                  " bar and " + plain(temperature) + " K cannot be given: " + why);
}

}  // namespace

double gas_density(Gas gas, double pressure, double temperature) {
  const StateEquation& eq = state_equation(gas);
  if (!(temperature >= eq.coldest && temperature <= eq.hottest && pressure >= 0 && pressure <= eq.highest))
    refuse(gas, pressure, temperature,
           "its equation of state holds from " + plain(eq.coldest) + " to " + plain(eq.hottest) + " K and from 0 to " +
               plain(eq.highest / 1e5) + " bar; give values in these ranges");
  if (pressure == 0) return 0;
  const std::optional<double> rho = gas_root(eq, pressure, temperature);
  bool condenses = !rho;
  if (rho && temperature < eq.temperature)
    if (const std::optional<double> liquid = liquid_root(eq, pressure, temperature))
      condenses = gibbs(eq, *liquid, temperature) < gibbs(eq, *rho, temperature);
  if (condenses) refuse(gas, pressure, temperature, "it is not a gas there but condenses; lower the pressure");
  return *rho * constants::avogadro;
}

}  // namespace lumarch
