// SPDX-License-Identifier: Apache-2.0
#include "media/pressure.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include <lumarch/error.hpp>

namespace lumarch {

PressureProfile::PressureProfile(double pressure) : PressureProfile(std::vector{0.0}, std::vector{pressure}) {}

PressureProfile::PressureProfile(std::vector<double> z, std::vector<double> p) : z_(std::move(z)), p_(std::move(p)) {
  if (z_.empty() || z_.size() != p_.size())
    throw Error(Fault::problem, "a pressure profile has " + std::to_string(z_.size()) + " positions and " +
                                    std::to_string(p_.size()) + " pressures; give one pressure for each position");
  for (std::size_t i = 0; i < z_.size(); ++i) {
    if (!(p_[i] >= 0) || !std::isfinite(p_[i]))
      throw Error(Fault::problem, "pressure " + std::to_string(p_[i]) + " Pa at z = " + std::to_string(z_[i]) +
                                      " m: a pressure is 0 or more");
    if (i > 0 && !(z_[i] > z_[i - 1]))
      throw Error(Fault::problem, "the positions of a pressure profile do not rise: " + std::to_string(z_[i]) +
                                      " m comes after " + std::to_string(z_[i - 1]) + " m");
  }
}

double PressureProfile::at(double z) const {
  const auto after = std::upper_bound(z_.begin(), z_.end(), z);
  if (after == z_.begin()) return p_.front();
  if (after == z_.end()) return p_.back();
  const std::size_t i = static_cast<std::size_t>(after - z_.begin());
  const double p0 = p_[i - 1], p1 = p_[i];
  if (p0 == p1) return p0;
  const double share = (z - z_[i - 1]) / (z_[i] - z_[i - 1]);
  return std::sqrt(p0 * p0 + share * (p1 * p1 - p0 * p0));
}

bool PressureProfile::constant() const {
  return std::all_of(p_.begin(), p_.end(), [&](double p) { return p == p_.front(); });
}

}  // namespace lumarch
