// SPDX-License-Identifier: Apache-2.0
// Goes on with a run from its output file alone.
#pragma once

#include <string>

#include <lumarch/problem.hpp>
#include <lumarch/result_file.hpp>
#include <lumarch/run.hpp>

namespace lumarch {

// Why a run cannot go on from its file; empty where it can.
[[nodiscard]] std::string resume_refusal(const std::string& path, const ResultInfo& info);

struct ResumeOptions {
  RunOptions run;    // folders of backends: empty for those that the run had
  int threads = -1;  // < 0: as the run had them
};

struct Resumed {
  bool was_done = false;  // nothing was left to do
  double from = 0;        // m
  Problem problem;
  RunSummary summary;
};

// Marches on from the file's last checkpoint, or from the launch where it has none, into the same file: the bits of all
// planes, statistics, attempts and edge readings are those of a run that was never interrupted. Throws
// Error(Fault::problem) with all that differs from what the run was begun with, Error(Fault::output) where another run
// writes the file.
[[nodiscard]] Resumed resume(const std::string& path, const ResumeOptions& options = {});

}  // namespace lumarch
