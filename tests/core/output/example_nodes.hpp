// SPDX-License-Identifier: Apache-2.0
// Runs that never ran, of fields with nodes: a pulse of 2 uJ whose spectrum broadens and whose beam is at its waist in
// the middle of the medium. Spectrum, power and fluence hold the same energy.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "core/output/example_run.hpp"

namespace example {

inline constexpr double pulse_energy = 2e-6, waist = 60e-6, length = 0.1;
inline constexpr double offset_x = 40e-6, offset_y = -20e-6;  // Cartesian: where the beam is

inline std::vector<double> rising(std::size_t count, double first, double step) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = first + step * static_cast<double>(i);
  return values;
}

// Of a window of `count` points about 0, and its wavenumbers.
inline void window_axis(std::size_t count, double width, std::vector<double>& x, std::vector<double>& k) {
  const double step = width / static_cast<double>(count), half = std::floor(static_cast<double>(count) / 2);
  x = rising(count, -half * step, step);
  k = rising(count, -half * 2 * std::numbers::pi / width, 2 * std::numbers::pi / width);
}

// A route of problem files; `-real` behind it: positive frequencies alone, and a time axis of twice as many points.
inline lumarch::RunInfo nodes_info(std::string route, lumarch::Fields fields = lumarch::Fields::all,
                                   int compression = 0, int components = 1, std::size_t points = 128,
                                   std::size_t planes = 9) {
  using lumarch::Quantity;
  lumarch::RunInfo info;
  const auto real = route.find("-real");
  if (real != std::string::npos) points *= 4;
  route = route.substr(0, real);
  info.problem.title = "A pulse and its nodes: " + route;
  info.problem.text = R"({"lumarch": 1, "model": "uppe"})";
  info.problem.digest = std::string(64, 'b');
  info.problem.wavelength = 800e-9;
  info.problem.output.fields = fields;
  info.problem.output.compression = compression;
  info.omega0 = 2 * std::numbers::pi * 299792458.0 / info.problem.wavelength;
  const bool is_real = real != std::string::npos;
  const double window = is_real ? 2 * std::numbers::pi * static_cast<double>(points) / (2.5 * info.omega0) : 0.4e-12;
  const double domega = 2 * std::numbers::pi / window, half = std::floor(static_cast<double>(points) / 2);
  const std::size_t times = is_real ? 2 * points : points;
  info.omega = is_real ? rising(points, 0, domega) : rising(points, info.omega0 - half * domega, domega);
  info.time = rising(times, -window / 2, window / static_cast<double>(times));
  info.planes = rising(planes, 0, length / static_cast<double>(planes > 1 ? planes - 1 : 1));
  info.backend_json = R"({"name": "cpu", "version": "0.1.0"})";
  info.profiles = true;
  info.nodes.components = components;
  info.problem.statistics = {{"energy", Quantity::energy}, {"width_20db", Quantity::width_20db}};
  const auto ask = [&](const char* name, Quantity quantity) { info.problem.statistics.push_back({name, quantity}); };
  auto& nodes = info.nodes;
  if (route == "mode-averaged" || route == "modal") {
    ask("pressure", Quantity::pressure);
    ask("core_radius", Quantity::core_radius);
    ask("electron_density", Quantity::electron_density);
  } else {
    ask("beam_radius", Quantity::beam_radius);
    ask("on_axis_fluence", Quantity::on_axis_fluence);
  }
  if (route == "modal") {
    nodes.modes = {"HE11", "HE12", "HE13"};
    nodes.inner = 3;
    ask("mode_energy", Quantity::mode_energy);
  } else if (route == "radial") {
    nodes.inner = 48;
    const double radius = 400e-6;
    for (int n = 1; n <= 48; ++n) {
      const double zero = (n - 0.25) * std::numbers::pi, last = 48.75 * std::numbers::pi;
      nodes.r.push_back(zero / last * radius);
      nodes.kr.push_back(zero / radius);
    }
  } else if (route == "line") {
    nodes.inner = 64;
    window_axis(64, 800e-6, nodes.x, nodes.kx);
  } else if (route == "cartesian") {
    nodes.inner = 40;
    nodes.outer = 32;
    window_axis(40, 800e-6, nodes.x, nodes.kx);
    window_axis(32, 640e-6, nodes.y, nodes.ky);
  } else if (route != "mode-averaged") {
    throw std::invalid_argument("no route " + route);
  }
  return info;
}

inline double beam_at(double z) {
  const double u = (z - length / 2) / 0.014;
  return waist * std::sqrt(1 + u * u);
}

// The share of the field at a node: any number that differs from node to node.
inline Complex share(std::int64_t component, std::int64_t outer, std::int64_t inner) {
  const auto c = static_cast<double>(component), y = static_cast<double>(outer), x = static_cast<double>(inner);
  return std::polar(1 / (1 + x + 0.3 * y), 0.5 * c + 0.1 * x - 0.2 * y);
}

// J s, per rad/s.
inline double density_at(const lumarch::RunInfo& info, double z, double omega) {
  const double width = 6e13 * (1 + 2 * z / length), u = (omega - info.omega0) / width;
  return pulse_energy / (std::sqrt(std::numbers::pi) * width) * std::exp(-u * u);
}

inline std::vector<double> fluence_at(const lumarch::NodeAxes& nodes, double z) {
  const double w = beam_at(z), pi = std::numbers::pi;
  std::vector<double> fluence;
  for (const double r : nodes.r) fluence.push_back(2 * pulse_energy / (pi * w * w) * std::exp(-2 * r * r / (w * w)));
  const auto gauss = [&](double x) { return std::sqrt(2 / pi) / w * std::exp(-2 * x * x / (w * w)); };
  if (nodes.y.empty()) {
    for (const double x : nodes.x) fluence.push_back(pulse_energy * gauss(x));
  }
  for (const double y : nodes.y) {
    for (const double x : nodes.x) fluence.push_back(pulse_energy * gauss(x - offset_x) * gauss(y - offset_y));
  }
  return fluence;
}

inline std::vector<double> statistic_at(lumarch::Quantity quantity, double z) {
  using lumarch::Quantity;
  switch (quantity) {
    case Quantity::width_20db:
      return {800e-9 - 1e-7 * z / length, 800e-9 + 2e-7 * z / length};
    case Quantity::pressure:
      return {2e5 * std::sqrt(1 - 0.5 * z / length)};
    case Quantity::core_radius:
      return {125e-6};
    case Quantity::electron_density:
      return {1e22 * std::exp(-5 * z)};
    case Quantity::mode_energy:
      return {0.9 * pulse_energy * (1 - z), 0.08 * pulse_energy, 0.02 * pulse_energy + 0.9 * pulse_energy * z};
    case Quantity::beam_radius:
      return {beam_at(z), 0.9 * beam_at(z)};
    case Quantity::on_axis_fluence:
      return {2 * pulse_energy / (std::numbers::pi * beam_at(z) * beam_at(z))};
    default:
      return {pulse_energy};
  }
}

inline lumarch::PlaneRecord nodes_plane(const lumarch::RunInfo& info, std::size_t index) {
  lumarch::PlaneRecord record;
  record.index = static_cast<std::int64_t>(index);
  record.z = info.planes[index];
  const double z = record.z, duration = 30e-15 * (1 + z / length);
  for (const double omega : info.omega) record.spectrum.push_back(density_at(info, z, omega));
  for (const double t : info.time) {
    record.power.push_back(pulse_energy / (std::sqrt(std::numbers::pi) * duration) *
                           std::exp(-t * t / (duration * duration)));
  }
  record.fluence = fluence_at(info.nodes, z);
  for (const auto& request : info.problem.statistics) record.statistics.push_back(statistic_at(request.quantity, z));
  if (info.problem.output.fields == lumarch::Fields::none) return record;
  for (std::int64_t c = 0; c < info.nodes.components; ++c) {
    for (std::int64_t j = 0; j < info.nodes.outer; ++j) {
      for (std::int64_t i = 0; i < info.nodes.inner; ++i) {
        for (std::size_t k = 0; k < info.omega.size(); ++k) {
          const double u = (info.omega[k] - info.omega0) / 1e14;
          record.field.push_back(share(c, j, i) * std::polar(std::sqrt(record.spectrum[k]), 2 * u * u * z / length));
        }
      }
    }
  }
  return record;
}

inline void write_nodes(const std::string& path, const lumarch::RunInfo& info, std::size_t planes) {
  const auto sink = lumarch::make_file_sink(path, true);
  sink->begin(info);
  for (std::size_t i = 0; i < planes; ++i) {
    sink->attempts(attempts(i));
    sink->plane(nodes_plane(info, i));
  }
  lumarch::RunEnd end = run_end(info);
  if (planes < info.planes.size()) end.ended = lumarch::Ended::stopped;
  sink->end(end);
}

}  // namespace example
