// SPDX-License-Identifier: Apache-2.0
// The file of a scan: points lead the arrays that a lone run has (docs/file-layout.md).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <lumarch/result_file.hpp>
#include <lumarch/scan_run.hpp>

namespace lumarch {

// Part K of N, K from 1.
struct ScanPart {
  std::size_t shard = 1, shards = 1;
};

// A sink that writes a scan's file, as make_file_sink() writes a run's: the same rules of what is refused. A file left
// by a scan that ends in any way, a kill included, is readable and holds every point that was reported.
[[nodiscard]] std::unique_ptr<ScanSink> make_scan_file(const std::string& path, bool force, const ScanPart& part = {});

// A sink that goes on in the file of a scan that was stopped or killed; the points that it has are for the caller to
// skip (ScanFile::skip()). Error(Fault::output) where another scan writes it.
[[nodiscard]] std::unique_ptr<ScanSink> open_scan_file(const std::string& path);

struct StoredPoint {
  std::size_t point = 0;                              // its number in the scan
  std::vector<double> numbers;                        // one an axis, in the axis' unit
  std::string status;                                 // waiting, done, stopped, failed
  int exit_state = 0;                                 // as of a lone run
  std::string reason;                                 // why it stopped or failed
  std::string digest;                                 // of its problem
  double seconds = 0, energy_in = 0, energy_out = 0;  // NaN where it was not marched
};

struct StoredAxis {
  std::string path, unit;
  std::vector<double> numbers;
};

struct ScanInfo {
  std::string lumarch, title, problem, digest, folder;
  std::string status, reason, created, finished;  // running (or killed), done, stopped, failed
  ScanPart part;
  bool zip = false;
  std::vector<StoredAxis> axes;
  std::vector<std::string> parts;   // of a file made by collect_scan(): whose arrays it shows, seen from its folder
  std::vector<StoredPoint> points;  // in the order of the file's places
};

// Reads such a file, also while it is written. Throws Error(Fault::problem).
class ScanFile {
public:
  explicit ScanFile(const std::string& path);

  [[nodiscard]] const ScanInfo& info() const { return info_; }
  // What a point left, as if it had run alone; by its number in the scan.
  [[nodiscard]] ResultFile point(std::size_t point) const;
  // The scan again, from the text that the file keeps.
  [[nodiscard]] const Scan& scan() const { return scan_; }
  [[nodiscard]] std::vector<std::string> missing_parts() const;
  // For ScanOptions: the points that are done or failed, and need not be marched again.
  [[nodiscard]] std::vector<bool> skip() const;

private:
  std::string path_;
  ScanInfo info_;
  Scan scan_;
};

// Refuses a scan whose points have arrays of different shapes, as far as that can be told before they are marched: one
// file has no room for them. Throws ProblemError. make_scan_file() asks it before anything runs.
void check_shapes(const Scan& scan);

// Whether a file is one of a scan; false also where it cannot be read.
[[nodiscard]] bool is_scan_file(const std::string& path);

// Joins the files of shards and ranks as one: its arrays are views of theirs, which have to stay where they are. Throws
// Error: files of other scans, a point twice, and as make_scan_file() does.
void collect_scan(const std::string& path, const std::vector<std::string>& parts, bool force);

}  // namespace lumarch
