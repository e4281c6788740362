// SPDX-License-Identifier: Apache-2.0
// A run that never ran: a pulse whose spectrum broadens along z, in numbers that a test can work out again.
#pragma once

#include <unistd.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <numbers>
#include <string>

#include <lumarch/sink.hpp>

namespace example {

using lumarch::Complex;

inline lumarch::RunInfo run_info(std::size_t points = 256, std::size_t planes = 11,
                                 lumarch::Fields fields = lumarch::Fields::all, int compression = 0) {
  const double window = 4e-12, light = 299792458.0, two_pi = 2 * std::numbers::pi;
  lumarch::RunInfo info;
  info.problem.title = "A pulse that broadens";
  info.problem.text = R"({"lumarch": 1, "title": "A pulse that broadens"})";
  info.problem.digest = std::string(64, 'a');
  info.problem.wavelength = 835e-9;
  info.problem.output.fields = fields;
  info.problem.output.compression = compression;
  info.problem.statistics = {{"energy", lumarch::Quantity::energy, 0, 0},
                             {"photon_number", lumarch::Quantity::photon_number, 0, 0},
                             {"width_20db", lumarch::Quantity::width_20db, 0, 0}};
  info.omega0 = two_pi * light / info.problem.wavelength;
  const double step = two_pi / window, half = std::floor(static_cast<double>(points) / 2);
  for (std::size_t i = 0; i < points; ++i) {
    info.omega.push_back(info.omega0 + step * (static_cast<double>(i) - half));
    info.time.push_back(window / static_cast<double>(points) * (static_cast<double>(i) - half));
  }
  for (std::size_t i = 0; i < planes; ++i) {
    info.planes.push_back(0.15 * static_cast<double>(i) / static_cast<double>(planes > 1 ? planes - 1 : 1));
  }
  info.backend_json = R"({"name": "cpu", "version": "0.1.0"})";
  info.rims = {"time", "band"};
  info.edge_readings = planes;
  return info;
}

inline lumarch::PlaneRecord plane(const lumarch::RunInfo& info, std::size_t index) {
  lumarch::PlaneRecord record;
  record.index = static_cast<std::int64_t>(index);
  record.z = info.planes[index];
  const double width = 3e13 * (1 + record.z / 0.02), step = info.omega[1] - info.omega[0];
  double energy = 0, photons = 0;
  for (const double omega : info.omega) {
    const double x = (omega - info.omega0) / width;
    const Complex value = std::polar(1e-11 / std::sqrt(width / 3e13) * std::exp(-x * x / 2), 3 * x * x);
    record.field.push_back(value);
    energy += step / (2 * std::numbers::pi) * std::norm(value);
    photons += step / (2 * std::numbers::pi) * std::norm(value) / (1.054571817e-34 * omega);
  }
  record.statistics = {{energy}, {photons}, {800e-9, 870e-9}};
  if (info.problem.output.fields == lumarch::Fields::none) record.field.clear();
  return record;
}

// Some attempts before each plane, every third one rejected.
inline std::vector<lumarch::AttemptRecord> attempts(std::size_t plane, std::size_t count = 7) {
  std::vector<lumarch::AttemptRecord> records;
  for (std::size_t i = 0; i < count; ++i) {
    const double number = static_cast<double>(plane * count + i);
    records.push_back({1e-4 * number, 1e-5 * (number + 1), 0.5, i % 3 != 2});
  }
  return records;
}

// A reading at each plane.
inline lumarch::EdgeRecord edge(const lumarch::RunInfo& info, std::size_t index) {
  lumarch::EdgeRecord record;
  record.z = info.planes[index];
  const auto number = static_cast<double>(index);
  record.rims = {{1e-9 * number, 1e-18 * number, 1e-8 * number, {}}, {2e-7 * number, 2e-16 * number, 1e-3, {}}};
  for (std::size_t rim = 0; rim < info.strips.size(); ++rim)
    for (const std::int64_t place : info.strips[rim])
      record.rims[rim].strip.push_back(number + 0.25 * static_cast<double>(place));
  record.absorbed_time = 3e-12 * number;
  return record;
}

inline lumarch::RunEnd run_end(const lumarch::RunInfo& info) {
  lumarch::RunEnd end;
  end.z = info.planes.back();
  end.accepted = 55;
  end.rejected = 22;
  end.evaluations = 330;
  end.timings = {{"march", 1.5}, {"set-up", 0.25}};
  end.bytes_crossed = {{"download plane", 45056}, {"upload launch", 4096}};
  end.memory = {{"state", 4096}, {"work", 8192}};
  end.kernels_json = R"([{"name": "rhs.fibre", "version": 1, "how": "fused"}])";
  return end;
}

inline void write(const std::string& path, const lumarch::RunInfo& info, std::size_t planes) {
  const auto sink = lumarch::make_file_sink(path, true);
  sink->begin(info);
  for (std::size_t i = 0; i < planes; ++i) {
    sink->attempts(attempts(i));
    sink->plane(plane(info, i));
    sink->edge(edge(info, i));
  }
  lumarch::RunEnd end = run_end(info);
  if (planes < info.planes.size()) {
    end.ended = lumarch::Ended::stopped;
    end.reason = "the time limit was reached";
    end.z = planes > 0 ? info.planes[planes - 1] : 0;
  }
  sink->end(end);
}

// A folder of its own for a test, removed after it.
class Folder {
public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "lumarch-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

}  // namespace example
