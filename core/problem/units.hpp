// SPDX-License-Identifier: Apache-2.0
// Quantities: a number and a unit, checked by dimension. "-11.83 ps^2/km", "0.11 1/(W m)", "0.2 dB/m".
#pragma once

#include <array>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>

#include <lumarch/dimension.hpp>

namespace lumarch::problem {

inline constexpr double kSpeedOfLight = 299792458.0;            // m/s
inline constexpr double kPerDecibel = std::numbers::ln10 / 10;  // a power loss of 1 dB/m in 1/m

using lumarch::Dimension;

inline constexpr Dimension kNumber{};
inline constexpr Dimension kLength{.length = 1};
inline constexpr Dimension kTime{.time = 1};
inline constexpr Dimension kFrequency{.time = -1};
inline constexpr Dimension kAngularFrequency{.time = -1, .angle = 1};
inline constexpr Dimension kAngle{.angle = 1};
inline constexpr Dimension kPower{.length = 2, .mass = 1, .time = -3};
inline constexpr Dimension kEnergy{.length = 2, .mass = 1, .time = -2};
inline constexpr Dimension kArea{.length = 2};
inline constexpr Dimension kPerLength{.length = -1};
inline constexpr Dimension kLevelPerLength{.length = -1, .level = 1};
inline constexpr Dimension kGamma{.length = -3, .mass = -1, .time = 3};
inline constexpr Dimension kN2{.mass = -1, .time = 3};
inline constexpr Dimension kTemperature{.temperature = 1};
inline constexpr Dimension kPressure{.length = -1, .mass = 1, .time = -2};
inline constexpr Dimension kIntensity{.mass = 1, .time = -3};
inline constexpr Dimension kPowerPerLength{.length = 1, .mass = 1, .time = -3};
inline constexpr Dimension kEnergyPerLength{.length = 1, .mass = 1, .time = -2};
inline constexpr Dimension kChi2{.length = -1, .mass = -1, .time = 3, .current = 1};

// "a length", "a time", ...; for anything without a name its base units, "in s^2/m^3".
[[nodiscard]] std::string name_of(const Dimension& dimension);

// A unit: factor * 10^decimal in SI. The power of ten is apart so that "835 nm" is the double nearest to 8.35e-7.
struct Unit {
  double factor = 1;
  int decimal = 0;
  Dimension dimension;
};

struct Amount {
  double value = 0;  // SI
  Dimension dimension;
  bool bare = false;  // no unit was written
};

// Where nothing comes back, `error` says why and what to write.
[[nodiscard]] std::optional<Unit> parse_unit(std::string_view text, std::string& error);
[[nodiscard]] std::optional<Amount> parse_amount(std::string_view text, std::string& error);

// What a place needs: its dimension, and how one is written.
struct Need {
  Dimension dimension;
  std::string_view example;
};

// The amount in SI, checked. `text` is "number unit"; a bare number does only where no unit is needed.
[[nodiscard]] std::optional<double> parse_quantity(std::string_view text, const Need& need, std::string& error);

// The unit's value in `dimension`; dB/m does for a loss, a plain number for an angle.
[[nodiscard]] std::optional<double> in_dimension(double value, const Dimension& is, const Dimension& needed);

}  // namespace lumarch::problem
