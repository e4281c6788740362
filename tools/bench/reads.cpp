// SPDX-License-Identifier: Apache-2.0
// Reads on the state: each sum over a right-hand side, and runs with the edge check over the same runs without it.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "bench/bench.hpp"
#include "march/route_equation.hpp"
#include "march/stepper.hpp"
#include "reads/edge.hpp"
#include "run/run_on.hpp"
#include "translate/uppe_launch.hpp"

namespace lumarch::bench {

namespace {

struct Route {
  const char *name, *geometry, *launch;
  std::int64_t samples;
};

// Kerr's response in air on fixed steps, so that runs with and without the check do the same work.
Problem problem_of(const Route& route, int steps, bool edge) {
  std::string schedule;
  for (int i = 0; i < steps; ++i) schedule += (i ? ", " : "") + std::to_string(1e-2 / steps);
  return parse_problem(R"({"lumarch": 1, "title": "bench", "model": "uppe", "wavelength": "800 nm",
    "time": {"window": "400 fs", "points": )" +
                       std::to_string(route.samples) + R"(},
    "geometry": )" + route.geometry +
                       R"(, "medium": {"type": "gas", "length": "1 cm", "gas": "air", "pressure": "1 bar"},
    "responses": ["kerr"], "launch": [)" +
                       route.launch + R"(], "march": {"schedule": [)" + schedule + R"(]},
    "boundary": {"edge": )" +
                       (edge ? "true" : "false") + R"(}, "planes": 2, "statistics": ["energy"],
    "output": {"fields": "none"}})");
}

// What a read is of, as a stepper is asked for it.
struct Sums {
  const char* name;
  ReadWants wants;
};

std::vector<Sums> sums_of(const Problem& problem, const UppeTables& tables) {
  ReadWants energy, radius, peak;
  energy.power = radius.power = peak.power = false;
  radius.fluence = peak.peak = true;
  return {{"energy", energy},
          {"beam_radius", radius},
          {"peak_intensity", peak},
          {"edges", EdgeReading(problem, tables).wants()}};
}

}  // namespace

void reads(const Request& request, std::ostream& out) {
  const LoadedBackend& backend = load_backend(request.backend.name, {request.folders, {}});
  Device device(backend, request.backend);
  const auto beam = [](const char* energy) {
    return std::string(R"({"shape": "gauss", "fwhm": "40 fs", "energy": ")") + energy +
           R"(", "beam": {"waist": "300 um"}})";
  };
  const std::string line = beam("10 uJ/mm"), spot = beam("10 uJ");
  std::vector<Route> all = {
      {"line", R"({"route": "line", "half_width": "2 mm", "points": 512})", line.c_str(), 1024},
      {"radial", R"({"route": "radial", "radius": "2 mm", "points": 256})", spot.c_str(), 1024},
      {"Cartesian", R"({"route": "cartesian", "half_width": "2 mm", "points": 64})", spot.c_str(), 128}};
  if (request.quick)
    all = {{"line", R"({"route": "line", "half_width": "2 mm", "points": 32})", line.c_str(), 32},
           {"radial", R"({"route": "radial", "radius": "2 mm", "points": 24})", spot.c_str(), 32},
           {"Cartesian", R"({"route": "cartesian", "half_width": "2 mm", "points": 16})", spot.c_str(), 32}};
  const int steps = request.quick ? 20 : 50;
  out << "backend: " << backend.name << ", " << backend.plugin->build
      << "\n\none member, threads = " << request.backend.threads
      << ", Kerr, envelopes; medians of interleaved rounds. A read of all that a quantity takes, and one of the rims "
         "of\n"
         "all windows, over a right-hand side (a quarter of an erk43 step); runs of "
      << steps
      << " steps and 2 planes with the edge check\n(20 readings) over the same without it\n"
         "route       right-hand side, ms   energy   beam_radius   peak_intensity   edges   run with the check\n";
  for (const Route& route : all) {
    const Problem on = problem_of(route, steps, true), off = problem_of(route, steps, false);
    const auto tables = std::make_shared<const UppeTables>(translate_uppe(on));
    StepperOptions options;
    const std::vector<Sums> sums = sums_of(on, *tables);
    for (const Sums& one : sums) options.reads.push_back(one.wants);
    Stepper stepper(device, std::make_unique<RouteEquation>(device, tables, 1, false), options);
    std::vector<std::string> warnings;
    stepper.load({build_launch(on, *tables, transforms_on(device, tables->grid.times), warnings)});
    stepper.block().h[0] = on.march.schedule.front();
    stepper.block().set_active(1);
    std::vector<std::function<void()>> work = {[&] { stepper.attempt(); }};
    for (std::size_t i = 0; i < sums.size(); ++i) work.push_back([&stepper, i] { (void)stepper.read(0, i); });
    const int rounds = request.quick ? 3 : request.rounds;
    const std::vector<double> t = interleaved(work, rounds);
    const auto run = [&](const Problem& problem) {
      PlaneSink nowhere([](PlaneRecord) {});
      (void)run_on(device, problem, nowhere, {});
    };
    const std::vector<double> runs =
        interleaved({[&] { run(off); }, [&] { run(on); }}, request.quick ? 3 : std::min(5, request.rounds));
    const double rhs = t[0] / 4;
    char text[200];
    std::snprintf(text, sizeof text, "%-11s %19.2f %8.3f %13.3f %16.3f %7.3f %20.3f\n", route.name, rhs * 1e3,
                  t[1] / rhs, t[2] / rhs, t[3] / rhs, t[4] / rhs, runs[1] / runs[0]);
    out << text << std::flush;
  }
}

}  // namespace lumarch::bench
