// SPDX-License-Identifier: Apache-2.0
// Random phases that are a function of their place, so that any thread may ask for any of them.
#pragma once

#include <cstdint>

#include "media/constants.hpp"

namespace lumarch {

// Between 0 and 2 pi. SplitMix64 (Steele, Lea and Flood 2014): its state goes up by a constant, so that every place of
// its sequence is known.
[[nodiscard]] inline double photon_phase(std::uint64_t seed, std::uint64_t place) {
  const auto mixed = [](std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
  };
  constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;
  // seeds that are near to each other begin far apart
  const std::uint64_t bits = mixed(mixed(seed + step) + (place + 1) * step);
  return 2 * constants::pi * 0x1p-53 * static_cast<double>(bits >> 11U);
}

}  // namespace lumarch
