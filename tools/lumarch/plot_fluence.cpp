// SPDX-License-Identifier: Apache-2.0
// Where a beam's energy is: fluence against radius or x, and distance; of Cartesian grids the last plane as a map too.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "lumarch/engineering.hpp"
#include "lumarch/plot_figures.hpp"
#include "lumarch/plot_parts.hpp"

namespace lumarch::tools {

namespace {

using Row = std::vector<double>;

// Along r or x: the fluence of each plane, and the largest of all planes at each place.
struct Cuts {
  Row at;  // m, rising
  std::vector<Row> rows;
  Row most;
  std::string name, where;  // of the axis, and what stands behind its unit
};

void add(Cuts& cuts, Row row) {
  cuts.most.resize(row.size(), 0.0);
  for (std::size_t i = 0; i < row.size(); ++i) cuts.most[i] = std::max(cuts.most[i], row[i]);
  cuts.rows.push_back(std::move(row));
}

// The fluence is even in r: with its first value on the other side of the axis too, a picture has no gap there.
Row mirrored(const Row& values, double sign) {
  Row more{sign * values.front()};
  more.insert(more.end(), values.begin(), values.end());
  return more;
}

std::size_t nearest_to_zero(const Row& values) {
  const auto nearer = [](double a, double b) { return std::abs(a) < std::abs(b); };
  return static_cast<std::size_t>(std::min_element(values.begin(), values.end(), nearer) - values.begin());
}

Row finite_fluence(const Signals& signals, std::int64_t plane) {
  Row values = signals.file().fluence(plane);
  for (double& value : values) value = std::isfinite(value) ? value : 0;
  return values;
}

// Range and unit of a place.
struct Place {
  Range range;
  Unit unit;
};
Place place(const Range range) { return {range, unit_for(std::max(std::abs(range.low), std::abs(range.high)), "m")}; }

std::string colours(double peak) {
  std::ostringstream out;
  out << "set cbrange [" << -depth << ":0]\nset cbtics 10\nset cblabel "
      << quoted("Fluence (dB of " + printed(engineering(peak, "J/m^2")) + ")") << " noenhanced offset 0.5,0\n";
  return out.str();
}

// The map of cuts against distance, or the curve of the one plane there is.
std::string draw_cuts(const Signals& signals, const Cuts& cuts, double peak, Figure& figure) {
  Range range = visible(cuts.at, cuts.most);
  if (cuts.at.front() < 0 && cuts.name == "Radius") range.low = 0;
  const Place x = place(range);
  const Range across = scaled(x.range, x.unit.factor);
  std::ostringstream out;
  out << "set xlabel " << quoted(cuts.name + " (" + x.unit.text + ")" + cuts.where) << "\nset xrange "
      << bracket(across) << "\n";
  if (cuts.rows.size() < 2) {
    const Unit unit = unit_for(peak, "J/m^2");
    Row values = in_pixels(cuts.at, cuts.rows.front(), x.range, columns);
    std::string& text = figure.data["fluence.txt"];
    for (std::size_t i = 0; i < columns; ++i) {
      const double middle = (static_cast<double>(i) + 0.5) / static_cast<double>(columns);
      text += number(across.low + (across.high - across.low) * middle) + ' ' + number(values[i] / unit.factor) + '\n';
    }
    out << "set yrange [0:" << number(1.1 * peak / unit.factor) << "]\nset ylabel "
        << quoted("Fluence (" + printed(unit.text) + ")")
        << " noenhanced\nset grid x y dashtype 1 linecolor '#c8c8c8'\n"
        << "plot @fluence.txt@ using 1:2 with lines linewidth 1.5 linecolor '#b0305c' notitle\n";
    return out.str();
  }
  Row z;
  for (const std::int64_t plane : signals.planes()) z.push_back(signals.z(plane));
  const std::vector<std::size_t> rows = rows_of(z);
  std::vector<std::string> pixels;
  for (const Row& row : cuts.rows) pixels.push_back(decibel_bytes(in_pixels(cuts.at, row, x.range, columns), peak));
  for (const std::size_t row : rows) figure.data["fluence.bin"] += pixels[row];
  const Unit metre = unit_for(z.back(), "m");
  const Range zs{z.front() / metre.factor, z.back() / metre.factor};
  out << "set ylabel " << quoted("Distance (" + metre.text + ")") << "\nset yrange " << bracket(zs) << "\n"
      << image("fluence.bin", columns, rows.size(), across, zs);
  return out.str();
}

// The last plane of a Cartesian grid, in pixels of its own points; x and y in the same scale.
std::string draw_map(const NodeAxes& nodes, const Row& fluence, double peak, Figure& figure) {
  const std::size_t nx = nodes.x.size(), ny = nodes.y.size();
  Row most_x(nx, 0.0), most_y(ny, 0.0);
  for (std::size_t j = 0; j < ny; ++j) {
    for (std::size_t i = 0; i < nx; ++i) {
      most_x[i] = std::max(most_x[i], fluence[j * nx + i]);
      most_y[j] = std::max(most_y[j], fluence[j * nx + i]);
    }
  }
  const Range x = visible(nodes.x, most_x), y = visible(nodes.y, most_y);
  const Place both = place({std::min(x.low, y.low), std::max(x.high, y.high)});
  const double f = both.unit.factor;
  const double half = nx > 1 ? (nodes.x.back() - nodes.x.front()) / static_cast<double>(2 * (nx - 1)) : 1;
  figure.data["map.bin"] = decibel_bytes(fluence, peak);
  std::ostringstream out;
  out << "set xrange " << bracket(scaled(both.range, f)) << "\nset yrange " << bracket(scaled(both.range, f))
      << "\nset xlabel " << quoted("x (" + both.unit.text + ")") << "\nset ylabel "
      << quoted("y (" + both.unit.text + ")") << "\n"
      << image("map.bin", nx, ny, {(nodes.x.front() - half) / f, (nodes.x.back() + half) / f},
               {nodes.y.front() / f, nodes.y.back() / f});
  return out.str();
}

}  // namespace

Figure fluence_figure(const ResultInfo& info, const Signals& signals) {
  const NodeAxes& nodes = info.nodes;
  const bool radial = !nodes.r.empty(), map = !nodes.y.empty();
  const std::size_t axis = map ? nearest_to_zero(nodes.y) : 0;
  Cuts cuts;
  cuts.at = radial ? mirrored(nodes.r, -1) : nodes.x;
  cuts.name = radial ? "Radius" : "x";
  if (map) cuts.where = " at y = " + (nodes.y[axis] == 0 ? std::string("0") : engineering(nodes.y[axis], "m"));
  double peak = 0;
  Row last;
  for (const std::int64_t plane : signals.planes()) {
    last = finite_fluence(signals, plane);
    peak = std::max(peak, *std::max_element(last.begin(), last.end()));
    const auto start = last.begin() + static_cast<std::ptrdiff_t>(axis * nodes.x.size());
    add(cuts, radial ? mirrored(last, 1) : Row(start, start + static_cast<std::ptrdiff_t>(nodes.x.size())));
  }
  if (!(peak > 0)) return {};
  const bool two = map && cuts.rows.size() > 1;
  Figure figure{"fluence", two ? 14.5 : 10.5, map ? 7.2 : 7.0, "", {}};
  std::ostringstream out;
  const std::string where = at_z(signals, signals.planes().back());
  const std::string title = title_of(info) + (cuts.rows.size() > 1 ? "" : ", " + where);
  out << (two ? "set multiplot title " : "set title ") << quoted(title) << " noenhanced font ',15'\n" << colours(peak);
  if (two) {
    out << "set tmargin at screen 0.87\nset bmargin at screen 0.13\n"
        << "set lmargin at screen 0.07\nset rmargin at screen 0.437\nunset colorbox\n"
        << "set title " << quoted(where) << " offset 0,-0.6\n";
  } else if (map) {
    out << "set size square\n";
  }
  if (map) out << draw_map(nodes, last, peak, figure);
  if (two) {
    out << "unset title\nset lmargin at screen 0.535\nset rmargin at screen 0.902\n"
        << "set colorbox user origin screen 0.916,0.13 size screen 0.014,0.74\n";
  }
  if (!map || two) out << draw_cuts(signals, cuts, peak, figure);
  if (two) out << "unset multiplot\n";
  figure.script = out.str();
  return figure;
}

}  // namespace lumarch::tools
