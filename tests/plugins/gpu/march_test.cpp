// SPDX-License-Identifier: Apache-2.0
// A whole march on the shared GPU device, with its graphs, against the reference backend.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include <lumarch/examples.hpp>
#include <lumarch/problem.hpp>
#include <lumarch/run.hpp>
#include <lumarch/sink.hpp>

using namespace lumarch;

TEST_CASE("a supercontinuum's first millimetres are those of the reference") {
  Problem problem = parse_problem(example_text("supercontinuum"));
  problem.time.points = 256;  // the fake runtime's transforms are plain ones
  problem.medium.length = 3e-3;
  problem.planes = {0, 1e-3, 3e-3};
  MemorySink on_reference, on_device;
  problem.backend.name = "reference";
  run(problem, on_reference, {});
  problem.backend.name = "fakegpu";
  RunOptions options;
  options.backend_path = {LUMARCH_FAKE_FOLDER};
  run(problem, on_device, options);
  REQUIRE(on_device.planes.size() == 3);
  CHECK(on_device.march.size() == on_reference.march.size());
  CHECK(on_device.march.size() > 20);  // so that graphs were replayed
  const auto &got = on_device.planes.back().field, &want = on_reference.planes.back().field;
  REQUIRE(got.size() == want.size());
  REQUIRE(!want.empty());
  double apart = 0.0, norm = 0.0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    apart += std::norm(got[i] - want[i]);
    norm += std::norm(want[i]);
  }
  CHECK(std::sqrt(apart / norm) < 1e-11);
}
