// SPDX-License-Identifier: Apache-2.0
#include "lumarch/info.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include <lumarch/error.hpp>

#include "core/output/example_run.hpp"

namespace {

std::string info_of(const std::string& path) {
  std::ostringstream out;
  CHECK(lumarch::tools::info_command(path, out) == 0);
  return out.str();
}

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("what a finished file holds") {
  const example::Folder folder;
  example::write(folder / "out.h5", example::run_info(), 11);
  const std::string text = info_of(folder / "out.h5");
  CHECK(has(text, "A pulse that broadens"));
  CHECK(has(text, "done, 20"));
  CHECK(has(text, "256 points, window 4 ps"));
  CHECK(has(text, "11 of 11 on disk, z = 0 m to 150 mm"));
  CHECK(has(text, "55 steps accepted, 22 rejected, 330 evaluations"));
  CHECK(has(text, "energy         "));
  CHECK(has(text, "pJ -> "));
  CHECK(has(text, "width_20db     800 nm to 870 nm -> "));
  CHECK(has(text, "rhs.fibre (fused)"));
  CHECK(has(text, "march 1.5 s"));
  CHECK(has(text, "state 4.096 kB"));
}

TEST_CASE("how a run ended that did not finish") {
  const example::Folder folder;
  const auto info = example::run_info();
  example::write(folder / "stopped.h5", info, 3);
  CHECK(has(info_of(folder / "stopped.h5"), "the time limit was reached"));
  CHECK(has(info_of(folder / "stopped.h5"), "3 of 11 on disk"));
  const auto sink = lumarch::make_file_sink(folder / "running.h5", false);
  CHECK(has(info_of(folder / "running.h5"), "running, or killed"));
  sink->begin(info);
  CHECK(has(info_of(folder / "running.h5"), "0 of 11 on disk"));
  std::ostringstream out;
  CHECK_THROWS_AS(lumarch::tools::info_command(folder / "missing.h5", out), lumarch::Error);
}
