// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "relative.hpp"

#include <cmath>
#include <numbers>

#include <lumarch/examples.hpp>

#include "support.hpp"

using namespace lumarch;

TEST_CASE("examples: the library holds docs/examples, byte for byte") {
  const auto names = example_names();
  CHECK(names == std::vector<std::string>{"beam-collapse", "dispersive-broadening", "dispersive-wave", "filament",
                                          "modulation-instability", "molecular-raman", "multimode-self-focusing",
                                          "plasma-blueshift", "pressure-gradient", "raman-shift", "second-harmonic",
                                          "self-phase-modulation", "soliton-n3", "supercontinuum"});
  for (const std::string& name : names) {
    INFO(name);
    CHECK(example_text(name) == support::file_text(LUMARCH_SOURCE_DIR "/docs/examples/" + name + ".json"));
  }
}

TEST_CASE("examples: each one is a problem with a title and a word on why") {
  for (const std::string& name : example_names()) {
    INFO(name);
    const std::string text = example_text(name);
    CHECK(text.starts_with("//"));
    const Problem p = parse_problem(text);
    CHECK_FALSE(p.title.empty());
    CHECK(p.planes.back() == p.medium.length);
  }
}

TEST_CASE("examples: an unknown name says what was meant") {
  try {
    (void)example_text("supercontinum");
    FAIL("found");
  } catch (const Error& error) {
    CHECK(error.fault() == Fault::problem);
    CHECK(support::has(error.what(), "\"supercontinuum\""));
  }
}

TEST_CASE("examples: the supercontinuum is C53") {
  const Problem p = parse_problem(example_text("supercontinuum"));
  CHECK(p.wavelength == 835e-9);
  CHECK(p.time.window == 12.5e-12);
  CHECK(p.time.points == 16384);
  CHECK(p.medium.length == 0.15);
  CHECK(p.medium.gamma == 0.11);
  CHECK(std::get<BetaSeries>(p.medium.dispersion).betas ==
        std::vector<double>{-1.1830e-26, 8.1038e-41, -9.5205e-56, 2.0737e-70, -5.3943e-85, 1.3486e-99, -2.5495e-114,
                            3.0524e-129, -1.7140e-144});
  CHECK(p.responses.size() == 3);
  CHECK(p.launch[0].fwhm == 50e-15);
  CHECK(p.launch[0].peak_power == 1e4);
  CHECK(p.planes.size() == 201);
}

TEST_CASE("examples: the numbers in the comments are those of the files") {
  using std::numbers::pi;
  const Problem spm = parse_problem(example_text("self-phase-modulation"));
  const double phase = *spm.medium.gamma * *spm.launch[0].peak_power * spm.medium.length;
  CHECK(phase == lumarch::test::about(3.5 * pi).epsilon(1e-8));
  // the grid rule of C9: Nyquist at least four times the largest chirp, 0.8578 phi/T0
  const double t0 = *spm.launch[0].fwhm / (2 * std::sqrt(std::numbers::ln2));
  CHECK(pi * static_cast<double>(spm.time.points) / spm.time.window > 4 * 0.8578 * phase / t0);

  const Problem wide = parse_problem(example_text("dispersive-broadening"));
  const double gauss = *wide.launch[0].fwhm / (2 * std::sqrt(std::numbers::ln2));
  CHECK(wide.medium.length == lumarch::test::about(4 * gauss * gauss / 0.02e-24).epsilon(1e-7));

  const Problem soliton = parse_problem(example_text("soliton-n3"));
  const double sech = *soliton.launch[0].fwhm / (2 * std::log(1 + std::sqrt(2.0)));
  CHECK(*soliton.medium.gamma * *soliton.launch[0].peak_power * sech * sech / 1.183e-26 ==
        lumarch::test::about(9.0).epsilon(1e-6));

  const Problem shift = parse_problem(example_text("raman-shift"));
  CHECK(*shift.launch[0].peak_power == lumarch::test::about(1e-26 / (0.82 * 0.1 * 1e-28)).epsilon(1e-6));
  CHECK(shift.medium.length == lumarch::test::about(90 * pi / 2 * 1e-28 / 1e-26).epsilon(1e-6));

  const Problem instability = parse_problem(example_text("modulation-instability"));
  CHECK(instability.noise);
  const double peak = std::sqrt(2 * *instability.medium.gamma * *instability.launch[0].peak_power / 1e-26) / (2 * pi);
  CHECK(peak == lumarch::test::about(2.2507908e12).epsilon(1e-7));
  CHECK(static_cast<double>(instability.time.points) / instability.time.window / 2 > 4 * peak);
}
