// SPDX-License-Identifier: Apache-2.0
// What pictures are put together from: units, ranges, rows of planes, maps.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <lumarch/result_file.hpp>

#include "lumarch/plot_data.hpp"

namespace lumarch::tools {

inline constexpr double depth = 40;          // dB shown
inline constexpr std::size_t columns = 900;  // pixels of a map, samples of a curve

// A unit that numbers of this size are usually given in.
struct Unit {
  double factor = 1;
  std::string text;
};
[[nodiscard]] Unit wavelength_unit(Range range);
[[nodiscard]] Unit time_unit(Range range);
[[nodiscard]] Unit unit_for(double largest, const std::string& unit);

// "J/m^2" as people write it: J/m².
[[nodiscard]] std::string printed(std::string unit);

// A statistic's name for people: "peak_power" is "Peak power".
[[nodiscard]] std::string spoken(std::string name);

[[nodiscard]] Range scaled(Range range, double factor);
[[nodiscard]] std::string bracket(Range range);
[[nodiscard]] std::string title_of(const ResultInfo& info);
[[nodiscard]] std::string at_z(const Signals& signals, std::int64_t plane);

// The rows of a map: the planes themselves where they are evenly spaced, else the nearest plane to each pixel.
[[nodiscard]] std::vector<std::size_t> rows_of(const std::vector<double>& z);

// float32 of a row of pixels in dB of `peak`.
[[nodiscard]] std::string decibel_bytes(const std::vector<double>& pixels, double peak);

// A map of `up` rows of `across` values; the first row's pixels are centred on y.low, the last row's on y.high, and x
// is from rim to rim.
[[nodiscard]] std::string image(const std::string& name, std::size_t across, std::size_t up, Range x, Range y);

}  // namespace lumarch::tools
