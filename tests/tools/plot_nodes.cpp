// SPDX-License-Identifier: Apache-2.0
// Pictures of fields with nodes: from spectra and powers that the file has, and of the fluence.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <lumarch/error.hpp>
#include <lumarch/result_file.hpp>

#include "core/output/example_nodes.hpp"
#include "lumarch/gnuplot.hpp"
#include "lumarch/plot.hpp"
#include "lumarch/plot_data.hpp"
#include "lumarch/plot_figures.hpp"

using namespace lumarch;
using namespace lumarch::tools;

namespace {

std::string plot(const PlotRequest& request) {
  std::ostringstream out;
  CHECK(plot_command(request, out) == 0);
  return out.str();
}

std::string fault_of(const PlotRequest& request) {
  std::ostringstream out;
  try {
    plot_command(request, out);
  } catch (const Error& failure) {
    CHECK(failure.fault() == Fault::problem);
    return failure.what();
  }
  FAIL("nothing was thrown");
  return "";
}

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

std::vector<float> floats(const std::string& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

}  // namespace

TEST_CASE("spectrum and power are those of the file, whatever fields it has") {
  const example::Folder folder;
  for (const char* route : {"modal", "radial", "mode-averaged-real"}) {
    const RunInfo info = example::nodes_info(route, Fields::none);
    example::write_nodes(folder / "out.h5", info, 9);
    const ResultFile file(folder / "out.h5");
    const Signals signals(file);
    REQUIRE(signals.planes().size() == 9);
    const PlaneRecord plane = example::nodes_plane(info, 5);
    CHECK(signals.power(5) == plane.power);
    const auto density = signals.per_wavelength(5);
    const auto& wavelengths = signals.wavelengths();
    double energy = 0;  // by trapezoids over wavelength; the spectrum's ends are 0
    for (std::size_t i = 1; i < density.size(); ++i)
      energy += 0.5 * (density[i] + density[i - 1]) * (wavelengths[i] - wavelengths[i - 1]);
    CHECK(energy / example::pulse_energy == doctest::Approx(1).epsilon(2e-3));
    const auto peak = std::max_element(density.begin(), density.end()) - density.begin();
    CHECK(wavelengths[static_cast<std::size_t>(peak)] * 1e9 == doctest::Approx(795).epsilon(0.01));
  }
}

TEST_CASE("the fluence of a beam with a waist in the middle") {
  const example::Folder folder;
  for (const char* route : {"radial", "line", "cartesian"}) {
    CAPTURE(route);
    const RunInfo info = example::nodes_info(route, Fields::none);
    example::write_nodes(folder / "out.h5", info, 9);
    const ResultFile file(folder / "out.h5");
    const Signals signals(file);
    const Figure figure = fluence_figure(file.info(), signals);
    const std::vector<float> map = floats(figure.data.at("fluence.bin"));
    REQUIRE(map.size() == 9UL * 900);
    // In dB of the largest of all planes, which is at the waist: on the axis the fluence goes as 1/w^2 (a line's as
    // 1/w).
    const double power = std::string(route) == "line" ? 1 : 2;
    const auto brightest = [&](std::size_t plane) {
      return *std::max_element(map.begin() + static_cast<std::ptrdiff_t>(900 * plane),
                               map.begin() + static_cast<std::ptrdiff_t>(900 * (plane + 1)));
    };
    const double at_waist =
        std::string(route) == "cartesian" ? -10 * std::log10(std::exp(2 * 20.0 * 20.0 / 3600.0)) : 0;
    CHECK(brightest(4) == doctest::Approx(at_waist).epsilon(1e-3));  // the cut is at y = 0, the beam at -20 um
    if (std::string(route) != "cartesian") {
      const double wider = example::beam_at(0) / example::waist;
      CHECK(brightest(0) == doctest::Approx(-10 * power * std::log10(wider)).epsilon(0.02));
      CHECK(brightest(8) == doctest::Approx(brightest(0)));
    }
    // Pixels from rim to rim: the axis is at the left of a radial map, and in the middle of a line's.
    const auto row = map.begin() + 4L * 900;
    const auto where = std::max_element(row, row + 900) - row;
    CHECK((std::string(route) == "radial" ? where < 20 : where > 400));
    CHECK(has(figure.script, "J/m²"));
    CHECK(has(figure.script, std::string(route) == "radial" ? "Radius (µm)" : "x (µm)"));
    CHECK(figure.data.count("map.bin") == (std::string(route) == "cartesian" ? 1 : 0));
  }
}

TEST_CASE("the map of the last plane has x across and y up") {
  const example::Folder folder;
  const RunInfo info = example::nodes_info("cartesian", Fields::none);
  example::write_nodes(folder / "out.h5", info, 5);  // up to the waist
  const ResultFile file(folder / "out.h5");
  const Signals signals(file);
  const std::vector<float> map = floats(fluence_figure(file.info(), signals).data.at("map.bin"));
  REQUIRE(map.size() == 40UL * 32);
  const auto at = static_cast<std::size_t>(std::max_element(map.begin(), map.end()) - map.begin());
  CHECK(info.nodes.x[at % 40] / example::offset_x == doctest::Approx(1));
  CHECK(info.nodes.y[at / 40] / example::offset_y == doctest::Approx(1));
  CHECK(map[at] == 0);
}

TEST_CASE("pictures of fields with nodes") {
  const example::Folder folder;
  if (find_gnuplot().empty()) return;
  for (const char* route : {"modal", "radial", "line", "cartesian", "mode-averaged-real"}) {
    const std::string name = route;
    const bool beam = name == "radial" || name == "line" || name == "cartesian";
    for (const std::size_t planes : {9UL, 1UL}) {
      CAPTURE(route);
      const std::string path = folder / (name + std::to_string(planes) + ".h5");
      example::write_nodes(path, example::nodes_info(name, Fields::none, 0, 2, 128, planes), planes);
      const std::string said = plot({path, "", "", false});
      for (const char* kind : {"evolution", "spectrum", "time", "fluence", "statistics"}) {
        const std::string picture = folder / (name + std::to_string(planes) + "-" + kind + ".png");
        const bool there = (std::string(kind) != "fluence" || beam) && (std::string(kind) != "evolution" || planes > 1);
        CHECK(std::filesystem::exists(picture) == there);
        CHECK(has(said, picture) == there);
      }
      CHECK(has(said, "no fluence") == false);
    }
  }
}

TEST_CASE("what a field with nodes has no picture of is said") {
  const example::Folder folder;
  example::write_nodes(folder / "modal.h5", example::nodes_info("modal"), 9);
  CHECK(has(fault_of({folder / "modal.h5", "", "spectrogram", true}), "one node, and this one has 3 modes"));
  CHECK(has(fault_of({folder / "modal.h5", "", "fluence", true}), "guided ones none"));
  example::write_nodes(folder / "radial.h5", example::nodes_info("radial", Fields::all, 0, 2), 9);
  CHECK(has(fault_of({folder / "radial.h5", "", "spectrogram", true}), "this one has 96 radii"));
  example::write_nodes(folder / "lone.h5", example::nodes_info("mode-averaged", Fields::none), 9);
  CHECK(has(fault_of({folder / "lone.h5", "", "spectrogram", true}), "output.fields is none"));
  example::write_nodes(folder / "lone.h5", example::nodes_info("mode-averaged", Fields::last), 9);
  CHECK(has(plot({folder / "lone.h5", "", "spectrogram", true}), "lone-spectrogram.gp"));
  example::write_nodes(folder / "real.h5", example::nodes_info("mode-averaged-real", Fields::last), 9);
  CHECK(has(plot({folder / "real.h5", "", "spectrogram", true}), "real-spectrogram.gp"));
  example::write_nodes(folder / "new.h5", example::nodes_info("radial", Fields::none), 0);
  CHECK(has(fault_of({folder / "new.h5", "", "fluence,evolution", true}), "no plane was written"));
  RunInfo info = example::nodes_info("radial", Fields::none, 0, 1, 16, 2);
  const auto sink = make_file_sink(folder / "dark.h5", true);
  sink->begin(info);
  PlaneRecord dark = example::nodes_plane(info, 0);
  dark.fluence.assign(dark.fluence.size(), std::nan(""));
  sink->plane(dark);
  sink->end(example::run_end(info));
  CHECK(has(fault_of({folder / "dark.h5", "", "fluence", true}), "zero or not finite everywhere"));
  CHECK(has(plot({folder / "dark.h5", "", "spectrum", true}), "dark-spectrum.gp"));
}
