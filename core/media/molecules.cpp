// SPDX-License-Identifier: Apache-2.0
#include "media/molecules.hpp"

#include <array>

#include "media/constants.hpp"

namespace lumarch {

namespace {

constexpr double u = 1.66053906660e-27;        // kg, CODATA 2018
constexpr double per_cm = 100 * constants::c;  // 1/cm in Hz
constexpr double MHz = 1e6, ps = 1e-12;

// B and D of nitrogen: J. Bendtsen, J. Raman Spectrosc. 2, 133 (1974). Anisotropies of N2 and N2O: J. K. Wahlstrand et
// al., Phys. Rev. A 85, 043820 (2012); of H2 and D2, their B, D and dalpha/dQ: Phys. Rev. A 92, 063828 (2015).
// dalpha/dQ of nitrogen: W. F. Murphy, W. Holzer and H. J. Bernstein, Appl. Spectrosc. 23, 211 (1969). Widths of
// rotational lines of N2 and H2: G. C. Herring, M. J. Dyer and W. K. Bischel, Phys. Rev. A 34, 1944 (1986); of H2's
// vibration: W. K. Bischel and M. J. Dyer, Phys. Rev. A 33, 3113 (1986). The other values are those that the program
// Luna.jl collects.
struct Named {
  std::string_view name;
  Molecule molecule;
};

constexpr std::array<Named, 6> molecules = {{
    {"nitrogen",
     {Vibration{2330 * per_cm, 1.75e-20, 7.00335 * u, {.time = 6 * ps}},
      Rotation{199, 5.74e-4, 1, 2, 6.7e-31, {.linear = 3300 * MHz}}}},
    {"hydrogen",
     {Vibration{124.5669e12, 1.3e-20, 0.50392 * u, {.inverse = 309 * MHz, .linear = 52.2 * MHz}},
      Rotation{5890, 5, 3, 1, 3e-31, {.inverse = 6.15 * MHz, .linear = 114 * MHz}}}},
    {"deuterium",
     {Vibration{2987 * per_cm, 1.4e-20, 1.007 * u, {.inverse = 101 * MHz, .linear = 120 * MHz}},
      Rotation{2930, 2.1, 1, 2, 3e-31, {.linear = 119.9 * MHz}}}},
    {"methane",
     {Vibration{2914 * per_cm, 1.04e-20, 0.25196 * u, {.constant = 8220 * MHz, .linear = 384 * MHz}}, std::nullopt}},
    {"sulfur_hexafluoride", {Vibration{775 * per_cm, 1.23e-20, 3.1664 * u, {.time = 6.6 * ps}}, std::nullopt}},
    {"nitrous_oxide", {std::nullopt, Rotation{41, 0, 1, 1, 28.1e-31, {.time = 23.8 * ps}}}},
}};

}  // namespace

std::optional<Molecule> molecule(std::string_view gas) {
  for (const Named& named : molecules)
    if (named.name == gas) return named.molecule;
  return std::nullopt;
}

std::string why_no_molecule(std::string_view gas) {
  if (molecule(gas)) return "";
  if (gas == "oxygen") return "the dephasing of its lines is not known from a source that can be named";
  if (gas == "air") return "it is a mixture; give its nitrogen as a part of its own";
  for (const std::string_view atom : {"helium", "neon", "argon", "krypton", "xenon"})
    if (gas == atom) return "it is made of atoms, which neither vibrate nor rotate";
  return "no molecule of that name is known; there are nitrogen, hydrogen, deuterium, methane, sulfur_hexafluoride and "
         "nitrous_oxide";
}

}  // namespace lumarch
