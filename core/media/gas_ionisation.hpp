// SPDX-License-Identifier: Apache-2.0
// What the rates of ionisation need to know of a gas.
#pragma once

#include <optional>

#include <lumarch/substances.hpp>

#include "media/constants.hpp"

namespace lumarch {

struct GasIonisation {
  struct Shell {    // of the electron that leaves first
    int n, l;       // quantum numbers
    double charge;  // effective charge Z that it leaves behind, in units of e
  };
  struct Polarisability {  // static, C m^2/V; 1.64877727436e-41 C m^2/V is the atomic unit
    double neutral, ion;
  };
  double potential;                                // I_p, J
  std::optional<Shell> shell;                      // none: ADK can be used, PPT cannot
  std::optional<Polarisability> polarisability{};  // none: no Stark shift and no dipole correction
};

// First ionisation of a gas: potentials of the NIST tables; effective charges of oxygen and nitrogen fitted by A.
// Talebpour, J. Yang and S. L. Chin, Opt. Commun. 163, 29 (1999); polarisabilities by K. Wang et al., Eur. Phys. J. D
// 75, 46 (2021), who calculated atoms and ions in one scheme. None for air, which is a mixture. Throws nothing.
[[nodiscard]] inline std::optional<GasIonisation> gas_ionisation(Gas gas) {
  using Shell = GasIonisation::Shell;
  constexpr double Eh = constants::hartree, au = constants::polarisability_au;
  switch (gas) {
    case Gas::helium:
      return GasIonisation{0.9036 * Eh, Shell{1, 0, 1}, GasIonisation::Polarisability{1.3207 * au, 0.2811 * au}};
    case Gas::neon:
      return GasIonisation{0.7925 * Eh, Shell{2, 1, 1}, GasIonisation::Polarisability{2.376 * au, 1.2417 * au}};
    case Gas::argon:
      return GasIonisation{0.5792 * Eh, Shell{3, 1, 1}, GasIonisation::Polarisability{10.762 * au, 6.807 * au}};
    case Gas::krypton:
      return GasIonisation{0.5142 * Eh, Shell{4, 1, 1}};
    case Gas::xenon:
      return GasIonisation{0.4458 * Eh, Shell{5, 1, 1}};
    case Gas::nitrogen:
      return GasIonisation{0.5726 * Eh, Shell{2, 0, 0.9}};
    case Gas::oxygen:
      return GasIonisation{0.443553 * Eh, Shell{2, 0, 0.53}};
    case Gas::hydrogen:
      return GasIonisation{0.5669 * Eh, std::nullopt};
    case Gas::deuterium:
      return GasIonisation{0.5684 * Eh, std::nullopt};
    case Gas::methane:
      return GasIonisation{0.4636 * Eh, std::nullopt};
    case Gas::nitrous_oxide:
      return GasIonisation{0.474 * Eh, std::nullopt};
    case Gas::sulfur_hexafluoride:
      return GasIonisation{0.5 * Eh, std::nullopt};
    case Gas::air:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace lumarch
