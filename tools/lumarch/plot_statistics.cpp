// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <sstream>

#include "lumarch/engineering.hpp"
#include "lumarch/plot_figures.hpp"
#include "lumarch/plot_parts.hpp"

namespace lumarch::tools {

namespace {

constexpr std::array colours{"#b0305c", "#2b5c8a", "#d8862b", "#4f8a5b", "#7b5aa6", "#8a8f98"};

struct Panel {
  std::string label, table;
  std::vector<std::string> curves;  // what the key says of each; empty: nothing
  bool finite = false;              // anywhere
  bool map = false;                 // a row a plane, drawn against both
  std::string across;               // of a map: the axis of its rows
  Range range, z;                   // and how far it goes along both
  std::size_t rows = 0;
};

std::vector<std::string> curves_of(const StoredStatistic& statistic, const NodeAxes& nodes) {
  if (statistic.name == "mode_energy" && nodes.modes.size() == statistic.values_a_plane) return nodes.modes;
  if (statistic.name == "beam_radius" && statistic.values_a_plane == 2) return {"x", "y"};
  return std::vector<std::string>(statistic.values_a_plane);
}

bool is_row(const StoredStatistic& statistic) { return statistic.axis == "omega" || statistic.axis == "time"; }

// A row over omega or time at each plane as a map in decibels; frequencies above 0 alone.
Panel map_of(const StoredStatistic& statistic, const ResultInfo& info, std::size_t planes, double metre) {
  const bool omega = statistic.axis == "omega";
  const std::size_t each = statistic.values_a_plane;
  std::vector<double> at = omega ? info.omega : info.time;
  Panel panel;
  panel.map = true;
  if (planes < 2 || at.size() != each) return panel;  // one row is no map
  const auto first = static_cast<std::size_t>(omega ? std::upper_bound(at.begin(), at.end(), 0.0) - at.begin() : 0);
  at.erase(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(first));
  if (omega)
    for (double& value : at) value /= 2 * std::numbers::pi;
  std::vector<double> most(at.size(), 0.0);
  std::vector<std::vector<double>> rows(planes, most);
  for (std::size_t plane = 0; plane < planes; ++plane)
    for (std::size_t j = 0; j < at.size(); ++j) {
      const double value = statistic.values[plane * each + first + j];
      if (std::isfinite(value)) rows[plane][j] = value;
      most[j] = std::max(most[j], rows[plane][j]);
    }
  const double peak = most.empty() ? 0 : *std::max_element(most.begin(), most.end());
  panel.finite = peak > 0 && at.size() > 1;
  if (!panel.finite) return panel;
  const Range range = visible(at, most);
  const Unit unit = omega ? Unit{1e12, "THz"} : time_unit(range);
  panel.label = spoken(statistic.name) + " (0 to −" + number(depth) + " dB of " +
                printed(engineering(peak, statistic.units)) + ")";
  panel.across = std::string(omega ? "Frequency (" : "Time (") + unit.text + ")";
  panel.range = scaled(range, unit.factor);
  const std::vector<double> z(info.z.begin(), info.z.begin() + static_cast<std::ptrdiff_t>(planes));
  const std::vector<std::size_t> shown = rows_of(z);
  for (const std::size_t row : shown) panel.table += decibel_bytes(in_pixels(at, rows[row], range, columns), peak);
  panel.rows = shown.size();
  panel.z = {z.front() / metre, z.back() / metre};
  return panel;
}

Panel panel_of(const StoredStatistic& statistic, const ResultInfo& info, std::size_t planes, double metre) {
  const std::size_t each = statistic.values_a_plane;
  double low = INFINITY, high = -INFINITY;
  for (std::size_t i = 0; i < planes * each; ++i) {
    if (!std::isfinite(statistic.values[i])) continue;
    low = std::min(low, statistic.values[i]);
    high = std::max(high, statistic.values[i]);
  }
  Panel panel;
  panel.curves = curves_of(statistic, info.nodes);
  panel.finite = high >= low;
  const double size = std::max(std::abs(low), std::abs(high));
  // What hardly changes shows how it does, relative to its start; on its own axis every tick would read the same.
  const double first = statistic.values.empty() ? 0 : statistic.values[0];
  const bool drift = each == 1 && planes > 1 && std::isfinite(first) && first != 0 && high - low < 1e-3 * size;
  // Wavelengths are read in nanometres however long they are.
  const bool wavelength = statistic.name == "width_20db" || statistic.name == "zdw";
  const Prefix prefix = wavelength && size < 10e-6 ? Prefix{1e-9, "n"} : prefix_for(size, statistic.units);
  if (drift) {
    panel.label = spoken(statistic.name) + ", relative change from " + printed(engineering(first, statistic.units));
  } else {
    panel.label =
        spoken(statistic.name) + (statistic.units == "1" ? "" : " (" + prefix.text + printed(statistic.units) + ")");
  }
  for (std::size_t plane = 0; plane < planes; ++plane) {
    panel.table += number(info.z[plane] / metre);
    for (std::size_t i = 0; i < each; ++i) {
      const double value = statistic.values[plane * each + i];
      panel.table += ' ' + (std::isfinite(value) ? number(drift ? value / first - 1 : value / prefix.factor) : "nan");
    }
    panel.table += '\n';
  }
  return panel;
}

}  // namespace

Figure statistics(const ResultInfo& info, const std::string& along) {
  const std::size_t planes =
      std::min(static_cast<std::size_t>(std::max<std::int64_t>(info.planes_written, 0)), info.z.size());
  std::vector<Panel> panels;
  const Prefix metre = along.empty() ? prefix_for(planes > 0 ? info.z[planes - 1] : 1, "m") : Prefix{1, ""};
  for (const StoredStatistic& statistic : info.statistics) {
    Panel panel = is_row(statistic) ? map_of(statistic, info, planes, metre.factor)
                                    : panel_of(statistic, info, planes, metre.factor);
    if (panel.finite) panels.push_back(std::move(panel));  // gnuplot fails where there is nothing to draw
  }
  if (panels.empty()) return {};
  const std::size_t count = panels.size(), across = count > 1 ? 2 : 1, down = (count + across - 1) / across;
  Figure figure{"statistics", across > 1 ? 13.0 : 9.0, 1 + 3.3 * static_cast<double>(down), "", {}};
  std::ostringstream out;
  out << "set multiplot layout " << down << "," << across << " title "
      << quoted(info.title.empty() ? "lumarch" : info.title) << " noenhanced font ',15' margins screen 0.1,0.97,"
      << number(0.75 / figure.height) << "," << number(1 - 0.95 / figure.height) << " spacing screen 0.11,"
      << number(1.3 / figure.height) << "\n"
      << "set xlabel " << quoted(along.empty() ? "Distance (" + metre.text + "m)" : along)
      << "\nset grid x y dashtype 1 linecolor '#c8c8c8'\nset key top right horizontal samplen 1.5 noenhanced\n"
      << "set format y '%.6g'\nset datafile missing 'nan'\n";
  const std::string range = planes > 1 ? "set xrange [" + number(info.z[0] / metre.factor) + ":" +
                                             number(info.z[planes - 1] / metre.factor) + "]\n"
                                       : "";
  out << range;
  for (const Panel& panel : panels) {
    std::string name = "statistic-" + std::to_string(figure.data.size() + 1) + ".txt";
    if (panel.map) {
      const std::string map = "statistic-" + std::to_string(figure.data.size() + 1) + ".bin";
      out << "set offsets 0, 0, 0, 0\nset title " << quoted(panel.label) << " noenhanced font ',13'\nset xlabel "
          << quoted(panel.across) << "\nset xrange " << bracket(panel.range) << "\nset ylabel "
          << quoted(along.empty() ? "Distance (" + metre.text + "m)" : along) << "\nset yrange " << bracket(panel.z)
          << "\nunset colorbox\nset cbrange [" << -depth << ":0]\n"
          << image(map, columns, panel.rows, panel.range, panel.z) << "set xlabel "
          << quoted(along.empty() ? "Distance (" + metre.text + "m)" : along)
          << "\nset autoscale x\nset autoscale y\nunset ylabel\n"
          << range;
      figure.data[map] = panel.table;
      continue;
    }
    // Above the curves there is room for the key.
    const bool named = !panel.curves.front().empty();
    const double lines = named ? std::ceil(static_cast<double>(panel.curves.size()) / 5) : 0;
    out << "set offsets graph 0, graph 0, graph " << number(0.05 + 0.13 * lines) << ", graph 0.05\n"
        << "set title " << quoted(panel.label) << " noenhanced font ',13'\nplot ";
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
      const std::string& title = panel.curves[i];
      out << (i > 0 ? ", " : "") << "@" << name << "@ using 1:" << i + 2
          << (planes > 1 ? " with lines linewidth 1.5" : " with points pointtype 7") << " linecolor '"
          << colours[i % colours.size()] << "' " << (title.empty() ? "notitle" : "title " + quoted(title));
    }
    out << "\n";
    figure.data[name] = panel.table;
  }
  out << "unset multiplot\n";
  figure.script = out.str();
  return figure;
}

}  // namespace lumarch::tools
