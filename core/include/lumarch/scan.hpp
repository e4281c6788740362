// SPDX-License-Identifier: Apache-2.0
// A scan: one problem at many points, along axes that each change a number of it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <lumarch/problem.hpp>

namespace lumarch {

struct ScanAxis {
  std::string pointer;              // JSON pointer of what it changes, "/launch/0/peak_power"
  std::vector<double> numbers;      // as written, in `unit`
  std::string unit;                 // "kW"; empty: the numbers are plain, in SI
  std::vector<std::string> values;  // the same as JSON text, what is put at the pointer
};

struct ScanRequest {
  enum class Mode { grid, zip };         // every combination; or the first with the first, the second with the second
  enum class Layout { arrays, groups };  // of the file: points lead each array, or a group a point
  enum class Executor { local, mpi, batch };
  std::vector<ScanAxis> axes;  // none: the file is one problem
  Mode mode = Mode::grid;
  Layout layout = Layout::arrays;
  Executor executor = Executor::local;
  int parallel = 0;  // local: points at once; 0: as many as suit their size
};

// What a file of a scan says. The last axis of a grid runs fastest.
class Scan {
public:
  [[nodiscard]] const ScanRequest& request() const { return request_; }
  [[nodiscard]] bool is_scan() const { return !request_.axes.empty(); }
  [[nodiscard]] std::size_t points() const;
  // Where a point lies on each axis.
  [[nodiscard]] std::vector<std::size_t> place(std::size_t point) const;
  // "/launch/0/peak_power = 3 kW, /medium/length = 0.1"
  [[nodiscard]] std::string label(std::size_t point) const;
  // The problem of a point, as if its values stood in the file, without the scan. Throws ProblemError.
  [[nodiscard]] Problem problem(std::size_t point) const;
  // Reads every point. Throws ProblemError with what is wrong and at which points.
  void check() const;

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }  // where relative names start
  [[nodiscard]] const std::string& text() const { return text_; }  // the file as JSON text, with --set applied
  [[nodiscard]] const std::string& digest() const {
    return digest_;
  }  // of the text, hex; of the files too: each point's

private:
  friend Scan read_scan(const std::filesystem::path& file, const std::vector<Override>& overrides);
  friend Scan parse_scan(const std::string& text, const std::vector<Override>& overrides,
                         const std::filesystem::path& folder);
  ScanRequest request_;
  std::string text_, base_, digest_;  // base_: without the scan
  std::filesystem::path folder_;
  std::vector<std::string> files_;  // in front of those that a problem names
};

// Reads a problem file that may be a scan. Throws ProblemError with all that is wrong with the scan; what is wrong with
// its points is check()'s to say.
[[nodiscard]] Scan read_scan(const std::filesystem::path& file, const std::vector<Override>& overrides = {});
[[nodiscard]] Scan parse_scan(const std::string& text, const std::vector<Override>& overrides = {},
                              const std::filesystem::path& folder = ".");

}  // namespace lumarch
