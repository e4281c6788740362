// SPDX-License-Identifier: Apache-2.0
// What writer and reader of a file have to agree on. A change that an old reader would misread raises the schema.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <lumarch/problem.hpp>

namespace lumarch::schema {

inline constexpr std::int64_t version = 1;
inline constexpr const char* convention = "exp(-i omega t)";
inline constexpr std::size_t status_bytes = 16, date_bytes = 32, reason_bytes = 2048;
inline constexpr std::size_t title_bytes = 4096;
inline constexpr std::size_t provenance_bytes = 8192;  // of each text that is written at the end; longer ones move
inline constexpr std::array<const char*, 5> provenance{"backend", "bytes_crossed", "kernels", "memory", "timings"};

struct Meaning {
  const char* units;
  const char* words;
  std::size_t values;  // a plane
};

[[nodiscard]] inline Meaning meaning(Quantity quantity) {
  switch (quantity) {
    case Quantity::energy:
      return {"J", "energy", 1};
    case Quantity::peak_power:
      return {"W", "peak power", 1};
    case Quantity::fwhm_time:
      return {"s", "narrowest full width at half maximum of the power", 1};
    case Quantity::fwhm_time_widest:
      return {"s", "widest full width at half maximum of the power", 1};
    case Quantity::rms_time:
      return {"s", "rms width of the power", 1};
    case Quantity::centroid_time:
      return {"s", "centroid of the power", 1};
    case Quantity::centroid_omega:
      return {"rad/s", "centroid of the spectrum", 1};
    case Quantity::rms_omega:
      return {"rad/s", "rms width of the spectrum", 1};
    case Quantity::width_20db:
      return {"m", "wavelengths at the ends of the spectrum above -20 dB", 2};
    case Quantity::photon_number:
      return {"1", "number of photons", 1};
    case Quantity::energy_band:
      return {"J", "energy in a band", 1};
  }
  return {"1", "", 1};
}

}  // namespace lumarch::schema
