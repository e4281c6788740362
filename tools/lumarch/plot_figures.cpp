// SPDX-License-Identifier: Apache-2.0
#include "lumarch/plot_figures.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "lumarch/engineering.hpp"
#include "lumarch/plot_parts.hpp"

namespace lumarch::tools {

namespace {

std::string table(const std::vector<std::vector<double>>& series) {
  std::string text;
  for (std::size_t i = 0; i < series.front().size(); ++i) {
    for (const auto& column : series) text += number(column[i]) + ' ';
    text += '\n';
  }
  return text;
}

std::vector<double> pixel_centres(Range range, std::size_t count) {
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = range.low + (range.high - range.low) * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
  }
  return x;
}

// Round numbers within a range, some nine of them: gnuplot places the tics of a linked axis at those of the other.
std::string round_numbers(Range range) {
  const double rough = (range.high - range.low) / 11, power = std::pow(10.0, std::floor(std::log10(rough)));
  const double step = power * (rough > 5 * power ? 10 : rough > 2 * power ? 5 : rough > power ? 2 : 1);
  std::string text;
  for (double at = std::ceil(range.low / step) * step; at <= range.high; at += step) {
    text.append(text.empty() ? "" : ", ").append(number(at));
  }
  return text;
}

// Start and end of a curve in two colours that everybody can tell apart, or the one plane there is.
std::string two_curves(const Signals& signals, const std::string& name) {
  const std::int64_t first = signals.planes().front(), last = signals.planes().back();
  std::string text = "plot ";
  if (first != last)
    text += "@" + name + "@ using 1:2 with lines linewidth 1.2 linecolor '#8a8f98' title " +
            quoted(at_z(signals, first)) + ", ";
  return text + "@" + name + "@ using 1:3 with lines linewidth 1.5 linecolor '#b0305c' title " +
         quoted(at_z(signals, last)) + "\n";
}

}  // namespace

Extent extent_of(const Signals& signals) {
  std::vector<double> spectrum(signals.wavelengths().size(), 0.0), power(signals.times().size(), 0.0);
  const auto grow = [](std::vector<double>& most, const std::vector<double>& more) {
    for (std::size_t i = 0; i < most.size(); ++i) most[i] = std::max(most[i], more[i]);
  };
  for (const std::int64_t plane : signals.planes()) {
    grow(spectrum, signals.per_wavelength(plane));
    grow(power, signals.power(plane));
  }
  Extent extent{visible(signals.wavelengths(), spectrum), visible(signals.times(), power)};
  if (!spectrum.empty()) extent.spectrum_peak = *std::max_element(spectrum.begin(), spectrum.end());
  if (!power.empty()) extent.power_peak = *std::max_element(power.begin(), power.end());
  return extent;
}

Figure evolution(const ResultInfo& info, const Signals& signals, const Extent& extent) {
  std::vector<double> z;
  for (const std::int64_t plane : signals.planes()) z.push_back(signals.z(plane));
  const std::vector<std::size_t> rows = rows_of(z);
  std::vector<std::string> spectra, powers;  // a plane's row of pixels, made once a plane
  for (const std::int64_t plane : signals.planes()) {
    spectra.push_back(
        decibel_bytes(in_pixels(signals.wavelengths(), signals.per_wavelength(plane), extent.wavelengths, columns),
                      extent.spectrum_peak));
    powers.push_back(
        decibel_bytes(in_pixels(signals.times(), signals.power(plane), extent.times, columns), extent.power_peak));
  }
  Figure figure{"evolution", 14, 7.2, "", {}};
  for (const std::size_t row : rows) {
    figure.data["spectrum.bin"] += spectra[row];
    figure.data["time.bin"] += powers[row];
  }
  const Unit metre = unit_for(z.back(), "m"), length = wavelength_unit(extent.wavelengths),
             second = time_unit(extent.times);
  const Range zs{z.front() / metre.factor, z.back() / metre.factor};
  const Range x = scaled(extent.wavelengths, length.factor), t = scaled(extent.times, second.factor);
  std::ostringstream out;
  out << "set multiplot title " << quoted(title_of(info)) << " noenhanced font ',15'\n"
      << "set cbrange [" << -depth << ":0]\nset cbtics 10\nset yrange " << bracket(zs) << "\n"
      << "set tmargin at screen 0.91\nset bmargin at screen 0.13\n"
      << "set ylabel " << quoted("Distance (" + metre.text + ")") << "\nunset colorbox\n"
      << "set lmargin at screen 0.075\nset rmargin at screen 0.475\n"
      << "set xlabel " << quoted("Wavelength (" + length.text + ")") << "\nset xrange " << bracket(x) << "\n"
      << image("spectrum.bin", columns, rows.size(), x, zs)
      << "set lmargin at screen 0.505\nset rmargin at screen 0.905\n"
      << "set colorbox user origin screen 0.92,0.13 size screen 0.015,0.78\n"
      << "set cblabel 'Energy per wavelength and power (dB)' offset 0.5,0\n"
      << "unset ylabel\nset format y ''\n"
      << "set xlabel " << quoted("Time (" + second.text + ")") << "\nset xrange " << bracket(t) << "\n"
      << image("time.bin", columns, rows.size(), t, zs) << "unset multiplot\n";
  figure.script = out.str();
  return figure;
}

Figure spectrum(const ResultInfo& info, const Signals& signals, const Extent& extent) {
  const Unit length = wavelength_unit(extent.wavelengths);
  const Range x = scaled(extent.wavelengths, length.factor);
  const auto curve = [&](std::int64_t plane) {
    std::vector<double> y =
        in_pixels(signals.wavelengths(), signals.per_wavelength(plane), extent.wavelengths, columns);
    const double peak = extent.spectrum_peak;
    std::transform(y.begin(), y.end(), y.begin(), [&](double value) { return decibel(value, peak, -2 * depth); });
    return y;
  };
  Figure figure{"spectrum", 11, 6.5, "", {}};
  figure.data["spectrum.txt"] =
      table({pixel_centres(x, columns), curve(signals.planes().front()), curve(signals.planes().back())});
  const double over = 299792458.0 / length.factor * 1e-12;  // c in THz times the wavelength's unit
  std::ostringstream out;
  out << "set title " << quoted(title_of(info)) << " noenhanced font ',15' offset 0,0.6\n"
      << "set xrange " << bracket(x) << "\nset yrange [" << -depth - 10 << ":3]\n"
      << "set xlabel " << quoted("Wavelength (" + length.text + ")") << "\nset ylabel 'Energy per wavelength (dB)'\n"
      << "set link x2 via " << number(over) << "/x inverse " << number(over) << "/x\nset x2tics ("
      << round_numbers({over / x.high, over / x.low}) << ")\nset x2label 'Frequency (THz)'\n"
      << "set grid x y dashtype 1 linecolor '#c8c8c8'\nset key top right\n"
      << two_curves(signals, "spectrum.txt");
  figure.script = out.str();
  return figure;
}

Figure time_profile(const ResultInfo& info, const Signals& signals, const Extent& extent) {
  const Unit second = time_unit(extent.times);
  const Range x = scaled(extent.times, second.factor);
  const auto curve = [&](std::int64_t plane) {
    return in_pixels(signals.times(), signals.power(plane), extent.times, columns);
  };
  std::vector<double> first = curve(signals.planes().front()), last = curve(signals.planes().back());
  const double peak =
      std::max(*std::max_element(first.begin(), first.end()), *std::max_element(last.begin(), last.end()));
  const Unit watt = unit_for(peak, info.power_units.empty() ? "W" : info.power_units);
  for (std::vector<double>* curve_of : {&first, &last}) {
    for (double& value : *curve_of) value /= watt.factor;
  }
  Figure figure{"time", 11, 6.5, "", {}};
  figure.data["time.txt"] = table({pixel_centres(x, columns), first, last});
  std::ostringstream out;
  out << "set title " << quoted(title_of(info)) << " noenhanced font ',15'\nset xrange " << bracket(x)
      << "\nset yrange [0:" << number(1.15 * peak / watt.factor) << "]\nset xlabel "
      << quoted("Time (" + second.text + ")") << "\nset ylabel " << quoted("Power (" + watt.text + ")")
      << "\nset grid x y dashtype 1 linecolor '#c8c8c8'\nset key top right\n"
      << two_curves(signals, "time.txt");
  figure.script = out.str();
  return figure;
}

Figure spectrogram_figure(const ResultInfo& info, const Signals& signals, const Extent& extent) {
  constexpr std::size_t across = 600, up = 500;
  const std::int64_t plane = signals.file().field_planes().back();
  const Gated gated = spectrogram(signals, plane, info.omega0, extent.times, across, extent.wavelengths, up);
  double peak = 0;
  for (const auto& column : gated.rows) peak = std::max(peak, *std::max_element(column.begin(), column.end()));
  std::vector<float> values;
  for (std::size_t row = 0; row < up; ++row) {
    for (const auto& column : gated.rows)
      values.push_back(static_cast<float>(decibel(column[row], peak, -1.5 * depth)));
  }
  const Unit length = wavelength_unit(extent.wavelengths), second = time_unit(extent.times);
  const Range t = scaled(extent.times, second.factor);
  Range y = scaled(extent.wavelengths, length.factor);
  const double half = (y.high - y.low) / static_cast<double>(2 * up);  // pixels' centres, as image() takes them
  Figure figure{"spectrogram", 11, 7.5, "", {}};
  figure.data["spectrogram.bin"] = float_bytes(values);
  std::ostringstream out;
  out << "set title " << quoted(title_of(info) + ", " + at_z(signals, plane)) << " noenhanced font ',15'\n"
      << "set xrange " << bracket(t) << "\nset yrange " << bracket(y) << "\nset cbrange [" << -depth
      << ":0]\nset cbtics 10\n"
      << "set xlabel " << quoted("Delay (" + second.text + "), gate " + engineering(gated.gate, "s", 3)) << "\n"
      << "set ylabel " << quoted("Wavelength (" + length.text + ")") << "\nset cblabel 'Energy per wavelength (dB)'\n"
      << image("spectrogram.bin", across, up, t, {y.low + half, y.high - half});
  figure.script = out.str();
  return figure;
}

}  // namespace lumarch::tools
