// SPDX-License-Identifier: Apache-2.0
// The constants of molecules whose Raman response is known.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lumarch {

inline constexpr double amagat_density = 2.686780111e25;  // 1/m^3, an ideal gas at 0 C and 101325 Pa; CODATA 2018
inline constexpr double room_temperature = 293.15;        // K

// The line's full width at half maximum in Hz is constant + inverse/amagat + linear amagat, tau2 = 1/(pi width):
// diffusion narrows, collisions broaden. Or a fixed tau2.
struct Dephasing {
  double time = 0;      // tau2, s; 0: from the width
  double constant = 0;  // Hz
  double inverse = 0;   // Hz amagat
  double linear = 0;    // Hz/amagat
};

struct Vibration {
  double frequency;     // Hz
  double derivative;    // of the polarisability volume along the normal coordinate, m^2
  double reduced_mass;  // kg
  Dephasing dephasing;
};

struct Rotation {
  double B, D;                     // rotational constant and centrifugal stretching, 1/m
  double weight_odd, weight_even;  // of the nuclear spins, for odd and even J
  double anisotropy;               // of the polarisability volume, m^3
  Dephasing dephasing;
};

struct Molecule {
  std::optional<Vibration> vibration;
  std::optional<Rotation> rotation;
};

// "nitrogen", "hydrogen", "deuterium", "methane", "sulfur_hexafluoride", "nitrous_oxide"; nothing for others.
[[nodiscard]] std::optional<Molecule> molecule(std::string_view gas);

// Why molecule() has nothing for this gas, as the rest of a sentence that names the gas; empty where it has something.
[[nodiscard]] std::string why_no_molecule(std::string_view gas);

}  // namespace lumarch
