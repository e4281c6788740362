// SPDX-License-Identifier: Apache-2.0
#include "lumarch/info.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include <lumarch/error.hpp>

#include "core/output/example_nodes.hpp"

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

TEST_CASE("what a file of a field with nodes holds") {
  const example::Folder folder;
  const auto info = [&](const std::string& route, int components) {
    example::write_nodes(folder / "out.h5", example::nodes_info(route, lumarch::Fields::last, 0, components), 9);
    return info_of(folder / "out.h5");
  };
  const std::string modal = info("modal", 2);
  CHECK(has(modal, "nodes          3 modes: HE11 HE12 HE13; two components"));
  CHECK(has(modal, "mode_energy    1.8 µJ, 160 nJ, 40 nJ -> 1.62 µJ, 160 nJ, 220 nJ"));
  CHECK(has(modal, "electron_density 1e+22 1/m^3 -> 6.065e+21 1/m^3"));
  CHECK(has(modal, "spectrum, power of 9 planes"));
  CHECK(has(info("radial", 1), "48 radii, 6.154 µm to 391.8 µm"));
  CHECK(has(info("radial", 1), "spectrum, power, fluence of 9 planes"));
  CHECK(has(info("radial", 1), "beam_radius    222.5 µm, 200.3 µm -> "));
  CHECK(has(info("line", 1), "64 points of a line, x -400 µm to 387.5 µm; energies are per metre of y"));
  CHECK(has(info("line", 1), "energy         2 µJ/m -> 2 µJ/m"));
  CHECK(has(info("cartesian", 1), "40 x 32 points, x -400 µm to 380 µm, y -320 µm to 300 µm"));
  CHECK(has(info("mode-averaged", 2), "nodes          two components"));
  const std::string real = info("mode-averaged-real", 1);
  CHECK(!has(real, "nodes  "));
  CHECK(has(real, "1024 points, 512 frequencies, window 546.5 fs"));
  CHECK(has(real, "(and the frequency zero)"));
}
