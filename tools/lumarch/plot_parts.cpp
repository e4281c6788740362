// SPDX-License-Identifier: Apache-2.0
#include "lumarch/plot_parts.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "lumarch/engineering.hpp"
#include "lumarch/gnuplot.hpp"

namespace lumarch::tools {

Unit wavelength_unit(Range range) { return range.high > 10e-6 ? Unit{1e-6, "µm"} : Unit{1e-9, "nm"}; }

Unit time_unit(Range range) {
  const double width = range.high - range.low;
  return width < 3e-12 ? Unit{1e-15, "fs"} : width < 3e-9 ? Unit{1e-12, "ps"} : Unit{1e-9, "ns"};
}

Unit unit_for(double largest, const std::string& unit) {
  const Prefix prefix = prefix_for(largest, unit);
  return {prefix.factor, prefix.text + unit};
}

std::string printed(std::string unit) {
  for (const auto& [from, to] : {std::pair{"^2", "²"}, {"^3", "³"}}) {
    if (const auto at = unit.find(from); at != std::string::npos) unit.replace(at, 2, to);
  }
  return unit;
}

std::string spoken(std::string name) {
  if (name == "width_20db") return "Spectrum above −20 dB";
  if (name == "zdw") return "Zero-dispersion wavelength";
  if (name == "on_axis_spectrum") return "Spectrum on the axis";
  if (name == "on_axis_time") return "Intensity on the axis";
  if (name == "fwhm_r") return "FWHM of the fluence";
  if (name.rfind("fwhm", 0) == 0) name.replace(0, 4, "FWHM");
  if (name.rfind("on_axis", 0) == 0) name.replace(0, 7, "on-axis");
  std::replace(name.begin(), name.end(), '_', ' ');
  if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

Range scaled(Range range, double factor) { return {range.low / factor, range.high / factor}; }

std::string bracket(Range range) {
  std::string text = "[";
  return text.append(number(range.low)).append(":").append(number(range.high)).append("]");
}

std::string title_of(const ResultInfo& info) { return info.title.empty() ? "lumarch" : info.title; }

std::vector<std::size_t> rows_of(const std::vector<double>& z) {
  const double step = (z.back() - z.front()) / static_cast<double>(z.size() - 1);
  bool even = true;
  for (std::size_t i = 0; i < z.size(); ++i) {
    even = even && std::abs(z[i] - z.front() - step * static_cast<double>(i)) < 1e-3 * step;
  }
  std::vector<std::size_t> rows;
  const std::size_t count = even ? z.size() : 500;
  for (std::size_t row = 0; row < count; ++row) {
    const double at = z.front() + (z.back() - z.front()) * static_cast<double>(row) / static_cast<double>(count - 1);
    const auto after = std::lower_bound(z.begin(), z.end() - 1, at);
    const bool before = after != z.begin() && at - *(after - 1) < *after - at;
    rows.push_back(even ? row : static_cast<std::size_t>(after - z.begin()) - before);
  }
  return rows;
}

std::string decibel_bytes(const std::vector<double>& pixels, double peak) {
  std::vector<float> values(pixels.size());
  std::transform(pixels.begin(), pixels.end(), values.begin(),
                 [&](double value) { return static_cast<float>(decibel(value, peak, -1.5 * depth)); });
  return float_bytes(values);
}

std::string image(const std::string& name, std::size_t across, std::size_t up, Range x, Range y) {
  const double dx = (x.high - x.low) / static_cast<double>(across);
  const double dy = up > 1 ? (y.high - y.low) / static_cast<double>(up - 1) : 1;
  return "plot @" + name + "@ binary array=(" + std::to_string(across) + "," + std::to_string(up) +
         ") format='%float32' origin=(" + number(x.low + dx / 2) + "," + number(y.low) + ") dx=" + number(dx) +
         " dy=" + number(dy) + " using 1 with image notitle\n";
}

std::string at_z(const Signals& signals, std::int64_t plane) { return "z = " + engineering(signals.z(plane), "m"); }

}  // namespace lumarch::tools
