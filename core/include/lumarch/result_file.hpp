// SPDX-License-Identifier: Apache-2.0
// Reads the files that make_file_sink() writes: of a finished run, of one that is still running, and of a killed one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <lumarch/sink.hpp>

namespace lumarch {

struct StoredStatistic {
  std::string name, units;
  std::size_t values_a_plane = 1;
  std::string axis;            // the scale of what a plane has: "omega", "time", "modes", "pair"; empty of one number
  std::vector<double> values;  // plane by plane, NaN where a plane was not reached
};

struct ResultInfo {
  std::string lumarch, title, convention, problem, digest;
  std::int64_t schema = 0;
  std::string status;             // running (or killed), done, stopped, failed
  std::string created, finished;  // UTC, ISO 8601; finished is empty while running
  double omega0 = 0;              // rad/s
  std::vector<double> omega, time, wavelength;
  NodeAxes nodes;                   // of a field; one of each for fibres
  std::vector<double> z;            // m, all planes that were asked for
  std::int64_t planes_written = 0;  // the first so many are on disk
  Fields fields = Fields::none;     // what is stored
  std::int64_t last_plane = -1;     // fields = last: whose field it is, -1 none yet
  std::string field_units;          // empty where no fields are stored
  // Of what each plane has beside its field: empty where it is not stored (fibres have none, guides no fluence).
  std::string spectrum_units, power_units, fluence_units;
  std::vector<StoredStatistic> statistics;
  std::vector<std::string> rims;                  // of edge readings; empty where there are none
  std::vector<std::vector<std::int64_t>> strips;  // of each rim, as in RunInfo
  std::vector<EdgeRecord> edges;
  std::vector<AttemptRecord> march;
  std::int64_t accepted = 0, rejected = 0, evaluations = 0;
  double z_reached = 0;                           // m
  std::map<std::string, std::string> provenance;  // backend, memory, bytes_crossed, timings, kernels (JSON); reason
  // What lumarch resume begins from (JSON) and its z; empty and 0 where the file has no checkpoint.
  std::string checkpoint;
  double checkpoint_z = 0;
  std::vector<std::string> unread;  // what a kill left unreadable, in words
};

struct StoredPoint;

class ResultFile {
public:
  // Throws Error(Fault::problem): missing, not HDF5, not of lumarch, of a newer schema. "OUT.h5#17" is point 17 of the
  // scan in OUT.h5.
  explicit ResultFile(const std::string& path);
  ~ResultFile();
  ResultFile(ResultFile&&) noexcept;
  ResultFile& operator=(ResultFile&&) noexcept;

  [[nodiscard]] const ResultInfo& info() const;
  // The planes whose fields can be read, rising.
  [[nodiscard]] std::vector<std::int64_t> field_planes() const;
  [[nodiscard]] std::vector<Complex> field(std::int64_t plane) const;  // [component][outer][inner][omega]

  // Of a plane that is written, as PlaneRecord has them. Throw Error(Fault::problem) where the file has none.
  [[nodiscard]] std::vector<double> spectrum(std::int64_t plane) const;
  [[nodiscard]] std::vector<double> power(std::int64_t plane) const;
  [[nodiscard]] std::vector<double> fluence(std::int64_t plane) const;

  // A row of the checkpoint, as long as a field. Throws Error(Fault::problem).
  [[nodiscard]] std::vector<Complex> checkpoint_row(std::size_t row) const;

private:
  friend class ScanFile;
  ResultFile(const std::string& path, std::size_t slot, std::size_t point);  // a place of a scan's file
  void describe(const std::string& problem, const StoredPoint& point);

  struct State;
  std::unique_ptr<State> state_;
};

// The accepted step lengths of a finished run, to march the same steps again. Throws Error(Fault::problem).
[[nodiscard]] std::vector<double> read_schedule(const std::string& path);

}  // namespace lumarch
