// SPDX-License-Identifier: Apache-2.0
// The gases and glasses that lumarch has data of, and their names in problem files. Crystals have one entry a
// principal axis: ordinary (o) and extraordinary (e).
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

}  // namespace lumarch
