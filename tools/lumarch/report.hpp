// SPDX-License-Identifier: Apache-2.0
// What a run says while it goes on and when it is over.
#pragma once

#include <chrono>
#include <ostream>
#include <string>

#include <lumarch/run.hpp>

namespace lumarch::cli {

// A line that rewrites itself on a terminal, a line every tenth of the way elsewhere, JSON objects where asked.
class Reporter {
public:
  enum class Style { terminal, lines, json };
  Reporter(std::ostream& out, Style style) : out_(out), style_(style) {}
  ~Reporter();
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;

  void progress(const Progress& now);
  void finish() { clear_line(); }
  // The last JSON object of a run that ended in any way that is no error; nothing in the other styles.
  void end(const RunSummary& summary, const std::string& file, int status);
  void log(int level, const std::string& text);

private:
  void clear_line();

  std::ostream& out_;
  Style style_;
  [[nodiscard]] double seconds() const;

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  // What the march had behind it when it was first heard of: what is left is told from what it did since.
  struct {
    double z = -1, seconds = 0;
  } first_;
  double next_share_ = 0.1;
  bool line_open_ = false;
};

// The last word of a command that failed: text for people, or one JSON object for --log json.
void print_error(std::ostream& err, bool json, int status, const std::string& text);

void print_summary(const RunSummary& summary, const Problem& problem, const std::string& file, std::ostream& out);

}  // namespace lumarch::cli
