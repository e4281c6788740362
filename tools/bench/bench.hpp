// SPDX-License-Identifier: Apache-2.0
// `lumarch bench NAME`: timings that print, in one run, what they are to be compared with. Never a verdict.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <lumarch/problem.hpp>

namespace lumarch::bench {

struct Request {
  std::string name;  // fibre, fft, routes or reads
  BackendRequest backend;
  std::vector<std::string> folders;
  int rounds = 15;
  bool quick = false;  // small sizes only, for tests of the benchmark itself
};

int bench_command(const Request& request, std::ostream& out);

// Medians of interleaved rounds: each candidate once a round, so that a drifting machine meets all of them. Seconds a
// call; each is repeated so often that a round takes a few milliseconds.
[[nodiscard]] std::vector<double> interleaved(const std::vector<std::function<void()>>& candidates, int rounds);

[[nodiscard]] std::string machine();  // processor and cores, one line

void fibre(const Request& request, std::ostream& out);
void fft(const Request& request, std::ostream& out);
void routes(const Request& request, std::ostream& out);
void reads(const Request& request, std::ostream& out);

// Seconds from starting this program to the end of a run of one step, with kept plans and with an empty cache.
struct StartUp {
  double kept = 0, fresh = 0;
};
[[nodiscard]] StartUp start_up(const Request& request);

}  // namespace lumarch::bench
