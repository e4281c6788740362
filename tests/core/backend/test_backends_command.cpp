// SPDX-License-Identifier: Apache-2.0
// The text of `lumarch backends`.
#include <doctest/doctest.h>

#include <sstream>

#include "lumarch/commands.hpp"
#include "plugin_folders.hpp"

using namespace lumarch;
using namespace lumarch::testing;

namespace {

std::string told(const Folder& folder, bool verbose) {
  std::ostringstream out;
  CHECK(cli::backends_command({folder.path()}, verbose, out) == 0);
  return out.str();
}

std::string line_with(const std::string& text, const std::string& start) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(start)) return line;
  }
  return {};
}

}  // namespace

TEST_CASE("one line a candidate, with its devices or its reason and remedy") {
  const Folder folder;
  folder.take("good", file_of("good"));
  folder.take("wrong_major", file_of("wrong_major"));
  folder.take("no_devices", file_of("no_devices"));
  const std::string extra = folder.take("kernels_extra", "liblumarch_kernels_extra.so");
  const std::string text = told(folder, false), more = told(folder, true);
  CHECK(contains(line_with(text, "good "), "loaded     1.2, ABI 1.3, "));
  CHECK(contains(line_with(text, "good "), "tiny:0 tiny test device, 1.5 GiB"));
  CHECK(contains(line_with(text, "wrong_major "), "skipped    speaks ABI 9.0"));
  CHECK(contains(line_with(text, "no_devices "), "no device  1.2, ABI 1.3"));
  CHECK(contains(line_with(text, "no_devices "), ". there is no driver"));
  CHECK(contains(line_with(text, "extra "), "adds 1 kernel"));
  const Folder other;
  other.take("kernels_described", "liblumarch_kernels_described.so");
  const std::string described = told(other, true);
  CHECK(contains(described, "    kernel response.org.example.described 1\n      glows\n"));
  CHECK(contains(described, "      power  W, must be given, 0.001 to inf: where it glows\n"));
  CHECK(contains(described, "      factor  1, by default 2, -inf to inf: how much\n"));
  CHECK(contains(described, "      delay  fs, by default 32, 0 to 1000\n"));
  CHECK_FALSE(contains(text, "core.mul"));
  CHECK(contains(more, "    path   " + folder.path(file_of("good"))));
  CHECK(contains(more, "    build  by the tests"));
  CHECK(contains(more, "    kernel core.mul 1\n"));
  CHECK(contains(more, "    kernel response.org.example.extra 1, by " + extra));
}
