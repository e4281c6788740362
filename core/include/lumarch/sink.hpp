// SPDX-License-Identifier: Apache-2.0
// Where a run's results go. A sink sees the run begin, each plane, each attempt, and the end.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <lumarch/problem.hpp>

namespace lumarch {

using Complex = std::complex<double>;

// The nodes of a field: [component][outer][inner][omega]. Fibres and mode-averaged routes have one of each.
struct NodeAxes {
  std::int64_t components = 1, outer = 1, inner = 1;
  std::vector<std::string> modes;  // modal: names of the inner nodes
  std::vector<double> r, kr;       // radial: m, 1/m, rising
  std::vector<double> x, kx;       // line, Cartesian: inner
  std::vector<double> y, ky;       // Cartesian: outer
  [[nodiscard]] std::int64_t nodes() const { return components * outer * inner; }
};

// What is fixed before the first step. Frequencies are absolute, omega rises.
struct RunInfo {
  Problem problem;
  double omega0 = 0;           // rad/s, reference
  std::vector<double> omega;   // rad/s, n of them, rising
  std::vector<double> time;    // s, n of them, rising, 0 at the window's centre
  std::vector<double> planes;  // m, all that will come
  std::string backend_json;    // name, version, build, abi, device, options, kernels: JSON object
  NodeAxes nodes;
  // Of edge readings: "time", "band", "x", "y", "r", "modes", and what absorbers cover, "time_collar", "space_collar";
  // empty: there are none.
  std::vector<std::string> rims;
  std::size_t edge_readings = 0;  // how many come at most
  // Of each rim the places of its nodes in a plane's power, spectrum, flattened fluence, or modes; empty without
  // strips.
  std::vector<std::vector<std::int64_t>> strips;
  std::string request_json;         // what a resume compares: program, files, folder, backend asked for; JSON object
  std::size_t checkpoint_rows = 0;  // rows of a checkpoint, each as long as a field; 0: none are kept
  // Of a run that goes on in its file: how many attempts and edge readings of before stay.
  std::size_t attempts_before = 0, edges_before = 0;
  bool profiles = false;  // uppe: each plane has a spectrum, a power and, in free space, a fluence
};

// One plane, landed on exactly. Vectors are empty where they were not asked for.
struct PlaneRecord {
  std::int64_t index = 0;
  double z = 0;
  // Spectrum of every node, [component][outer][inner][omega]; omega and k rise, the phase refers to t = 0 at the
  // window's centre. sqrt(W) s; in free space V s/m times m for each transverse axis, in k (radial: m^2).
  std::vector<Complex> field;
  // One entry a requested statistic, in the problem's order; values_of() of them.
  std::vector<std::vector<double>> statistics;
  // uppe. A line's energies, powers and fluences are per metre of y where they are integrated over x.
  std::vector<double> spectrum;  // J s: energy per rad/s, all nodes together, omega rising
  std::vector<double> power;     // W: at each time, all nodes together
  std::vector<double> fluence;   // J/m^2: [outer][inner] in space; empty for guided routes
};

// How many numbers a statistic has a plane: 2 for width_20db (m) and beam_radius (x, y), one a mode for mode_energy, a
// row of them for on_axis_spectrum (omega rises) and on_axis_time, else 1.
[[nodiscard]] std::size_t values_of(const StatisticRequest& request, const RunInfo& info);

// How much light stood at the rims of the windows, at a place that need not be a plane.
struct EdgeRim {
  double share = 0;   // of the energy
  double energy = 0;  // J
  double peak = 0;    // the largest of the rim over the largest of all: power, spectral energy, fluence
  // Of each node of the rim, in the order of RunInfo::strips: W, J s, J/m^2, or J of a mode. Empty without strips.
  std::vector<double> strip;
};
struct EdgeRecord {
  double z = 0;                                  // m
  std::vector<EdgeRim> rims;                     // in the order of RunInfo::rims
  double absorbed_time = 0, absorbed_space = 0;  // J, what absorbers have taken so far
};

struct AttemptRecord {
  double z = 0, h = 0;  // m: where it started, how long it was
  double error = 0;     // relative to the tolerance: accepted when <= 1 (adaptive)
  bool accepted = false;
};

enum class Ended { running, done, stopped, failed };

struct RunEnd {
  Ended ended = Ended::done;
  std::string reason;  // why it stopped or failed; empty when done
  bool retry = false;  // failed: going on from the last checkpoint may get further
  double z = 0;        // m: how far the state got
  std::int64_t accepted = 0, rejected = 0, evaluations = 0;
  std::map<std::string, double> timings;               // seconds by stage
  std::map<std::string, std::uint64_t> bytes_crossed;  // by reason: "upload launch", "download plane", ...
  std::map<std::string, std::uint64_t> memory;         // ledger: allocation -> bytes
  // JSON array of {name, version, how: "fused" | "stage" | "plugin"}, with the plugin's path for a response by name
  std::string kernels_json;
};

class Sink {
public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  virtual ~Sink() = default;

  // Called in this order by one thread. plane() and attempts() may take what they are given and return at once, and
  // report a failure of earlier work by throwing Error(Fault::output).
  virtual void begin(const RunInfo& info) = 0;
  virtual void attempts(std::vector<AttemptRecord> records) = 0;
  virtual void plane(PlaneRecord record) = 0;
  virtual void edge(EdgeRecord /*record*/) {}
  // What the run could go on from: its rows one after the other, then its state, with which they become valid together.
  [[nodiscard]] virtual bool keeps_checkpoints() const { return false; }
  virtual void checkpoint_row(std::size_t /*row*/, std::vector<Complex> /*values*/) {}
  virtual void checkpoint(std::string /*state*/) {}
  virtual void end(const RunEnd& end) = 0;
};

// Keeps everything in memory.
class MemorySink final : public Sink {
public:
  void begin(const RunInfo& info) override { run = info; }
  void attempts(std::vector<AttemptRecord> records) override {
    march.insert(march.end(), records.begin(), records.end());
  }
  void plane(PlaneRecord record) override { planes.push_back(std::move(record)); }
  void edge(EdgeRecord record) override { edges.push_back(std::move(record)); }
  void end(const RunEnd& result) override { ended = result; }

  RunInfo run;
  std::vector<PlaneRecord> planes;
  std::vector<EdgeRecord> edges;
  std::vector<AttemptRecord> march;
  RunEnd ended;
};

// Hands each plane to a callable, and forgets it: no field is read for it where the problem's fields are none, and
// nothing of it can be resumed.
class PlaneSink final : public Sink {
public:
  explicit PlaneSink(std::function<void(PlaneRecord)> take) : take_(std::move(take)) {}
  void begin(const RunInfo&) override {}
  void attempts(std::vector<AttemptRecord>) override {}
  void plane(PlaneRecord record) override { take_(std::move(record)); }
  void end(const RunEnd&) override {}

private:
  std::function<void(PlaneRecord)> take_;
};

// Several sinks at once, each called in the order they are given. They must outlive the group. Where one throws, what
// it threw ends the run, and the others are ended as failed, with its words as the reason.
class SinkGroup final : public Sink {
public:
  explicit SinkGroup(std::vector<Sink*> sinks);  // Error(Fault::problem) where one is NULL
  void begin(const RunInfo& info) override;
  void attempts(std::vector<AttemptRecord> records) override;
  void plane(PlaneRecord record) override;
  void edge(EdgeRecord record) override;
  [[nodiscard]] bool keeps_checkpoints() const override;  // one of them does
  void checkpoint_row(std::size_t row, std::vector<Complex> values) override;
  void checkpoint(std::string state) override;
  void end(const RunEnd& end) override;

private:
  template <class Call>
  void each(const Call& call);
  void give_up(std::size_t failed, const std::string& why) noexcept;

  std::vector<Sink*> sinks_;
  std::size_t began_ = 0;  // how many of them have to hear of the end
  double z_ = 0;           // m: how far they have heard
};

// The HDF5 file of docs/file-layout.md, written by a thread of its own. Made by the constructor: an existing file is
// Error(Fault::problem) without `force`, one that a run is writing is Error(Fault::output) always, and so is a
// place that cannot be written. A file left by a run that ends in any way is readable.
[[nodiscard]] std::unique_ptr<Sink> make_file_sink(const std::string& path, bool force);

}  // namespace lumarch
