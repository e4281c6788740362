// SPDX-License-Identifier: Apache-2.0
// lumarch-conform: does a backend do what docs/kernels.md and abi.h say? docs/conform.md is its manual.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "arguments.hpp"
#include "isolate.hpp"
#include "known.hpp"
#include "report.hpp"

namespace {

using namespace lumarch::conform;

std::uint64_t hash(const std::string& text) {
  std::uint64_t value = 14695981039346656037u;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return value;
}

int run(const Arguments& arguments) {
  Report report(arguments);
  Context context;
  context.path = arguments.plugin;
  context.folder = std::filesystem::path(arguments.plugin).parent_path().string();
  context.name = arguments.backend_name;
  context.thorough = arguments.thorough;
  const std::vector<Case> cases = all_cases();
  if (std::none_of(cases.begin(), cases.end(), [&](const Case& one) { return arguments.takes(one.name); }))
    throw std::runtime_error("--only " + arguments.only + " finds no case; --list names them");
  const KnownFailures known = known_failures(context);
  for (Case one : cases) {
    if (!arguments.takes(one.name)) continue;
    context.seed = arguments.seed ^ hash(one.name);
    if (arguments.thorough) one.seconds *= 10;
    if (arguments.limit > 0) one.seconds = arguments.limit;
    report.add(one.name, weighed(known, one.name, arguments.here ? run_here(one, context) : run_apart(one, context)));
  }
  return report.finish();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Arguments arguments({argv + 1, argv + argc});
    if (arguments.help) return std::cout << Arguments::usage(), 0;
    if (arguments.list) {
      for (const Case& one : all_cases())
        if (arguments.takes(one.name)) std::cout << one.name << "\n";
      return 0;
    }
    return run(arguments);
  } catch (const std::exception& wrong) {
    std::cerr << "lumarch-conform: " << wrong.what() << "\n";
    return 2;
  }
}
