// SPDX-License-Identifier: Apache-2.0
// Hollow capillaries.
#pragma once

#include "media/mode.hpp"

namespace lumarch {

// E. A. J. Marcatili and R. A. Schmeltzer, Bell Syst. Tech. J. 43, 1783 (1964); for core radii of many wavelengths.
//   full:     n^2 = eps_core - (u/(k a))^2 (1 - i v/(k a))^2
//   reduced:  n = 1 + (eps_core - 1)/2 - (u/(k a))^2/2 + i u^2 v/(k a)^3
// k = omega/c, v = (eps_wall + 1)/(2 sqrt(eps_wall - 1)) for HE and EH, 1/sqrt(eps_wall - 1) for TE, eps_wall times
// that for TM.
class CapillaryMode final : public HollowMode {
public:
  enum class Model { full, reduced };
  CapillaryMode(const ModeName& name, Permittivity wall, Model model = Model::full);

private:
  [[nodiscard]] std::complex<double> index(double omega, double eps_core, double radius) const override;

  Permittivity wall_;
  Model model_;
};

}  // namespace lumarch
