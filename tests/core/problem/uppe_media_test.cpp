// SPDX-License-Identifier: Apache-2.0
// Tables, graded cores and crystals in problem files of the model uppe: what is read, and what is refused.
#include <doctest/doctest.h>

#include "support.hpp"

using namespace lumarch;
using support::has;
using support::kBeam;
using support::Sets;

namespace {

const char* const kFibre = R"json({
  "lumarch": 1, "model": "uppe", "wavelength": "800 nm", "time": { "window": "1 ps", "points": 512 },
  "geometry": { "route": "mode-averaged" },
  "medium": { "type": "step-index", "length": "1 cm", "radius": "2 um", "core": 1.47, "cladding": 1.45,
              "n2": "2.7e-20 m^2/W" },
  "responses": ["kerr"],
  "launch": [{ "shape": "sech", "fwhm": "50 fs", "peak_power": "1 kW" }]
})json";

class Tables {
public:
  Tables() : folder_("uppe_media_test") {
    folder_.write("n.csv", "# um, n, k, dB/m\n0.3, 1.5, 0, 1\n0.8, 1.48, 1e-7, 0.5\n2, 1.46, 1e-6, 2\n");
    folder_.write("short.csv", "0.3 1.5\n0.7 1.48\n");
    folder_.write("wrong.csv", "0.3, -1.5, 0\n0.8, 1.48, -1e-7\n");
  }
  [[nodiscard]] Problem read(const std::string& text, const Sets& sets) const {
    Problem p = parse_problem(text, sets, folder_.path());
    CHECK_NOTHROW(check_problem(p));
    return p;
  }
  [[nodiscard]] std::string wrong(const std::string& text, const Sets& sets) const {
    return support::wrong(sets, folder_.path(), text);
  }

private:
  support::Folder folder_;
};

const char* const kTable = R"({"file": "n.csv", "units": ["um", "1"]})";
const char* const kAbsorbing = R"({"file": "n.csv", "units": ["um", "1", "1"]})";

Sets medium(const std::string& text) { return {{"/medium", text}}; }

std::string guide(const std::string& rest) {
  return R"({"type": "tabulated", "length": "1 m", "index": {"file": "n.csv", "units": ["um", "1"]})" + rest + "}";
}

}  // namespace

TEST_CASE("uppe media: materials from tables") {
  const Tables files;
  const Problem p = files.read(kFibre, {{"/medium/core", kAbsorbing}, {"/medium/cladding", kTable}});
  const auto& fibre = std::get<StepIndex>(p.uppe->medium);
  REQUIRE(fibre.core.table);
  CHECK(fibre.core.table->x.size() == 3);
  CHECK(fibre.core.table->x.front() < fibre.core.table->x.back());
  CHECK(fibre.core.table->y == std::vector<double>{1.46, 1.48, 1.5});
  REQUIRE(fibre.core.extinction);
  CHECK(fibre.core.extinction->y == std::vector<double>{1e-6, 1e-7, 0});
  CHECK_FALSE(fibre.cladding.extinction);
  CHECK(p.files.size() == 2);

  CHECK(has(files.wrong(kFibre, {{"/medium/cladding", kAbsorbing}}), "/medium/cladding: an extinction counts in"));
  CHECK(has(files.wrong(kFibre, {{"/medium/core", R"({"file": "wrong.csv", "units": ["um", "1"]})"}}),
            "/medium/core/file: wrong.csv: y has to be positive in every row"));
  CHECK(has(files.wrong(kFibre, {{"/medium/core", R"({"file": "short.csv", "units": ["um", "1", "1"]})"}}),
            "there is no column 2"));
  CHECK(has(files.wrong(kFibre, {{"/medium/core", R"({"file": "short.csv", "units": ["um", "1"]})"}}),
            "/medium/core: short.csv reaches from 300 nm to 700 nm and not over the light at 800 nm"));
  const std::string plate = R"({"type": "glass", "length": "1 mm", "material": )" + std::string(kTable) + "}";
  CHECK(has(files.wrong(kBeam, {{"/medium", plate}, {"/responses", R"(["kerr"])"}}),
            "by its refractive index or a table has no n2 of its own"));
}

TEST_CASE("uppe media: tabulated guides") {
  const Tables files;
  const Problem p =
      files.read(kFibre, medium(guide(R"(, "loss": {"file": "n.csv", "columns": [0, 3], "units": ["um", "dB/m"]},
                            "effective_area": "80 um^2", "n2": "2.7e-20 m^2/W")")));
  const auto& read = std::get<TabulatedGuide>(p.uppe->medium);
  CHECK(read.index.y == std::vector<double>{1.46, 1.48, 1.5});
  REQUIRE(read.loss_curve);
  CHECK(read.loss_curve->y.front() == doctest::Approx(2 * 0.2302585093).epsilon(1e-9));
  CHECK(read.effective_area == 80e-12);
  CHECK(read.gas.parts.empty());
  const Problem gas =
      files.read(kFibre, medium(guide(R"(, "effective_area": "80 um^2", "loss": "1 dB/m", "gas": "argon",
                                                         "pressure": "2 bar")")));
  CHECK(std::get<TabulatedGuide>(gas.uppe->medium).gas.pressure.value == std::vector<double>{2e5});
  CHECK(std::get<TabulatedGuide>(gas.uppe->medium).loss == doctest::Approx(0.2302585093).epsilon(1e-9));

  const auto no_area = medium(guide(R"(, "n2": "2.7e-20 m^2/W")"));
  CHECK(has(files.wrong(kFibre, no_area), "/responses/0: a tabulated guide responds to a field"));
  Sets linear = no_area;
  linear.push_back({"/responses", "[]"});
  (void)files.read(kFibre, linear);
  linear.push_back({"/statistics", R"(["peak_intensity", "core_radius"])"});
  CHECK(has(files.wrong(kFibre, linear), "/statistics/0: a tabulated guide responds to a field"));
  CHECK(has(files.wrong(kFibre, linear), "a guide with a radius"));
  CHECK(has(files.wrong(kFibre, medium(guide(R"(, "effective_area": "80 um^2")"))), "a tabulated guide has no n2"));
  const auto both = medium(guide(R"(, "effective_area": 1e-10, "n2": 2.7e-20, "gas": "argon", "pressure": 1e5)"));
  CHECK(has(files.wrong(kFibre, both), "/medium/n2: the gas has a nonlinear index already"));
  const auto along =
      medium(guide(R"(, "effective_area": 1e-10, "gas": "argon", "pressure": {"from": "1 bar", "to": 0})"));
  CHECK(has(files.wrong(kFibre, along), "/medium/pressure: the table of a guide's index is of one pressure"));
  Sets modal = medium(guide(R"(, "effective_area": 1e-10, "n2": 2.7e-20)"));
  modal.push_back({"/geometry", R"({"route": "modal", "modes": 2})"});
  CHECK(has(files.wrong(kFibre, modal), "/geometry/route: the route modal takes overlaps of shapes"));
}

TEST_CASE("uppe media: graded cores") {
  const Tables files;
  const std::string core = R"({"type": "graded-index", "length": "1 m", "radius": "25 um", "core": 1.47,
    "cladding": "fused-silica", "n2": "2.7e-20 m^2/W"})";
  Sets sets = medium(core);
  sets.push_back({"/geometry", R"({"route": "modal", "modes": ["HE11x", "HE11y"], "polarisations": 2})"});
  sets.push_back({"/medium/birefringence", "1e-5"});
  const Problem p = files.read(kFibre, sets);
  const auto& read = std::get<GradedIndex>(p.uppe->medium);
  CHECK(read.radius == 25e-6);
  CHECK(read.cladding.glass == Glass::fused_silica);
  CHECK(read.birefringence == 1e-5);
  CHECK(has(files.wrong(kBeam, {{"/medium", core}, {"/responses", "[]"}}), "has one index for each wave number"));
  CHECK(
      has(files.wrong(kFibre, {{"/medium", core}, {"/medium/cladding", "1.48"}}), "a graded core guides where it is"));
  sets[1] = {"/geometry", R"({"route": "modal", "modes": ["HE11x", "HE21"], "polarisations": 2})"};
  CHECK(has(files.wrong(kFibre, sets), "/geometry/modes/1: \"HE21\" is not polarised along x or y"));
  sets[1] = {"/geometry", R"({"route": "modal", "modes": 2})"};
  CHECK(has(files.wrong(kFibre, sets), "/medium/birefringence: one polarisation does not see two indices"));
  sets[1] = {"/geometry", R"({"route": "mode-averaged"})"};
  CHECK(has(files.wrong(kFibre, sets), "on the route modal"));
}

TEST_CASE("uppe media: crystals") {
  const Tables files;
  const auto crystal = [](const std::string& rest) {
    return Sets{{"/medium", R"({"type": "glass", "length": "1 mm", "n2": 0, "material": )" + rest + "}"},
                {"/responses", "[]"}};
  };
  const Problem p = files.read(kBeam, crystal(R"({"x": "bbo-e", "y": "bbo-o"}, "cut": "29.2 deg")"));
  const auto& read = std::get<Solid>(p.uppe->medium);
  CHECK(read.material.glass == Glass::bbo_o);
  REQUIRE(read.material_x);
  CHECK(read.material_x->glass == Glass::bbo_e);
  CHECK(*read.cut == doctest::Approx(0.5096361).epsilon(1e-6));
  (void)files.read(kBeam, crystal(R"({"x": "bbo-e", "y": "bbo-o"}, "cut": "90 deg")"));
  (void)files.read(kBeam, crystal(R"("fused-silica", "birefringence": -1e-3)"));

  CHECK(has(files.wrong(kBeam, crystal(R"("bbo-o", "cut": "29.2 deg")")), "/medium/cut: a cut is of a crystal"));
  CHECK(has(files.wrong(kBeam, crystal(R"({"x": "bbo-e"})")), "/medium/material/y: the key \"y\" is missing"));
  CHECK(has(files.wrong(kBeam, crystal(R"({"x": "bbo-e", "y": "bbo-o"}, "cut": "95 deg")")),
            "/medium/cut: \"95 deg\" is out of range"));
  CHECK(has(files.wrong(kBeam, crystal(R"({"x": "bbo-e", "y": "bbo-o"}, "birefringence": 0.1)")),
            "/medium/birefringence: /medium/material says"));
  Sets one = crystal(R"({"x": "bbo-e", "y": "bbo-o"})");
  one.push_back({"/geometry/polarisations", "1"});
  one.push_back({"/launch/0/polarisation", "0"});
  one.push_back({"/launch/0/ellipticity", "0"});
  CHECK(has(files.wrong(kBeam, one), "/medium/material: one polarisation does not see two indices"));
  const std::string round = R"json({
    "lumarch": 1, "model": "uppe", "wavelength": "800 nm", "time": { "window": "1 ps", "points": 64 },
    "geometry": { "route": "radial", "radius": "1 mm", "points": 64, "polarisations": 2 },
    "medium": { "type": "glass", "length": "1 mm", "material": { "x": "bbo-e", "y": "bbo-o" }, "cut": "20 deg" },
    "responses": [],
    "launch": [{ "shape": "sech", "fwhm": "50 fs", "energy": "1 nJ", "beam": { "waist": "100 um" } }]
  })json";
  CHECK(has(files.wrong(round, {}), "/medium/cut: a cut crystal is not round about the axis"));
}
