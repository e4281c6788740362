// SPDX-License-Identifier: Apache-2.0
// Pressure along a guide that is filled at points.
#pragma once

#include <vector>

namespace lumarch {

// Steady viscous flow between points that are held at a pressure: p^2 is linear in z between neighbours, and stays as
// it is beyond the first and the last.
class PressureProfile {
public:
  explicit PressureProfile(double pressure);  // Pa, everywhere
  // z in m, rising strictly; p in Pa, none negative; as many of the one as of the other, at least 1. Throws
  // Error(Fault::problem) otherwise.
  PressureProfile(std::vector<double> z, std::vector<double> p);

  [[nodiscard]] double at(double z) const;  // Pa
  [[nodiscard]] bool constant() const;      // the same everywhere

private:
  std::vector<double> z_, p_;
};

}  // namespace lumarch
