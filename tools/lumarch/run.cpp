// SPDX-License-Identifier: Apache-2.0
#include <lumarch/resume.hpp>
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

Reporter::Style style_of(bool json, const std::ostream& log) {
  if (json) return Reporter::Style::json;
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

int status_of(Ended ended, const StopSignals& signals) {
  switch (ended) {
    case Ended::done:
      return 0;
    case Ended::stopped:
      return signals.signal() != 0 ? 128 + signals.signal() : stopped_by_itself;
    default:
      return static_cast<int>(Fault::numbers);
  }
}

// In single quotes where a shell would take it apart.
std::string in_shell(const std::string& word) {
  const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos && word[0] != '-') return word;
  std::string quoted = word[0] == '-' ? "./" : "";
  quoted += "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// Says how a run ended and how it goes on; the exit status.
int close(const RunSummary& summary, const Problem& problem, const std::string& file, const StopSignals& signals,
          Reporter& reporter, std::ostream& out) {
  reporter.finish();
  const int status = status_of(summary.end.ended, signals);
  reporter.end(summary, file, status);
  print_summary(summary, problem, file, out);
  const bool stopped = summary.end.ended == Ended::stopped;
  if (signals.signal() != 0 && stopped)
    out << "  stopped        " << tools::engineering(signals.seconds_ago(), "s", 3) << " after the signal\n";
  if (signals.signal() != 0 && !stopped) out << "the signal came too late to stop anything\n";
  if (stopped) out << "  go on with     lumarch resume " << in_shell(file) << '\n';
  return status;
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

int resume_command(const ResumeRequest& request, std::ostream& out, std::ostream& log) {
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
    out << request.file << " is done: there is nothing left to march\n";
    return 0;
  }
  return close(resumed.summary, resumed.problem, request.file, signals, reporter, out);
}

int run_command(const RunRequest& request, std::ostream& out, std::ostream& log) {
  Problem problem = read_problem(request.file, request.overrides);
  choose_backend(problem.backend, request.backend, request.threads);
  if (!request.plan.empty()) problem.backend.plan = request.plan;
  const std::string file = output_of(request, problem);

  keep_inputs(file, problem);

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
