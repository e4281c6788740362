// SPDX-License-Identifier: Apache-2.0
// The gases and glasses that lumarch has data of, and their names in problem files. Crystals have one entry a
// principal axis: ordinary (o) and extraordinary (e) of a uniaxial one, x, y, z of a biaxial one.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace lumarch {

enum class Gas {
  helium,
  neon,
  argon,
  krypton,
  xenon,
  air,
  nitrogen,
  hydrogen,
  deuterium,
  oxygen,
  methane,
  sulfur_hexafluoride,
  nitrous_oxide
};
// In the order of the enumeration.
inline constexpr std::array<std::string_view, 13> gas_names = {
    "helium",       "neon",     "argon",     "krypton", "xenon",   "air",
    "nitrogen",     "hydrogen", "deuterium", "oxygen",  "methane", "sulfur-hexafluoride",
    "nitrous-oxide"};

[[nodiscard]] constexpr std::string_view name(Gas gas) { return gas_names[static_cast<std::size_t>(gas)]; }
// None for a name that is not in the list.
[[nodiscard]] constexpr std::optional<Gas> find_gas(std::string_view text) {
  for (std::size_t i = 0; i < gas_names.size(); ++i)
    if (gas_names[i] == text) return static_cast<Gas>(i);
  return std::nullopt;
}

// Whose measurement of a gas's index (docs/media.md). `standard` is there for every gas, the others for some.
enum class GasFit { standard, ermolov, peck_fisher };
// In the order of the enumeration.
inline constexpr std::array<std::string_view, 3> gas_fit_names = {"standard", "ermolov", "peck-fisher"};

[[nodiscard]] constexpr std::string_view name(GasFit fit) { return gas_fit_names[static_cast<std::size_t>(fit)]; }
// None for a name that is not in the list.
[[nodiscard]] constexpr std::optional<GasFit> find_gas_fit(std::string_view text) {
  for (std::size_t i = 0; i < gas_fit_names.size(); ++i)
    if (gas_fit_names[i] == text) return static_cast<GasFit>(i);
  return std::nullopt;
}

enum class Glass {
  fused_silica,
  bk7,
  sf10,
  sf11,
  caf2,
  baf2,
  kbr,
  silicon,
  mgf2_o,
  mgf2_e,
  sapphire_o,
  sapphire_e,
  calcite_o,
  calcite_e,
  bbo_o,
  bbo_e,
  lbo_x,
  lbo_y,
  lbo_z,
  lithium_niobate_o,
  lithium_niobate_e,
  kdp_o,
  kdp_e,
  adp_o,
  adp_e
};
// In the order of the enumeration.
inline constexpr std::array<std::string_view, 25> glass_names = {"fused-silica",
                                                                 "bk7",
                                                                 "sf10",
                                                                 "sf11",
                                                                 "caf2",
                                                                 "baf2",
                                                                 "kbr",
                                                                 "silicon",
                                                                 "mgf2-o",
                                                                 "mgf2-e",
                                                                 "sapphire-o",
                                                                 "sapphire-e",
                                                                 "calcite-o",
                                                                 "calcite-e",
                                                                 "bbo-o",
                                                                 "bbo-e",
                                                                 "lbo-x",
                                                                 "lbo-y",
                                                                 "lbo-z",
                                                                 "lithium-niobate-o",
                                                                 "lithium-niobate-e",
                                                                 "kdp-o",
                                                                 "kdp-e",
                                                                 "adp-o",
                                                                 "adp-e"};

[[nodiscard]] constexpr std::string_view name(Glass glass) { return glass_names[static_cast<std::size_t>(glass)]; }
// None for a name that is not in the list.
[[nodiscard]] constexpr std::optional<Glass> find_glass(std::string_view text) {
  for (std::size_t i = 0; i < glass_names.size(); ++i)
    if (glass_names[i] == text) return static_cast<Glass>(i);
  return std::nullopt;
}

}  // namespace lumarch
