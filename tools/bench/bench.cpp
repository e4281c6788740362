// SPDX-License-Identifier: Apache-2.0
#include "bench/bench.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

namespace lumarch::bench {

namespace {

using Clock = std::chrono::steady_clock;

double seconds(const std::function<void()>& call, int repeats) {
  const auto start = Clock::now();
  for (int i = 0; i < repeats; ++i) call();
  return std::chrono::duration<double>(Clock::now() - start).count() / repeats;
}

}  // namespace

std::vector<double> interleaved(const std::vector<std::function<void()>>& candidates, int rounds) {
  constexpr double long_enough = 3e-3;  // s a round: far above the clock's and the scheduler's grain
  std::vector<int> repeats;
  for (const auto& call : candidates) {
    call();  // caches warm
    int n = 1;
    while (n < 1000000 && seconds(call, n) * n < long_enough) n *= 2;
    repeats.push_back(n);
  }
  std::vector<std::vector<double>> times(candidates.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < candidates.size(); ++i) times[i].push_back(seconds(candidates[i], repeats[i]));
  std::vector<double> medians;
  for (auto& t : times) {
    std::nth_element(t.begin(), t.begin() + static_cast<std::ptrdiff_t>(t.size() / 2), t.end());
    medians.push_back(t[t.size() / 2]);
  }
  return medians;
}

std::string machine() {
  std::ifstream info("/proc/cpuinfo");
  std::string model = "unknown processor";
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0) {
      model = line.substr(line.find(':') + 2);
      break;
    }
  return model + ", " + std::to_string(std::thread::hardware_concurrency()) + " cores";
}

int bench_command(const Request& request, std::ostream& out) {
  const bool of_routes = request.name == "routes" || request.name == "reads";
  if (request.name != "fibre" && request.name != "fft" && !of_routes)
    throw Error(Fault::problem, "lumarch bench " + request.name +
                                    ": there is no such benchmark; there are fibre, fft, routes and reads");
  if (!of_routes && request.backend.threads != 1)
    throw Error(Fault::problem,
                "lumarch bench " + request.name + ": it runs on one thread; --threads is for routes and reads");
  out << "machine: " << machine() << '\n';
  if (request.name == "routes")
    routes(request, out);
  else if (request.name == "reads")
    reads(request, out);
  else
    request.name == "fft" ? fft(request, out) : fibre(request, out);
  return 0;
}

}  // namespace lumarch::bench
