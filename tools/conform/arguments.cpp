// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <charconv>
#include <filesystem>
#include <stdexcept>

namespace lumarch::conform {

namespace {

std::uint64_t number(const std::string& option, const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::runtime_error(option + " " + text + ": a number is needed");
  return value;
}

int seconds(const std::string& option, const std::string& text) {
  const std::uint64_t value = number(option, text);
  if (value < 1 || value > 1000000) throw std::runtime_error(option + " " + text + ": 1 to 1000000 seconds");
  return static_cast<int>(value);
}

}  // namespace

const char* Arguments::usage() {
  return "lumarch-conform PLUGIN.so [options]: checks a backend, each case in a process of its own\n"
         "\n"
         "PLUGIN.so is a backend's file, liblumarch_backend_NAME.so. It is judged by the kernels' definitions\n"
         "(share/lumarch/kernels.md), with the reference backend as measure: loading, the device table, every kernel\n"
         "that it registers with every shape of rows, wrong calls, equal bits, lists of calls, a short march.\n"
         "A case passes, fails, crashes, times out, warns, or is skipped where the backend does not claim its "
         "subject.\n"
         "\n"
         "Options:\n"
         "  --only REGEX   the cases in whose names it is found\n"
         "  --seed N       of the random inputs, 1 by default\n"
         "  --json FILE    writes all results\n"
         "  --list         names the cases and runs none; needs no plugin\n"
         "  --thorough     more sizes, plans as the device makes them by default, ten times the time\n"
         "  --limit S      seconds a case may take\n"
         "  --here         in this process: for a debugger\n"
         "  --help         this text\n"
         "\n"
         "Exit status: 0 nothing failed, 1 something did, 2 wrong arguments\n"
         "\n"
         "Example: lumarch-conform build/liblumarch_backend_mine.so --only '^kernel\\.fft'\n";
}

Arguments::Arguments(const std::vector<std::string>& words) {
  std::string file;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto value = [&]() -> const std::string& {
      if (i + 1 == words.size()) throw std::runtime_error(word + " needs a value");
      return words[++i];
    };
    if (word == "--only")
      only = value();
    else if (word == "--json")
      json = value();
    else if (word == "--seed")
      seed = number(word, value());
    else if (word == "--limit")
      limit = seconds(word, value());
    else if (word == "--list")
      list = true;
    else if (word == "--thorough")
      thorough = true;
    else if (word == "--here")
      here = true;
    else if (word == "--help" || word == "-h")
      help = true;
    else if (word.starts_with("-") || !file.empty())
      throw std::runtime_error("I do not know " + word + "\n" + usage());
    else
      file = word;
  }
  try {
    pattern_ = std::regex(only);
  } catch (const std::regex_error& wrong) {
    throw std::runtime_error("--only " + only + " is no regular expression: " + wrong.what());
  }
  if (help || (list && file.empty())) return;
  if (file.empty()) throw std::runtime_error(std::string("which plugin?\n") + usage());
  std::error_code error;
  plugin = std::filesystem::canonical(file, error).string();
  if (error) throw std::runtime_error(file + ": " + error.message());
  const std::string name = std::filesystem::path(file).filename().string(), prefix = "liblumarch_backend_",
                    suffix = ".so";
  if (!name.starts_with(prefix) || !name.ends_with(suffix) || name.size() <= prefix.size() + suffix.size())
    throw std::runtime_error(
        name + (name.starts_with("liblumarch_kernels_")
                    ? ": kernels for another plugin's backend cannot be checked on their own, only backends"
                    : ": a backend's file is called liblumarch_backend_NAME.so"));
  backend_name = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
}

bool Arguments::takes(const std::string& name) const { return std::regex_search(name, pattern_); }

}  // namespace lumarch::conform
