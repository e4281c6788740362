// SPDX-License-Identifier: Apache-2.0
#include "run/memory.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <vector>

#include <lumarch/machine_memory.hpp>

#include "output/worker.hpp"
#include "translate/band_grid.hpp"

namespace lumarch {

namespace {

std::uint64_t sum_of(const Bytes& entries) {
  return std::accumulate(entries.begin(), entries.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& entry) { return sum + entry.second; });
}

std::uint64_t bytes_of_rows(const RowShape& shape, std::uint64_t sample) {
  return static_cast<std::uint64_t>(shape.rows() * shape.samples) * sample;
}

// What stands on the host's side beside the device's memory. The tables of the translation are there by then.
Bytes host_side(const Stepper& stepper, const Device& device, const Problem& problem) {
  Bytes host;
  const std::uint64_t state = bytes_of_rows(stepper.shape(), sizeof(Complex));
  const bool noise = problem.noise && problem.noise->enters == Noise::Enters::nonlinear;
  host["launch"] = state * (noise ? 2 : 1);
  if (!(device.info().caps & LM_CAP_HOST_MEMORY)) host["what crosses at once"] = std::min(state, device.piece_bytes());
  const bool fields = problem.output.fields != Fields::none;
  if (fields || !stepper.reads_here()) host["field that is read"] = state * (fields ? 2 : 1);
  if (!stepper.reads_here()) host["field in time"] = bytes_of_rows(stepper.reading_shape(), sizeof(Complex));
  host["numbers that are read"] = 2 * stepper.numbers_read_bytes();
  // a plane waits while another is written; with fields = last one is held, as it may be the last
  if (problem.output.fields == Fields::all)
    host["planes that wait for the file"] = state * (std::min(planes_waiting, problem.planes.size()) + 1);
  else if (fields)
    host["plane that may be the last"] = state;
  return host;
}

bool on_nodes(const Problem& problem) {
  if (!problem.uppe) return false;
  const Route route = problem.uppe->geometry.route;
  return route == Route::radial || route == Route::line || route == Route::cartesian;
}

std::string remedies(const Problem& problem, bool host) {
  std::string text = on_nodes(problem) ? "fewer /geometry/points, " : "";
  if (problem.uppe && problem.uppe->geometry.route == Route::modal) text += "fewer /geometry/modes, ";
  text += problem.time.band ? "a shorter /time/window, a narrower /time/band" : "fewer /time/points";
  if (problem.march.integrator != Integrator::low_storage)
    text += ", \"low-storage\" as /march/integrator (the fewest rows)";
  if (host && problem.output.fields != Fields::none)
    text += ", " + std::string(problem.output.fields == Fields::all ? "\"last\" or \"none\"" : "\"none\"") +
            " as /output/fields";
  return text + ", or a --backend with more memory may help";
}

[[noreturn]] void refuse(Device& device, const std::string& where, std::uint64_t needed, std::uint64_t available,
                         const Bytes& entries, const std::string& help) {
  device.drop_spare_plans();
  throw Error(Fault::refused, "this run needs " + bytes_text(needed) + " " + where + ", and " + bytes_text(available) +
                                  " are free:\n" + memory_table(entries) + help);
}

// Samples of a state, at least; as a double, for there is no limit to what may be asked for.
double least_samples(const Problem& problem) {
  if (!problem.uppe) return static_cast<double>(problem.time.points);
  const Geometry& geometry = problem.uppe->geometry;
  double nodes = on_nodes(problem) ? static_cast<double>(geometry.points) * geometry.polarisations : 1;
  if (geometry.route == Route::cartesian) nodes *= static_cast<double>(geometry.points_y);
  return nodes * static_cast<double>(BandGrid(problem, false).samples);
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < std::size(units)) value /= 1000, ++unit;
  char text[40];
  std::snprintf(text, sizeof text, "%.3g %s", value, units[unit]);
  return text;
}

std::string memory_table(const Bytes& entries) {
  std::vector<std::pair<std::string, std::uint64_t>> rows(entries.begin(), entries.end());
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  constexpr std::size_t most_rows = 40;
  std::string text;
  std::uint64_t rest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i >= most_rows) {
      rest += rows[i].second;
      continue;
    }
    const std::size_t width = rows[i].first.size() < 30 ? 30 - rows[i].first.size() : 1;
    text += "  " + rows[i].first + std::string(width, ' ') + bytes_text(rows[i].second) + "\n";
  }
  if (rest > 0) text += "  (" + std::to_string(rows.size() - most_rows) + " more: " + bytes_text(rest) + ")\n";
  return text;
}

MemoryEstimate estimate_memory(Scene& scene, Device& device, const Problem& problem, const RunWays& ways) {
  MemoryEstimate estimate;
  const Device::Counting counting(device);
  const std::unique_ptr<Stepper> stepper = scene.make_stepper(device, ways);
  estimate.march = counting.ledger().entries();
  estimate.march_bytes = counting.ledger().bytes();
  estimate.host = host_side(*stepper, device, problem);
  (void)scene.transforms(device);  // of the launch, beside all that
  estimate.most = counting.ledger().most();
  estimate.most_bytes = counting.ledger().most_bytes();
  estimate.host_bytes = sum_of(estimate.host);
  return estimate;
}

void refuse_unless_it_fits(const MemoryEstimate& estimate, Device& device, const Problem& problem) {
  const bool shared = device.info().caps & LM_CAP_HOST_MEMORY;
  const std::string on = "on the " + device.backend().name + " backend";
  std::uint64_t available = device.memory_available();
  // A backend that does not know says 0 (abi.h). Where its memory is the host's, core knows.
  if (available == 0) available = shared ? machine::memory().available : std::numeric_limits<std::uint64_t>::max();
  if (shared) {
    Bytes all = estimate.most;
    for (const auto& [name, bytes] : estimate.host) all[name + " (host)"] += bytes;
    if (estimate.most_bytes + estimate.host_bytes > available)
      refuse(device, on, estimate.most_bytes + estimate.host_bytes, available, all, remedies(problem, true));
    return;
  }
  if (estimate.most_bytes > available)
    refuse(device, on, estimate.most_bytes, available, estimate.most, remedies(problem, false));
  if (const std::uint64_t host = machine::memory().available; estimate.host_bytes > host)
    refuse(device, "on the host's side", estimate.host_bytes, host, estimate.host, remedies(problem, true));
}

void refuse_unless_tables_fit(const Problem& problem) {
  // an operator and a launch of complex numbers; with media in SI also the energy of each sample
  const double samples = least_samples(problem), bytes = samples * (problem.uppe ? 40 : 32);
  const std::uint64_t available = machine::memory().available;
  if (!(bytes > static_cast<double>(available))) return;
  char text[200];
  std::snprintf(text, sizeof text,
                "the tables and the launch of %.4g samples take at least %.3g GB, and %s are free: ", samples,
                bytes * 1e-9, bytes_text(available).c_str());
  throw Error(Fault::refused, text + remedies(problem, false));
}

namespace {

std::string free_text(std::uint64_t bytes) {
  return bytes > 0 ? ", of " + bytes_text(bytes) + " that are free\n" : "; the backend does not say what is free\n";
}

}  // namespace

std::string describe_memory(const Problem& problem, const BackendSearch& search) {
  std::string text;
  const std::unique_ptr<Scene> scene = translate(problem);
  try {
    Device device(load_backend(problem.backend.name, search), problem.backend, search.log);
    const MemoryEstimate estimate = estimate_memory(*scene, device, problem, {});
    text += "memory of the backend (" + device.backend().name + ", " + device.info().name + ")\n" +
            memory_table(estimate.march) + "  in all                        " + bytes_text(estimate.march_bytes) +
            "; at most " + bytes_text(estimate.most_bytes) + free_text(device.memory_available());
    Bytes host = estimate.host;
    host["tables of the problem"] = scene->table_bytes();
    text += "memory on the host's side\n" + memory_table(host) + "  in all                        " +
            bytes_text(sum_of(host)) + "\n";
    try {
      refuse_unless_it_fits(estimate, device, problem);
    } catch (const Error& refusal) {
      const std::string why = refusal.what();
      text += "warning: it will be refused: " + why.substr(0, why.find(":\n")) + "\n";
    }
  } catch (const Error& error) {
    text += std::string("memory\n  not known: ") + error.what() + "\n";
  }
  return text;
}

}  // namespace lumarch
