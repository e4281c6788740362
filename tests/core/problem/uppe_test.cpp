// SPDX-License-Identifier: Apache-2.0
// Problem files of the model uppe: what a reader makes of each key.
#include <doctest/doctest.h>

#include <numbers>

#include "support.hpp"

using namespace lumarch;
using support::has;
using support::kBeam;
using support::kCapillary;

namespace {

Problem capillary(const support::Sets& sets) { return parse_problem(kCapillary, sets); }
Problem beam(const support::Sets& sets) { return parse_problem(kBeam, sets); }
std::string wrong(const std::string& text, const support::Sets& sets) { return support::wrong(sets, ".", text); }

const GasFill& gas_of(const Problem& problem) { return std::get<Capillary>(problem.uppe->medium).gas; }

}  // namespace

TEST_CASE("uppe: a capillary with a real field") {
  const Problem p = capillary({});
  REQUIRE(p.uppe);
  CHECK(p.uppe->field == FieldKind::real);
  REQUIRE(p.time.band);
  CHECK(p.time.window == 1e-12);
  CHECK(p.time.points == 0);
  CHECK(p.time.band->shortest == 160e-9);
  CHECK(p.time.band->longest == 3000e-9);
  CHECK(p.uppe->geometry.route == Route::modal);
  CHECK(p.uppe->geometry.modes == std::vector<std::string>{"HE11", "HE12", "HE13", "HE14"});
  CHECK(p.uppe->geometry.polarisations == 1);
  CHECK(p.uppe->geometry.radial_nodes == 64);
  CHECK(p.medium.length == 3);
  const auto& medium = std::get<Capillary>(p.uppe->medium);
  CHECK(medium.radius.constant());
  CHECK(medium.radius.value == std::vector<double>{125e-6});
  CHECK(medium.wall.glass == Glass::fused_silica);
  CHECK_FALSE(medium.reduced);
  CHECK(medium.loss);
  REQUIRE(medium.gas.parts.size() == 1);
  CHECK(medium.gas.parts[0].gas == Gas::argon);
  CHECK(medium.gas.parts[0].share == 1);
  CHECK(medium.gas.pressure.value == std::vector<double>{8000});
  CHECK(medium.gas.temperature == 293.15);
  CHECK(std::get<Kerr>(p.responses[0]).third_harmonic);
  CHECK(std::get<Plasma>(p.responses[1]).rate == Plasma::Rate::ppt);
  CHECK(std::get<Plasma>(p.responses[1]).fraction == 0);
  CHECK_FALSE(p.uppe->boundary.time);
  REQUIRE(p.statistics.size() == 4);
  CHECK(p.statistics[1].quantity == Quantity::peak_power);
  CHECK_NOTHROW(check_problem(p));
}

TEST_CASE("uppe: a beam in free space, with all that it can have") {
  const Problem p = beam({});
  REQUIRE(p.uppe);
  CHECK(p.uppe->field == FieldKind::envelope);
  CHECK(p.time.points == 1024);
  const Geometry& geometry = p.uppe->geometry;
  CHECK(geometry.route == Route::cartesian);
  CHECK(geometry.half_width == 4e-3);
  CHECK(geometry.half_height == 2e-3);
  CHECK(geometry.points == 128);
  CHECK(geometry.points_y == 64);
  CHECK(geometry.polarisations == 2);
  const GasFill& gas = std::get<FreeGas>(p.uppe->medium).gas;
  REQUIRE(gas.parts.size() == 2);
  CHECK(gas.parts[0].gas == Gas::nitrogen);
  CHECK(gas.parts[0].share == 0.8);
  CHECK(gas.parts[1].gas == Gas::oxygen);
  CHECK_FALSE(std::get<Kerr>(p.responses[0]).third_harmonic);
  CHECK(std::get<MolecularRaman>(p.responses[1]).rotation);
  const Pulse& pulse = p.launch[0];
  CHECK(pulse.polarisation == std::numbers::pi / 4);
  CHECK(pulse.ellipticity == -0.5);
  REQUIRE(pulse.beam);
  CHECK(pulse.beam->waist == 500e-6);
  CHECK(pulse.beam->waist_y == 400e-6);
  CHECK(pulse.beam->focus == -0.3);
  CHECK(pulse.beam->x == 1e-3);
  CHECK(pulse.beam->y == -1e-4);
  CHECK(pulse.beam->tilt_x == 1e-3);
  CHECK(pulse.beam->tilt_y == doctest::Approx(-0.1 * std::numbers::pi / 180).epsilon(1e-15));
  CHECK_FALSE(pulse.beam->lens);
  CHECK(beam({{"/launch/0/beam/focus", "0"}, {"/launch/0/beam/lens", "2 m"}}).launch[0].beam->lens == 2.0);
  CHECK(p.statistics[1].quantity == Quantity::peak_intensity);
  CHECK_NOTHROW(check_problem(p));
}

TEST_CASE("uppe: pressures and radii along z") {
  const Problem ends = capillary({{"/medium/pressure", R"({"from": "0.8 bar", "to": 0})"}});
  CHECK(gas_of(ends).pressure.z == std::vector<double>{0, 3});
  CHECK(gas_of(ends).pressure.value == std::vector<double>{80000, 0});
  // A length that differs in its last bits is the same.
  const Problem list =
      capillary({{"/medium/pressure", R"({"z": [0, "1 m", 3.0000000001], "pressure": [0, "1 bar", 0]})"},
                 {"/medium/radius", R"({"z": [0, "3 m"], "radius": ["13 um", "9.75 um"]})"}});
  CHECK(gas_of(list).pressure.z == std::vector<double>{0, 1, 3});
  CHECK(gas_of(list).pressure.value == std::vector<double>{0, 1e5, 0});
  CHECK(std::get<Capillary>(list.uppe->medium).radius.value == std::vector<double>{13e-6, 9.75e-6});
  CHECK_NOTHROW(check_problem(list));
  CHECK(has(wrong(kCapillary, {{"/medium/pressure", "1.1e9"}}), "write \"2 bar\""));
  CHECK(gas_of(capillary({{"/medium/fit", "ermolov"}})).ermolov);
  CHECK_FALSE(gas_of(capillary({{"/medium/fit", "standard"}})).ermolov);
  CHECK(has(wrong(kCapillary, {{"/medium/fit", "peck-fisher"}}), "/medium/fit: \"peck-fisher\" is not built yet"));
  CHECK(has(wrong(kCapillary, {{"/medium/gas", "neon"}, {"/medium/fit", "ermolov"}}), "/medium/fit"));
}

TEST_CASE("uppe: a hollow guide is wider than the wavelength") {
  const auto text = wrong(kCapillary, {{"/medium/radius", "0.7 um"}});
  CHECK(has(text, "/medium/radius: the radius 7e-07 m is not above the wavelength 8e-07 m"));
  CHECK(wrong(kCapillary, {{"/medium/radius", "0.9 um"}}).empty());
  CHECK(has(wrong(kCapillary, {{"/medium/radius", R"({"z": [0, "3 m"], "radius": ["13 um", "0.7 um"]})"}}),
            "/medium/radius: "));
  Problem made = capillary({});
  std::get<Capillary>(made.uppe->medium).radius.value = {0.7e-6};
  CHECK_THROWS_AS(check_problem(made), ProblemError);
}

TEST_CASE("uppe: the other media") {
  const std::string tubes = R"({"type": "antiresonant", "length": "10 cm", "radius": "3 um", "gas": "argon",
    "pressure": "80 bar", "wall": 1.45, "wall_thickness": "148 nm", "model": "vincetti", "tubes": 6,
    "tube_radius": "1.5 um", "loss": false})";
  const auto fibre = std::get<Antiresonant>(capillary({{"/medium", tubes}, {"/geometry/modes", "1"}}).uppe->medium);
  CHECK(fibre.vincetti);
  CHECK(fibre.tubes == 6);
  CHECK(fibre.tube_radius == 1.5e-6);
  CHECK(fibre.wall_thickness == 148e-9);
  CHECK_FALSE(fibre.wall.glass);
  CHECK(fibre.wall.index == 1.45);
  CHECK_FALSE(fibre.loss);

  const std::string step = R"({"type": "step-index", "length": "1 m", "radius": "2 um", "core": 1.47,
    "cladding": "fused-silica", "n2": "2.7e-20 m^2/W"})";
  const auto core = std::get<StepIndex>(capillary({{"/medium", step}, {"/responses", R"(["kerr"])"}}).uppe->medium);
  CHECK(core.core.index == 1.47);
  CHECK(core.cladding.glass == Glass::fused_silica);
  CHECK(core.n2 == 2.7e-20);

  const std::string slab = R"({"type": "rectangular", "length": "1 m", "half_width": "100 um", "half_height": "50 um",
    "gas": "vacuum"})";
  const auto guide = std::get<Rectangular>(capillary({{"/medium", slab}, {"/responses", "[]"}}).uppe->medium);
  CHECK(guide.half_height == 50e-6);
  CHECK(guide.gas.parts.empty());
  CHECK(guide.wall.glass == Glass::fused_silica);

  const std::string crystal = R"({"type": "glass", "length": "1 mm", "material": "bbo-o", "chi2": "4 pm/V",
    "poling_period": "20 um"})";
  const support::Sets sets{{"/medium", crystal},
                           {"/responses", R"(["kerr", "chi2"])"},
                           {"/time", R"({"window": "1 ps", "band": ["300 nm", "2 um"]})"}};
  const Problem p = beam(sets);
  CHECK(std::get<Solid>(p.uppe->medium).material.glass == Glass::bbo_o);
  CHECK(std::get<Solid>(p.uppe->medium).chi2 == 4e-12);
  CHECK(std::get<Solid>(p.uppe->medium).poling_period == 20e-6);
  CHECK(std::holds_alternative<Chi2>(p.responses[1]));
  CHECK_NOTHROW(check_problem(p));
}

TEST_CASE("uppe: modes by name and number, their shares, and the y that goes without saying") {
  CHECK(capillary({{"/geometry", R"({"route": "mode-averaged"})"}}).uppe->geometry.modes ==
        std::vector<std::string>{"HE11"});
  const Problem both = capillary({{"/geometry", R"({"route": "modal", "modes": 2, "polarisations": 2})"}});
  CHECK(both.uppe->geometry.modes == std::vector<std::string>{"HE11", "HE11x", "HE12", "HE12x"});
  const Problem named = capillary(
      {{"/geometry", R"({"route": "modal", "modes": ["HE11y", "HE11x", "TE01", "HE110"], "polarisations": 2})"},
       {"/launch/0/modes", R"({"HE11y": 0.5, "HE11x": "0.5"})"}});
  CHECK(named.uppe->geometry.modes == std::vector<std::string>{"HE11", "HE11x", "TE01", "HE110"});
  REQUIRE(named.launch[0].modes.size() == 2);
  CHECK(named.launch[0].modes[0] == std::pair<std::string, double>{"HE11x", 0.5});
  CHECK(named.launch[0].modes[1] == std::pair<std::string, double>{"HE11", 0.5});
  CHECK(capillary({{"/geometry/modes", "99"}}).uppe->geometry.modes.back() == "HE199");
  for (const char* name : {"HE10", "EH01", "TE11", "TM01y", "HE1", "HE1111", "he11", "HExx", "", "x", "HE"}) {
    CAPTURE(name);
    CHECK(has(wrong(kCapillary, {{"/geometry", R"({"route": "mode-averaged"})"},
                                 {"/geometry/mode", "\"" + std::string(name) + "\""}}),
              "/geometry/mode: "));
  }
}

TEST_CASE("uppe: responses and the third harmonic by field") {
  const auto first = [](const Problem& p) { return std::get<Kerr>(p.responses[0]); };
  const std::string none = R"([{"type": "kerr", "thg": false, "saturation_intensity": "100 TW/cm^2"}])";
  CHECK_FALSE(first(capillary({{"/responses", none}})).third_harmonic);
  CHECK(first(capillary({{"/responses", none}})).saturation_intensity == 1e18);
  CHECK_FALSE(first(capillary({{"/field", "envelope"}, {"/responses", R"(["kerr"])"}})).third_harmonic);
  const std::string thg = R"([{"type": "kerr", "thg": true}])";
  CHECK(first(capillary({{"/field", "envelope"}, {"/responses", thg}})).third_harmonic);
  CHECK(has(wrong(kBeam, {{"/responses", thg}}), "/responses/0: the third harmonic"));
  const Problem adk = capillary({{"/responses", R"([{"type": "plasma", "rate": "adk", "fraction": 0.25}])"}});
  CHECK(std::get<Plasma>(adk.responses[0]).rate == Plasma::Rate::adk);
  CHECK(std::get<Plasma>(adk.responses[0]).fraction == 0.25);
  const Problem turning = beam({{"/responses", R"([{"type": "raman", "model": "molecular", "vibration": false}])"}});
  CHECK(std::get<MolecularRaman>(turning.responses[0]).rotation);
  CHECK_FALSE(std::get<MolecularRaman>(turning.responses[0]).vibration);
  CHECK(has(wrong(kCapillary, {{"/responses", R"(["raman"])"}}), "no molecules"));
  CHECK(has(wrong(kBeam, {{"/responses", R"(["kerr", "kerr"])"}}), "stands twice"));
}

TEST_CASE("uppe: every statistic's word asks for its quantity") {
  const std::vector<std::pair<std::string, Quantity>> everywhere{{"energy", Quantity::energy},
                                                                 {"peak_power", Quantity::peak_power},
                                                                 {"fwhm_time", Quantity::fwhm_time},
                                                                 {"fwhm_time_widest", Quantity::fwhm_time_widest},
                                                                 {"rms_time", Quantity::rms_time},
                                                                 {"centroid_time", Quantity::centroid_time},
                                                                 {"centroid_omega", Quantity::centroid_omega},
                                                                 {"rms_omega", Quantity::rms_omega},
                                                                 {"width_20db", Quantity::width_20db},
                                                                 {"photon_number", Quantity::photon_number},
                                                                 {"peak_intensity", Quantity::peak_intensity},
                                                                 {"density", Quantity::density},
                                                                 {"pressure", Quantity::pressure},
                                                                 {"zdw", Quantity::zdw}};
  auto guided = everywhere, free = everywhere;
  guided.insert(guided.end(), {{"mode_energy", Quantity::mode_energy},
                               {"core_radius", Quantity::core_radius},
                               {"electron_density", Quantity::electron_density}});
  free.insert(free.end(), {{"on_axis_intensity", Quantity::on_axis_intensity},
                           {"on_axis_fluence", Quantity::on_axis_fluence},
                           {"beam_radius", Quantity::beam_radius},
                           {"fwhm_r", Quantity::fwhm_r}});
  for (const auto& [word, quantity] : guided)
    CHECK(capillary({{"/statistics", "[\"" + word + "\"]"}}).statistics.at(0).quantity == quantity);
  for (const auto& [word, quantity] : free)
    CHECK(beam({{"/statistics", "[\"" + word + "\"]"}}).statistics.at(0).quantity == quantity);
}

TEST_CASE("uppe: statistics of what passes an aperture") {
  const Problem p = beam({{"/statistics", R"([
      {"quantity": "energy", "far_field": {"type": "circle", "radius": "4e4 1/m", "centre": ["1 1/cm", 0]}},
      {"quantity": "peak_power", "name": "slit", "near_field": {"type": "rectangle", "half_widths": ["20 um", "1 mm"]}},
      {"quantity": "energy_band:700nm-900nm", "near_field": {"type": "ellipse", "radii": ["1 mm", "2 mm"]}},
      {"quantity": "rms_time", "far_field": {"type": "half-plane", "normal": [0, -1], "edge": "-2e3 1/m"}},
      {"quantity": "energy", "name": "all of it"}])"}});
  REQUIRE(p.statistics.size() == 5);
  CHECK(p.statistics[0].name == "far_field_energy");
  REQUIRE(p.statistics[0].aperture);
  CHECK(*p.statistics[0].aperture ==
        Aperture{Aperture::Plane::far_field, Aperture::Shape::circle, 4e4, 4e4, 100, 0, {}});
  CHECK(p.statistics[1].name == "slit");
  CHECK(*p.statistics[1].aperture ==
        Aperture{Aperture::Plane::near_field, Aperture::Shape::rectangle, 20e-6, 1e-3, 0, 0, {}});
  CHECK(p.statistics[2].name == "near_field_energy_band:700nm-900nm");
  CHECK(p.statistics[2].shortest == 700e-9);
  CHECK(p.statistics[2].aperture->shape == Aperture::Shape::ellipse);
  CHECK(*p.statistics[3].aperture ==
        Aperture{Aperture::Plane::far_field, Aperture::Shape::half_plane, -2e3, 0, 0, 0, {0, -1}});
  CHECK_FALSE(p.statistics[4].aperture);
  CHECK_NOTHROW(check_problem(p));
  CHECK(has(
      wrong(kCapillary, {{"/statistics", R"([{"quantity": "energy", "far_field": {"type": "circle", "radius": 1}}])"}}),
      "radial, line, cartesian"));
}

TEST_CASE("uppe: powers of a line are per metre") {
  const support::Sets line{{"/geometry", R"({"route": "line", "half_width": "4 mm", "points": 256})"},
                           {"/launch/0", R"({"shape": "gauss", "fwhm": "50 fs", "peak_power": "10 kW/mm",
                                             "beam": {"waist": "500 um", "tilt_x": "1 mrad"}})"}};
  const Problem p = beam(line);
  CHECK(p.launch[0].peak_power == 1e7);
  CHECK_FALSE(p.launch[0].beam->waist_y);
  auto power = line;
  power.push_back({"/launch/0/peak_power", "10 kW"});
  CHECK(has(wrong(kBeam, power), "/launch/0/peak_power: a power per length (W/m) is needed here"));
}

TEST_CASE("uppe: a beam has to fit where it enters, not only at its waist") {
  // 40 um at 800 nm are 1.91028 mm 30 cm from the waist (w = w0 sqrt(1 + (z/zR)^2), zR = 6.283185 mm).
  const auto at = [](const char* half) {
    return wrong(kBeam, {{"/geometry", R"({"route": "cartesian", "half_width": "4 mm", "points": 128})"},
                         {"/geometry/half_width", half},
                         {"/launch/0", R"({"shape": "gauss", "fwhm": "50 fs", "energy": "1 pJ",
                                           "beam": {"waist": "40 um", "focus": "30 cm"}})"}});
  };
  CHECK(at("3.83 mm").empty());
  CHECK(has(at("3.81 mm"), "/launch/0/beam/waist: the beam's radius in the launch plane along x is 0.00191028 m"));
  // The steepest plane wave that 128 nodes over 8 mm hold has half a period a node: sin = 800 nm * 128/(2 * 8 mm).
  const auto tilted = [](const char* tilt) { return wrong(kBeam, {{"/launch/0/beam/tilt_x", tilt}}); };
  CHECK(tilted("6.39 mrad").empty());
  CHECK(has(tilted("6.41 mrad"), "/launch/0/beam/tilt_x: "));
  // a lens makes a focus of its own; a modal route takes the beam in its waist
  CHECK(has(wrong(kBeam, {{"/launch/0/beam/lens", "1 m"}}),
            "/launch/0/beam/lens: a beam has a lens or a focus, not both, and the focus here is -0.3 m"));
  for (const char* key : {"focus", "lens"})
    CHECK(has(
        wrong(kCapillary, {{"/launch/0/beam", R"({"waist": "80 um"})"}, {"/launch/0/beam/" + std::string(key), "1 m"}}),
        "/launch/0/beam/" + std::string(key) + ": "));
}

TEST_CASE("uppe: absorbers") {
  const std::pair<std::string, std::string> band{"/time", R"({"window": "1 ps", "band": ["500 nm", "1500 nm"]})"};
  const Boundary all =
      beam({{band.first, band.second},
            {"/boundary", R"({"edge": false, "time": true, "space": true, "band": true, "length": "1 cm"})"}})
          .uppe->boundary;
  CHECK(all.time);
  CHECK(all.space);
  CHECK(all.band);
  CHECK(all.length == 0.01);
  CHECK(has(wrong(kBeam, {{"/boundary", R"({"length": "1 cm"})"}}), "/boundary/length"));
  // eight places a length; 60 cm have 100000 of them at 48 um
  CHECK(beam({{"/boundary", R"({"time": true, "length": "48.1 um"})"}}).uppe->boundary.length == 48.1e-6);
  CHECK(
      has(wrong(kBeam, {{"/boundary", R"({"time": true, "length": "1 nm"})"}}),
          "/boundary/length: 1e-09 m makes 4.8e+09 places where the absorbers act, and the march stops at each; write "
          "4.8e-05 m or more"));
  // a grid of points has no edge of a band where it could act
  CHECK(has(wrong(kBeam, {{"/boundary", R"({"band": true})"}}), "/boundary/band: "));
}

TEST_CASE("uppe: what docs/problem-file.md shows is read, and its messages are those that come") {
  const std::string page = support::file_text(LUMARCH_SOURCE_DIR "/docs/problem-file.md");
  int blocks = 0;
  for (std::size_t at = page.find("```json\n"); at != std::string::npos;
       at = page.find("```json\n", at + 1), ++blocks) {
    const std::size_t start = at + 8;
    CHECK_NOTHROW((void)parse_problem(page.substr(start, page.find("```", start) - start)));
  }
  CHECK(blocks == 2);
  CHECK(has(page, "    " + wrong(kCapillary, {{"/medium/pressure", "20 GPa"}}) + "\n"));
}
