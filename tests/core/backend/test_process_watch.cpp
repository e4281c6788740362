// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <cstdio>

#include "backend/process_watch.hpp"
#include "plugin_folders.hpp"

using namespace lumarch;
using namespace lumarch::testing;
using Output = ProcessWatch::Output;

TEST_CASE("what was changed is told and put back") {
  ProcessWatch watch(Output::caught);
  std::fesetround(FE_DOWNWARD);
  std::setlocale(LC_ALL, "C.UTF-8");
  std::puts("by stdio");
  const ssize_t written = ::write(STDERR_FILENO, "by write", 8);
  const std::string text = watch.finish();
  CHECK(written == 8);
  CHECK(contains(text, "floating-point"));
  CHECK(contains(text, "locale"));
  CHECK(contains(text, "stdout (\"by stdio\")"));
  CHECK(contains(text, "stderr (\"by write\")"));
  CHECK(std::fegetround() == FE_TONEAREST);
  CHECK(std::string(std::setlocale(LC_ALL, nullptr)) == "C");
}

TEST_CASE("arithmetic that raises flags is no change") {
  ProcessWatch watch(Output::let_through);
  volatile double zero = 0;
  volatile double infinite = 1 / zero;
  CHECK(infinite > 0);
  CHECK(watch.finish() == "");
}

TEST_CASE("a plugin that flushes to zero leaves the arithmetic of the process as it was") {
  volatile double smallest = 2.2250738585072014e-308;
  (void)explained({built("flushes_to_zero")}, "flushes_to_zero");
  CHECK(smallest / 2 > 0);
  (void)explained({built("rounds_up")}, "rounds_up");
  CHECK(std::fegetround() == FE_TONEAREST);
}
