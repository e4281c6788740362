// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace lumarch::conform {

namespace {

// In single quotes of the shell, where it needs them.
std::string quoted(const std::string& word) {
  if (word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+=") ==
      std::string::npos)
    return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// A name as a regular expression, in single quotes of the shell.
std::string exactly(const std::string& name) {
  std::string text = "'^";
  for (const char c : name) text += c == '.' ? std::string("\\.") : std::string(1, c);
  return text + "$'";
}

}  // namespace

Report::Report(const Arguments& arguments) : arguments_(arguments) {
  std::printf("%s, seed %llu\n", arguments.plugin.c_str(), static_cast<unsigned long long>(arguments.seed));
}

void Report::add(const std::string& name, const Outcome& outcome) {
  ++count_[static_cast<int>(outcome.result)];
  std::printf("%-7s %s%s%s\n", name_of(outcome.result), name.c_str(), outcome.text.empty() ? "" : ": ",
              outcome.text.c_str());
  if (outcome.result == Result::fail || outcome.result == Result::crash || outcome.result == Result::timeout)
    std::printf("        again: lumarch-conform %s --seed %llu%s --only %s\n", quoted(arguments_.plugin).c_str(),
                static_cast<unsigned long long>(arguments_.seed), arguments_.thorough ? " --thorough" : "",
                exactly(name).c_str());
  std::fflush(stdout);
  cases_.push_back(
      {{"name", name}, {"result", name_of(outcome.result)}, {"text", outcome.text}, {"seconds", outcome.seconds}});
}

int Report::finish() {
  const auto of = [this](Result result) { return count_[static_cast<int>(result)]; };
  const int failed = of(Result::fail) + of(Result::crash) + of(Result::timeout);
  std::printf("%d passed, %d failed, %d skipped, %d warned\n", of(Result::pass), failed, of(Result::skip),
              of(Result::warn));
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) throw std::runtime_error("standard output cannot be written");
  if (!arguments_.json.empty()) {
    nlohmann::ordered_json all = {
        {"plugin", arguments_.plugin}, {"seed", arguments_.seed}, {"thorough", arguments_.thorough},
        {"passed", of(Result::pass)},  {"failed", failed},        {"skipped", of(Result::skip)},
        {"warned", of(Result::warn)},  {"cases", cases_}};
    std::ofstream file(arguments_.json);
    file << all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    file.flush();
    if (!file) throw std::runtime_error(arguments_.json + " cannot be written");
  }
  return failed ? 1 : 0;
}

}  // namespace lumarch::conform
