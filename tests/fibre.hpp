// Fibre problems built in code, and marches of them, for the acceptance cases.
#pragma once

#include <cmath>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include <lumarch/problem.hpp>
#include <lumarch/run.hpp>
#include <lumarch/sink.hpp>

#include "backend/device.hpp"
#include "backend/plugin.hpp"
#include "run/run_on.hpp"
#include "translate/fibre.hpp"

namespace lumarch::test {

constexpr double pi = std::numbers::pi;
constexpr double c = 299792458.0;
constexpr double fs = 1e-15, ps = 1e-12, nm = 1e-9;

inline Problem fibre(double wavelength, double window, std::int64_t points, double length, std::vector<double> betas,
                     double gamma) {
  Problem p;
  p.wavelength = wavelength;
  p.time = {window, points, {}};
  p.medium.length = length;
  p.medium.gamma = gamma;
  p.medium.dispersion = BetaSeries{std::move(betas)};
  p.planes = {0, length};
  return p;
}

inline Pulse pulse(Shape shape, double t0, double peak_power) {
  Pulse s;
  s.shape = shape;
  if (shape != Shape::cw) s.t0 = t0;
  s.peak_power = peak_power;
  return s;
}

inline StatisticRequest ask(Quantity quantity) { return {"", quantity, 0, 0}; }

// The backend that LUMARCH_TEST_BACKEND names, the CPU plugin where it was built, else the reference.
inline std::string backend_name() {
  const char* name = std::getenv("LUMARCH_TEST_BACKEND");
  if (name) return name;
  return std::filesystem::exists(LUMARCH_BACKEND_DIR "/liblumarch_backend_cpu.so") ? "cpu" : "reference";
}

struct Marched {
  RunInfo run;
  std::vector<PlaneRecord> planes;
  std::vector<AttemptRecord> march;
  RunEnd ended;
  RunSummary summary;
  std::vector<EdgeRecord> edges;
};

inline Marched march(const Problem& problem, bool fused = true) {
  BackendRequest request;
  request.name = backend_name();
  if (request.name == "cpu") request.threads = 1;
  Device device(load_backend(request.name, {{LUMARCH_BACKEND_DIR}, {}}), request);
  MemorySink sink;
  RunSummary summary = run_on(device, problem, sink, {}, {fused});
  return {std::move(sink.run),   std::move(sink.planes), std::move(sink.march),
          std::move(sink.ended), std::move(summary),     std::move(sink.edges)};
}

// A(t) of a stored plane by the definition in sink.hpp, over all of the grid's times: a direct sum would be slow, so
// it is only taken at the times asked for.
inline std::complex<double> field_at(const Marched& sink, std::size_t plane, double t) {
  const RunInfo& run = sink.run;
  const double domega = run.omega[1] - run.omega[0];
  std::complex<double> sum = 0;
  for (std::size_t j = 0; j < run.omega.size(); ++j)
    sum += sink.planes[plane].field[j] * std::polar(1.0, -(run.omega[j] - run.omega0) * t);
  return sum * domega / (2 * pi);
}

// The whole field in time, by a plain radix-2 transform of our own (points a power of two).
inline std::vector<std::complex<double>> time_field(const Marched& sink, std::size_t plane) {
  const RunInfo& run = sink.run;
  const std::size_t n = run.omega.size();
  const double domega = run.omega[1] - run.omega[0];
  std::vector<std::complex<double>> x(n);
  for (std::size_t j = 0; j < n; ++j) {
    const auto k = static_cast<std::size_t>(std::llround((run.omega[j] - run.omega0) / domega + double(n))) % n;
    x[k] = sink.planes[plane].field[j] * domega / (2 * pi);
  }
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j |= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t start = 0; start < n; start += 2 * half)
      for (std::size_t k = 0; k < half; ++k) {
        const auto t = std::polar(1.0, -pi * double(k) / double(half)) * x[start + k + half];
        x[start + k + half] = x[start + k] - t;
        x[start + k] += t;
      }
  // index 0 is t = 0: rotate so that the window's first sample comes first
  std::vector<std::complex<double>> field(n);
  for (std::size_t j = 0; j < n; ++j) field[j] = x[(j + n - n / 2) % n];
  return field;
}

inline double stat(const Marched& sink, std::size_t plane, std::size_t i, std::size_t part = 0) {
  return sink.planes.at(plane).statistics.at(i).at(part);
}

}  // namespace lumarch::test
