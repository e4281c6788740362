// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "relative.hpp"

#include <cmath>

#include "support.hpp"

using namespace lumarch;
using support::has;
using support::with;
using support::wrong;

TEST_CASE("launch: every key of a pulse") {
  const auto p = with({{"/launch", R"([{"shape": "supergauss", "order": 4, "t0": "1 ps", "energy": "5 pJ",
      "wavelength": "900 nm", "delay": "-1 ps", "chirp": -2, "gdd": "100 fs^2", "tod": "-5e3 fs^3", "cep": "90 deg"}])"}});
  REQUIRE(p.launch.size() == 1);
  const Pulse& pulse = p.launch[0];
  CHECK(pulse.shape == Shape::supergauss);
  CHECK(pulse.order == 4);
  CHECK(pulse.t0 == 1e-12);
  CHECK_FALSE(pulse.fwhm);
  CHECK(pulse.energy == 5e-12);
  CHECK_FALSE(pulse.peak_power);
  CHECK(pulse.wavelength == 900e-9);
  CHECK(pulse.delay == -1e-12);
  CHECK(pulse.chirp == -2);
  CHECK(pulse.gdd == 100e-30);
  CHECK(pulse.tod == -5e3 * 1e-45);
  CHECK(pulse.cep == lumarch::test::about(std::acos(0.0)).epsilon(1e-15));
}

TEST_CASE("launch: the shapes, summed") {
  const auto p = with({{"/launch", R"([{"shape": "gauss", "fwhm": "50 fs", "peak_power": 1},
      {"shape": "sech", "t0": "50 fs", "peak_power": 2}, {"shape": "cw", "peak_power": "1 W", "cep": 1}])"}});
  REQUIRE(p.launch.size() == 3);
  CHECK(p.launch[0].shape == Shape::gauss);
  CHECK(p.launch[1].shape == Shape::sech);
  CHECK(p.launch[1].order == 2);
  CHECK(p.launch[2].shape == Shape::cw);
  CHECK(p.launch[2].cep == 1.0);
}

TEST_CASE("launch: noise alone is enough, darkness is not") {
  const std::string noise = R"({"model": "one-photon-per-mode", "seed": 18446744073709551615, "enters": "field"})";
  const auto p = with({{"/launch", "[]"}, {"/noise", noise}});
  REQUIRE(p.noise);
  CHECK(p.noise->seed == 18446744073709551615U);
  CHECK(p.noise->enters == Noise::Enters::field);
  CHECK(with({{"/noise", R"({"model": "one-photon-per-mode"})"}}).noise->enters == Noise::Enters::nonlinear);
  CHECK(has(wrong({{"/launch", "[]"}}), "neither light nor noise"));
  CHECK(has(wrong({{"/launch/0/peak_power", "0"}}), "neither light nor noise"));
}

TEST_CASE("launch: a pulse has to fit the window, by the width its shape gives it") {
  // FWHM of t0 = 7.2 ps: gauss 11.99 ps, sech 12.69 ps, supergauss of order 1 as gauss
  const auto t0 = [](const char* shape) {
    return wrong({{"/launch", R"([{"shape": ")" + std::string(shape) + R"(", "t0": "7.2 ps", "energy": 1e-12}])"}});
  };
  CHECK(t0("gauss").empty());
  CHECK(has(t0("sech"), "/launch/0/t0: the pulse (FWHM 1.26918e-11 s) is wider than the window"));
  CHECK(has(wrong({{"/launch/0/fwhm", "12.5 ps"}}), "/launch/0/fwhm"));
}

TEST_CASE("launch: the carrier has to lie strictly inside the grid's band") {
  // f0 = 359.0329 THz, half band 327.68 THz: 436.56 nm to 9561.9 nm
  CHECK(wrong({{"/launch/0/wavelength", "437 nm"}}).empty());
  CHECK(wrong({{"/launch/0/wavelength", "9.5 um"}}).empty());
  CHECK(has(wrong({{"/launch/0/wavelength", "436 nm"}}), "/launch/0/wavelength: 436 nm lies outside"));
  CHECK(has(wrong({{"/launch/0/wavelength", "9.6 um"}}), "/launch/0/wavelength"));
}

TEST_CASE("launch: samples of a field from a file") {
  const support::Folder folder("problem_pulse");
  folder.write("pulse.txt", "# t P phase\n-50 0 0\n0 2 90\n\n50 0 180 # end\n");
  const auto p = with({{"/launch", R"([{"shape": "file", "file": "pulse.txt", "columns": [0, 1, 2],
      "units": ["fs", "kW", "deg"], "delay": "10 fs", "gdd": 0}])"}},
                      folder.path());
  REQUIRE(p.launch[0].samples);
  const Pulse::Samples& samples = *p.launch[0].samples;
  CHECK(samples.file == "pulse.txt");
  CHECK(samples.t.size() == 3);
  CHECK(samples.t[0] == lumarch::test::about(-50e-15));
  CHECK(samples.power == std::vector<double>{0, 2000, 0});
  CHECK(samples.phase[2] == lumarch::test::about(std::acos(-1.0)));
  const auto relative = with({{"/launch", R"([{"shape": "file", "file": "pulse.txt", "units": ["fs", "1"],
      "energy": "1 pJ"}])"}},
                             folder.path());
  CHECK(relative.launch[0].samples->phase == std::vector<double>{0, 0, 0});
  CHECK(relative.launch[0].energy == 1e-12);
}

TEST_CASE("launch: plates, and a spectral phase from a file") {
  const support::Folder folder("phase");
  folder.write("phase.txt", "# nm rad\n800 0.5\n850 0.1\n900 -0.5\n");
  const Problem p =
      support::with({{"/launch/0/plates",
                      R"([{"material": "fused-silica", "thickness": "1 mm"}, {"material": 1.5, "thickness": 2e-3}])"},
                     {"/launch/0/spectral_phase", R"({"file": "phase.txt", "units": ["nm", "rad"]})"}},
                    folder.path());
  const Pulse& pulse = p.launch[0];
  REQUIRE(pulse.plates.size() == 2);
  CHECK(pulse.plates[0].material.glass == Glass::fused_silica);
  CHECK(pulse.plates[0].thickness == 1e-3);
  CHECK(pulse.plates[1].material.index == 1.5);
  REQUIRE(pulse.spectral_phase);
  CHECK(pulse.spectral_phase->y == std::vector<double>{-0.5, 0.1, 0.5});
  CHECK(p.files.size() == 1);
  CHECK(support::has(support::wrong({{"/launch/0/plates", R"([{"material": "fused-silica", "thickness": "-1 mm"}])"}}),
                     "/launch/0/plates/0/thickness"));
  CHECK(support::has(support::wrong({{"/launch/0/plates", R"([{"material": "fused-silica"}])"}}),
                     "/launch/0/plates/0/thickness: the key"));
  CHECK(support::has(support::wrong({{"/launch/0/spectral_phase", R"({"file": "phase.txt", "units": ["nm", "rad"]})"},
                                     {"/launch/0/wavelength", "920 nm"}},
                                    folder.path()),
                     "not over the light at 920 nm"));
  CHECK(support::has(support::wrong({{"/launch/0", R"({"shape": "cw", "peak_power": 1, "plates": []})"}}),
                     "no meaning for the shape cw"));
}

TEST_CASE("launch: the output of a run, which counts in the digest") {
  const support::Folder folder("run");
  folder.write("before.h5", "one");
  const support::Sets sets{{"/launch/0", R"({"shape": "run", "file": "before.h5", "plane": 3})"}};
  const Problem p = support::with(sets, folder.path());
  REQUIRE(p.launch[0].run);
  CHECK(p.launch[0].run->file == (folder.path() / "before.h5").string());
  CHECK(p.launch[0].run->plane == 3);
  CHECK(p.files.size() == 1);
  CHECK(
      support::with({{"/launch/0", R"({"shape": "run", "file": "before.h5"})"}}, folder.path()).launch[0].run->plane ==
      -1);
  folder.write("before.h5", "two");
  CHECK(support::with(sets, folder.path()).digest != p.digest);
  CHECK(support::has(support::wrong({{"/launch/0", R"({"shape": "run", "file": "other.h5"})"}}, folder.path()),
                     "/launch/0/file: "));
  CHECK(support::has(
      support::wrong({{"/launch/0", R"({"shape": "run", "file": "before.h5", "plane": "1 m"})"}}, folder.path()),
      "/launch/0/plane: "));
  CHECK(support::has(support::wrong({{"/launch/0/plane", "1"}}), "no meaning for the shape sech"));
}
