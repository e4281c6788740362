// SPDX-License-Identifier: Apache-2.0
#include <lumarch/run.hpp>

#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <iostream>

#include "lumarch/commands.hpp"
#include "lumarch/deferred_file.hpp"
#include "lumarch/engineering.hpp"
#include "lumarch/report.hpp"
#include "lumarch/stop_signals.hpp"

namespace lumarch::cli {

namespace {

constexpr int stopped_by_itself = 7;  // exit status: stopped, and no signal asked for it

Reporter::Style style_of(const RunRequest& request, const std::ostream& log) {
  if (request.json_log) return Reporter::Style::json;
  return &log == &std::cerr && isatty(STDERR_FILENO) ? Reporter::Style::terminal : Reporter::Style::lines;
}

std::string output_of(const RunRequest& request, const Problem& problem) {
  if (request.output) {
    if (request.output->empty()) throw Error(Fault::problem, "--output has no name; write for example -o result.h5");
    return *request.output;
  }
  if (!problem.output.file.empty()) return problem.output.file;
  return std::filesystem::path(request.file).filename().replace_extension(".h5").string();
}

// A result must not replace what it comes from.
void keep_inputs(const std::string& output, const Problem& problem) {
  for (const std::string& input : problem.files) {
    std::error_code ignored;
    if (std::filesystem::equivalent(output, input, ignored))
      throw Error(Fault::problem, output + " is a file that this problem is read from; name another with -o");
  }
}

void tell_of_signal(const StopSignals& signals, Ended ended, std::ostream& out) {
  if (ended == Ended::stopped)
    out << "  stopped        " << tools::engineering(signals.seconds_ago(), "s", 3) << " after the signal\n";
  else
    out << "the signal came too late to stop anything\n";
}

}  // namespace

void choose_backend(BackendRequest& backend, const std::string& text, int threads) {
  if (threads >= 0) backend.threads = threads;
  if (text.empty()) return;
  const std::size_t colon = text.find(':');
  backend.name = text.substr(0, colon);
  backend.device = 0;
  if (colon == std::string::npos) return;
  const char *begin = text.data() + colon + 1, *end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(begin, end, backend.device);
  if (error != std::errc() || rest != end || backend.device < 0)
    throw Error(Fault::problem, "--backend " + text + ": NAME or NAME:DEVICE is needed, like cpu or cuda:1");
}

int run_command(const RunRequest& request, std::ostream& out, std::ostream& log) {
  Problem problem = read_problem(request.file, request.overrides);
  choose_backend(problem.backend, request.backend, request.threads);
  if (!request.plan.empty()) problem.backend.plan = request.plan;
  const std::string file = output_of(request, problem);

  keep_inputs(file, problem);

  DeferredFile sink(file, request.force);
  StopSignals signals;
  Reporter reporter(log, style_of(request, log));
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
  reporter.finish();
  const auto status = [&] {
    switch (summary.end.ended) {
      case Ended::done:
        return 0;
      case Ended::stopped:
        return signals.signal() != 0 ? 128 + signals.signal() : stopped_by_itself;
      default:
        return static_cast<int>(Fault::numbers);
    }
  }();
  reporter.end(summary, file, status);
  print_summary(summary, problem, file, out);
  if (signals.signal() != 0) tell_of_signal(signals, summary.end.ended, out);
  return status;
}

}  // namespace lumarch::cli
