// SPDX-License-Identifier: Apache-2.0
// Equations of state of gases, as Helmholtz energies: alpha(delta, tau) = sum n delta^d tau^t exp(-delta^l)
// + sum n delta^d tau^t exp(-eta (delta - epsilon)^2 - beta (tau - gamma)^2), delta = rho/rho_r, tau = T_r/T.
#pragma once

#include <span>

#include <lumarch/substances.hpp>

namespace lumarch {

struct StateEquation {
  struct Power {
    double n, t;
    int d, l;  // l = 0: without the exponential
  };
  struct Gauss {
    double n, t;
    int d;
    double eta, epsilon, beta, gamma;
  };
  double gas_constant;               // J/(mol K), the one that the equation was fitted with
  double temperature, density;       // T_r in K, rho_r in mol/m^3: the critical point, but for air
  double coldest, hottest, highest;  // K, K, Pa: where the equation holds
  std::span<const Power> powers;
  std::span<const Gauss> gauss;
};

// The published equation of a gas; gas_state_data.cpp names the publication of each. Throws nothing.
[[nodiscard]] const StateEquation& state_equation(Gas gas);

}  // namespace lumarch
