// SPDX-License-Identifier: Apache-2.0
#include "march/controller.hpp"

#include <algorithm>
#include <cmath>

namespace lumarch {

namespace {

// err ~ h^4: the error that is estimated is that of a third-order companion.
StepDecision decide_fourth_order(double err) { return {err <= 1, std::clamp(0.9 * std::pow(err, -0.25), 0.5, 2.0)}; }

// Proportional-integral control after Hairer and Wanner, with the exponents of a fifth-order pair.
StepDecision decide_dp54(double err, double err_last) {
  if (err > 1) return {false, std::max(0.1, 0.9 * std::pow(err, -0.2))};
  const double last = err_last > 0 ? err_last : 0.8;
  return {true, std::clamp(0.9 * std::pow(0.8 / err, 3.0 / 25) * std::pow(0.8 / last, -1.0 / 25), 0.2, 5.0)};
}

}  // namespace

StepDecision decide(Integrator integrator, double err, double err_last) {
  if (!std::isfinite(err)) return {false, 0.5};
  if (err == 0) return {true, integrator == Integrator::dp54 ? 1.5 : 2.0};
  return integrator == Integrator::dp54 ? decide_dp54(err, err_last) : decide_fourth_order(err);
}

double relative_error(double error2, double before2, double after2, double launch2, double tolerance) {
  if (error2 == 0 && std::isfinite(after2)) return 0;
  if (!std::isfinite(error2) || !std::isfinite(after2)) return HUGE_VAL;
  const double scale2 = std::max({before2, after2, 1e-24 * launch2});
  return std::sqrt(error2 / scale2) / tolerance;
}

}  // namespace lumarch
