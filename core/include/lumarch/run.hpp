// SPDX-License-Identifier: Apache-2.0
// Runs a problem on a backend into a sink.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include <lumarch/backends.hpp>
#include <lumarch/problem.hpp>
#include <lumarch/sink.hpp>

namespace lumarch {

struct Progress {
  double z = 0, length = 0, h = 0;  // m
  std::int64_t accepted = 0, rejected = 0;
};

struct RunOptions {
  std::vector<std::string> backend_path;  // folders, or files of plugins, looked at first
  // Polled before every attempt, any thread may make it true: the run ends at the next attempt's boundary.
  const std::atomic<bool>* stop = nullptr;
  double time_limit = 0;  // s of the whole run, after which it ends in the same way; 0: none
  // Asked before every attempt and between the parts of the set-up, by the run's thread: true ends the run in the same
  // way.
  std::function<bool()> ask_stop;
  std::function<void(const Progress&)> progress;     // called after an attempt, at most 10 times a second
  std::function<void(int, const std::string&)> log;  // level as LM_LOG_*, text
};

// The largest share of the energy that was seen at the rim of a window.
struct RimShare {
  std::string rim;  // as RunInfo::rims
  double share = 0, z = 0;
};

// Budgets of conserved quantities, from the launch to where the march got: what the closing summary prints.
struct RunSummary {
  RunEnd end;
  double energy_in = 0, energy_out = 0;  // J
  // NaN at the end of a run without fields and statistics: no field leaves the device.
  double photons_in = 0, photons_out = 0;
  double peak_power_out = 0;   // W
  double seconds = 0;          // of the march
  std::vector<RimShare> rims;  // of the edge check; empty where it is off
  std::vector<std::string> warnings;
};

// Throws Error where nothing could be run; a run that ends before its length (stopped, numbers failed) returns, with
// what it reached saved, and says so in end.ended.
RunSummary run(const Problem& problem, Sink& sink, const RunOptions& options = {});

// What `lumarch check` prints: grid, lengths, soliton number, memory, warnings. Runs nothing; the backend is opened,
// for it says what memory its transforms need, and none is taken of it.
[[nodiscard]] std::string describe(const Problem& problem, const BackendSearch& search = {});

// Makes the plans of a fibre march of n points as `backend.plan` says, and keeps them where the backend keeps plans.
// Seconds it took; `log` hears what the backend says meanwhile.
double tune(const BackendRequest& backend, std::int64_t n, const std::vector<std::string>& backend_path,
            const std::function<void(int, const std::string&)>& log = {});

}  // namespace lumarch
