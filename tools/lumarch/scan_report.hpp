// SPDX-License-Identifier: Apache-2.0
// What a scan says while it goes on and when it is over.
#pragma once

#include <ostream>
#include <string>

#include <lumarch/scan_run.hpp>

#include "lumarch/report.hpp"

namespace lumarch::cli {

class ScanReporter {
public:
  ScanReporter(std::ostream& out, Reporter::Style style) : out_(out), style_(style) {}
  ~ScanReporter() { clear_line(); }
  ScanReporter(const ScanReporter&) = delete;
  ScanReporter& operator=(const ScanReporter&) = delete;

  void progress(const ScanProgress& now);
  void failure(const Scan& scan, const PointEnd& end);
  void log(int level, const std::string& text);
  void finish() { clear_line(); }
  // The last JSON object; nothing in the other styles.
  void end(const ScanSummary& summary, const std::string& file, int status);

private:
  void clear_line();

  std::ostream& out_;
  Reporter::Style style_;
  double next_share_ = 0.1;
  bool line_open_ = false;
};

void print_scan_summary(const ScanSummary& summary, const Scan& scan, const std::string& file, std::ostream& out);

}  // namespace lumarch::cli
