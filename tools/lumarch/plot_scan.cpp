// SPDX-License-Identifier: Apache-2.0
// Pictures of a scan: what each point ends with, against the axes.
#include <lumarch/scan_file.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>

#include "lumarch/engineering.hpp"
#include "lumarch/plot_figures.hpp"
#include "lumarch/plot_parts.hpp"

namespace lumarch::tools {

namespace {

// "/launch/0/peak_power" and "kW": Launch 0 peak power (kW).
std::string axis_label(const StoredAxis& axis) {
  std::string text = axis.path.substr(1);
  std::replace(text.begin(), text.end(), '/', ' ');
  std::replace(text.begin(), text.end(), '_', ' ');
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return axis.unit.empty() ? text : text + " (" + printed(axis.unit) + ")";
}

// The done points along the first axis, rising.
std::vector<const StoredPoint*> along_first(const ScanInfo& info) {
  std::vector<const StoredPoint*> points;
  for (const StoredPoint& point : info.points)
    if (point.status == "done") points.push_back(&point);
  std::stable_sort(points.begin(), points.end(),
                   [](const auto* a, const auto* b) { return a->numbers[0] < b->numbers[0]; });
  return points;
}

// As a run whose planes are the points: each statistic as it is at the last plane.
ResultInfo as_planes(const ScanFile& file, const std::vector<const StoredPoint*>& points) {
  ResultInfo info;
  info.title = file.info().title;
  for (const StoredPoint* point : points) {
    const ResultFile one = file.point(point->point);
    const ResultInfo& from = one.info();
    if (info.statistics.empty()) {
      info.nodes = from.nodes;
      for (const StoredStatistic& statistic : from.statistics) {
        info.statistics.push_back(statistic);
        info.statistics.back().values.clear();
      }
    }
    info.z.push_back(point->numbers[0]);
    ++info.planes_written;
    for (std::size_t i = 0; i < info.statistics.size(); ++i) {
      const StoredStatistic& statistic = from.statistics.at(i);
      const auto each = static_cast<std::ptrdiff_t>(statistic.values_a_plane);
      const auto last = statistic.values.begin() + (from.planes_written - 1) * each;
      info.statistics[i].values.insert(info.statistics[i].values.end(), last, last + each);
    }
  }
  return info;
}

// Of the cells about rising values: half way to the next one, and as far beyond the ends.
std::vector<double> edges_of(const std::vector<double>& x) {
  if (x.size() == 1) return {x[0] - 0.5, x[0] + 0.5};
  std::vector<double> edges{x[0] - (x[1] - x[0]) / 2};
  for (std::size_t i = 1; i < x.size(); ++i) edges.push_back((x[i - 1] + x[i]) / 2);
  edges.push_back(x.back() + (x.back() - x[x.size() - 2]) / 2);
  return edges;
}

// Statistics of one number as maps over two axes.
Figure maps(const ScanFile& file, const std::vector<const StoredPoint*>& points) {
  const ScanInfo& scan = file.info();
  const ResultInfo ends = as_planes(file, points);
  std::vector<std::string> panels;
  Figure figure{"statistics", 13, 9, "", {}};
  std::ostringstream out;
  for (std::size_t i = 0; i < ends.statistics.size(); ++i) {
    const StoredStatistic& statistic = ends.statistics[i];
    if (statistic.values_a_plane != 1) continue;
    std::map<std::pair<double, double>, double> at;
    double largest = 0;
    for (std::size_t p = 0; p < points.size(); ++p) {
      if (!std::isfinite(statistic.values[p])) continue;
      at[{points[p]->numbers[0], points[p]->numbers[1]}] = statistic.values[p];
      largest = std::max(largest, std::abs(statistic.values[p]));
    }
    if (at.empty()) continue;
    const Prefix prefix = prefix_for(largest, statistic.units);
    std::vector<double> x = scan.axes[0].numbers, y = scan.axes[1].numbers;
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    // each point a cell of its own, coloured by its first corner; the last row and column are corners alone
    const std::vector<double> across = edges_of(x), up = edges_of(y);
    std::string table;
    for (std::size_t a = 0; a < across.size(); ++a) {
      for (std::size_t b = 0; b < up.size(); ++b) {
        const auto found = at.find({x[std::min(a, x.size() - 1)], y[std::min(b, y.size() - 1)]});
        table += number(across[a]) + ' ' + number(up[b]) + ' ' +
                 (found == at.end() ? "nan" : number(found->second / prefix.factor)) + '\n';
      }
      table += '\n';
    }
    const std::string name = "map-" + std::to_string(panels.size() + 1) + ".txt";
    figure.data[name] = table;
    panels.push_back("set title " +
                     quoted(spoken(statistic.name) +
                            (statistic.units == "1" ? "" : " (" + prefix.text + printed(statistic.units) + ")")) +
                     " noenhanced font ',13'\nsplot @" + name + "@ using 1:2:3 notitle\n");
  }
  if (panels.empty()) return {};
  const std::size_t across = panels.size() > 1 ? 2 : 1, down = (panels.size() + across - 1) / across;
  figure.width = across > 1 ? 13.0 : 8.0;
  figure.height = 1 + 4.2 * static_cast<double>(down);
  out << "set multiplot layout " << down << "," << across << " title "
      << quoted(scan.title.empty() ? "lumarch" : scan.title) << " noenhanced font ',15' margins screen 0.08,0.92,"
      << number(0.8 / figure.height) << "," << number(1 - 1.0 / figure.height) << " spacing screen 0.2,"
      << number(1.5 / figure.height) << "\nset view map\nset pm3d corners2color c1\nset style data pm3d\nunset key\n"
      << palette() << "\nset datafile missing 'nan'\nset xlabel " << quoted(axis_label(scan.axes[0])) << "\nset ylabel "
      << quoted(axis_label(scan.axes[1])) << "\n";
  for (const std::string& panel : panels) out << panel;
  out << "unset multiplot\n";
  figure.script = out.str();
  return figure;
}

}  // namespace

Figure scan_statistics(const ScanFile& file) {
  const std::vector<const StoredPoint*> points = along_first(file.info());
  if (points.empty()) return {};
  const ScanInfo& info = file.info();
  if (info.axes.size() == 2 && !info.zip) return maps(file, points);
  return statistics(as_planes(file, points), axis_label(info.axes[0]));
}

// Side by side, each in dB of the strongest of all.
Figure scan_spectra(const ScanFile& file) {
  const std::vector<const StoredPoint*> points = along_first(file.info());
  const bool one_axis = file.info().axes.size() == 1 || file.info().zip;
  if (points.size() < 2 || !one_axis) return {};
  std::vector<std::vector<double>> spectra;
  std::vector<double> at, wavelengths, most;
  for (const StoredPoint* point : points) {
    const ResultFile one = file.point(point->point);
    const Signals signals(one);
    if (signals.planes().empty()) return {};  // no fields, and no spectra
    if (wavelengths.empty()) {
      wavelengths = signals.wavelengths();
      most.assign(wavelengths.size(), 0);
    }
    if (signals.wavelengths() != wavelengths) return {};  // grids differ from point to point
    spectra.push_back(signals.per_wavelength(signals.planes().back()));
    for (std::size_t i = 0; i < most.size(); ++i) most[i] = std::max(most[i], spectra.back()[i]);
    at.push_back(point->numbers[0]);
  }
  const double peak = most.empty() ? 0 : *std::max_element(most.begin(), most.end());
  if (!(peak > 0)) return {};
  const Range range = visible(wavelengths, most);
  const std::vector<std::size_t> rows = rows_of(at);
  Figure figure{"spectra", 9, 7.2, "", {}};
  for (const std::size_t row : rows)
    figure.data["spectra.bin"] += decibel_bytes(in_pixels(wavelengths, spectra[row], range, columns), peak);
  const Unit length = wavelength_unit(range);
  const Range x = scaled(range, length.factor), y{at.front(), at.back()};
  std::ostringstream out;
  out << "set title " << quoted(file.info().title.empty() ? "lumarch" : file.info().title) << " noenhanced font ',15'\n"
      << "set cbrange [" << -depth << ":0]\nset cbtics 10\nset cblabel 'Energy per wavelength at the end (dB)'\n"
      << "set xlabel " << quoted("Wavelength (" + length.text + ")") << "\nset ylabel "
      << quoted(axis_label(file.info().axes[0])) << "\nset xrange " << bracket(x) << "\nset yrange " << bracket(y)
      << "\n"
      << image("spectra.bin", columns, rows.size(), x, y);
  figure.script = out.str();
  return figure;
}

}  // namespace lumarch::tools
