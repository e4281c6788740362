// SPDX-License-Identifier: Apache-2.0
#include "lumarch/engineering.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace lumarch::tools {

namespace {

constexpr std::array<const char*, 12> texts{"a", "f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P"};
constexpr int none = 6;

std::string general(double value, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

// Kilo-radians a second are unusual, kilo-ones and kilo-ones a cubic metre too.
bool has_prefixes(const std::string& unit) {
  return !unit.empty() && unit != "1" && unit.rfind("1/", 0) != 0 && unit.rfind("rad", 0) != 0;
}

}  // namespace

Prefix prefix_for(double value, const std::string& unit) {
  // Beyond the prefixes the bare number in powers of ten is plainer than 1e+15 PW.
  if (!has_prefixes(unit) || !std::isfinite(value) || std::abs(value) < 1e-18) return {};
  const int highest = unit == "m" ? none + 1 : static_cast<int>(texts.size()) - 1;
  // 999.96 with four digits is 1000: the prefix of the number as it will be printed.
  const double rounded = std::strtod(general(std::abs(value), 4).c_str(), nullptr);
  const int step = std::clamp(static_cast<int>(std::floor(std::log10(rounded) / 3 + 1e-12)) + none, 0, highest);
  if (rounded >= 1e6 * std::pow(10.0, 3 * (highest - none))) return {};
  return {std::pow(10.0, 3 * (step - none)), texts[static_cast<std::size_t>(step)]};
}

std::string engineering(double value, const std::string& unit, int digits) {
  if (!has_prefixes(unit)) return general(value, digits) + (unit.empty() || unit == "1" ? "" : " " + unit);
  const Prefix prefix = prefix_for(value, unit);
  const double scaled = value / prefix.factor;
  // Three digits before the point in every case, never 5.67e+02.
  return general(scaled, std::max(digits, 3)) + " " + prefix.text + unit;
}

}  // namespace lumarch::tools
