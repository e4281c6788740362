// SPDX-License-Identifier: Apache-2.0
#include "lumarch/run_parts.hpp"

#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <iostream>

#include "lumarch/engineering.hpp"

namespace lumarch::cli {

Reporter::Style style_of(bool json, const std::ostream& log) {
  if (json) return Reporter::Style::json;
  return &log == &std::cerr && isatty(STDERR_FILENO) ? Reporter::Style::terminal : Reporter::Style::lines;
}

namespace {

// A result must not replace what it comes from.
void keep_inputs(const std::string& output, const Problem& problem) {
  for (const std::string& input : problem.files) {
    std::error_code ignored;
    if (std::filesystem::equivalent(output, input, ignored))
      throw Error(Fault::problem, output + " is a file that this problem is read from; name another with -o");
  }
}

std::string named_output(const RunRequest& request, const Problem& problem) {
  if (request.output) {
    if (request.output->empty()) throw Error(Fault::problem, "--output has no name; write for example -o result.h5");
    return *request.output;
  }
  if (!problem.output.file.empty()) return problem.output.file;
  return std::filesystem::path(request.file).filename().replace_extension(".h5").string();
}

}  // namespace

std::string output_of(const RunRequest& request, const Problem& problem) {
  std::string file = named_output(request, problem);
  keep_inputs(file, problem);
  return file;
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

void tell_of_stop(Ended ended, const std::string& file, const StopSignals& signals, std::ostream& out) {
  const bool stopped = ended == Ended::stopped;
  if (signals.signal() != 0 && stopped)
    out << "  stopped        " << tools::engineering(signals.seconds_ago(), "s", 3) << " after the signal\n";
  if (signals.signal() != 0 && !stopped) out << "the signal came too late to stop anything\n";
  if (stopped) out << "  go on with     lumarch resume " << in_shell(file) << '\n';
}

}  // namespace lumarch::cli
