// SPDX-License-Identifier: Apache-2.0
#include <lumarch/resume.hpp>
#include <lumarch/run.hpp>

#include "lumarch/commands.hpp"
#include "lumarch/deferred_file.hpp"
#include "lumarch/run_parts.hpp"

namespace lumarch::cli {

namespace {

// Says how a run ended and how it goes on; the exit status.
int close(const RunSummary& summary, const Problem& problem, const std::string& file, const StopSignals& signals,
          Reporter& reporter, std::ostream& out) {
  reporter.finish();
  const int status = status_of(summary.end.ended, signals);
  reporter.end(summary, file, status);
  print_summary(summary, problem, file, out);
  tell_of_stop(summary.end.ended, file, signals, out);
  return status;
}

}  // namespace

int resume_command(const MarchRequest& request, std::ostream& out, std::ostream& log) {
  if (is_scan_to_resume(request.file)) return resume_scan_command(request, out, log);
  StopSignals signals;
  Reporter reporter(log, style_of(request.json_log, log));
  ResumeOptions options;
  options.threads = request.threads;
  options.run.backend_path = request.folders;
  options.run.stop = signals.requested();
  options.run.time_limit = request.time_limit;
  options.run.progress = [&](const Progress& now) { reporter.progress(now); };
  options.run.log = [&](int level, const std::string& text) { reporter.log(level, text); };
  const Resumed resumed = resume(request.file, options);
  if (resumed.was_done) {
    RunSummary done;
    done.end.z = resumed.from;
    reporter.end(done, request.file, 0);
    out << request.file << " is done: there is nothing left to march\n";
    return 0;
  }
  return close(resumed.summary, resumed.problem, request.file, signals, reporter, out);
}

int run_command(const RunRequest& request, std::ostream& out, std::ostream& log) {
  if (const Scan scan = scan_of(request); scan.is_scan()) return scan_command(request, scan, out, log);
  if (!request.shard.empty())
    throw Error(Fault::problem, request.file + " is no scan: --shard has no points to share out");
  Problem problem = read_problem(request.file, request.overrides);
  choose_backend(problem.backend, request.backend, request.threads);
  if (!request.plan.empty()) problem.backend.plan = request.plan;
  const std::string file = output_of(request, problem);
  DeferredFile sink(file, request.force);
  StopSignals signals;
  Reporter reporter(log, style_of(request.json_log, log));
  RunOptions options;
  options.backend_path = request.folders;
  options.stop = signals.requested();
  options.time_limit = request.time_limit;
  options.progress = [&](const Progress& now) { reporter.progress(now); };
  options.log = [&](int level, const std::string& text) { reporter.log(level, text); };

  const auto go = [&] {
    try {
      return run(problem, sink, options);
    } catch (const Error& error) {
      if (!sink.made() || error.fault() == Fault::output) throw;
      throw Error(error.fault(), std::string(error.what()) + "\nWhat was reached is in " + file);
    }
  };
  const RunSummary summary = go();
  return close(summary, problem, file, signals, reporter, out);
}

}  // namespace lumarch::cli
