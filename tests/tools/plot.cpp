// SPDX-License-Identifier: Apache-2.0
#include "lumarch/plot.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <numbers>
#include <sstream>

#include <lumarch/error.hpp>
#include <lumarch/result_file.hpp>

#include "core/output/example_run.hpp"
#include "lumarch/gnuplot.hpp"
#include "lumarch/plot_data.hpp"

using namespace lumarch;
using namespace lumarch::tools;

namespace {

std::string plot(const PlotRequest& request) {
  std::ostringstream out;
  CHECK(plot_command(request, out) == 0);
  return out.str();
}

std::string fault_of(const PlotRequest& request, Fault wanted) {
  std::ostringstream out;
  try {
    plot_command(request, out);
  } catch (const Error& failure) {
    CHECK(failure.fault() == wanted);
    return failure.what();
  }
  FAIL("nothing was thrown");
  return "";
}

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

std::string start_of(const std::string& path, std::size_t count) {
  std::string text(count, '\0');
  std::ifstream(path, std::ios::binary).read(text.data(), static_cast<std::streamsize>(count));
  return text;
}

// PATH for the time of a test.
class Path {
public:
  explicit Path(const std::string& path) : before_(std::getenv("PATH")) { setenv("PATH", path.c_str(), 1); }
  ~Path() { setenv("PATH", before_.c_str(), 1); }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

private:
  std::string before_;
};

}  // namespace

TEST_CASE("the power against time is that of the stored spectrum, for even and odd lengths") {
  const example::Folder folder;
  for (const std::size_t n : {64UL, 63UL}) {
    RunInfo info = example::run_info(n, 1);
    PlaneRecord plane = example::plane(info, 0);
    // exp(+i phi1 (omega - omega0)) delays by phi1: a pulse at +0.5 ps.
    const double delay = 0.5e-12, width = 1e13, step = info.omega[1] - info.omega[0];
    for (std::size_t k = 0; k < n; ++k) {
      const double u = info.omega[k] - info.omega0;
      plane.field[k] = std::polar(std::exp(-u * u / (2 * width * width)), delay * u);
    }
    const auto sink = make_file_sink(folder / "out.h5", true);
    sink->begin(info);
    sink->plane(plane);
    sink->end(example::run_end(info));
    const ResultFile file(folder / "out.h5");
    const Signals signals(file);
    const std::vector<double> power = signals.power(0);
    double energy = 0, centre = 0, worst = 0, peak = 0;
    for (std::size_t j = 0; j < n; ++j) {
      Complex sum = 0;
      for (std::size_t k = 0; k < n; ++k) {
        sum += plane.field[k] * std::polar(1.0, -(info.omega[k] - info.omega0) * info.time[j]);
      }
      worst = std::max(worst, std::abs(std::norm(sum * step / (2 * std::numbers::pi)) - power[j]));
      peak = std::max(peak, power[j]);
      energy += power[j];
      centre += power[j] * info.time[j];
    }
    CHECK(worst < 1e-12 * peak);
    CHECK(centre / energy == doctest::Approx(delay).epsilon(1e-9));
    const auto delays = visible(signals.times(), power);
    CHECK(delays.low < delay);
    CHECK(delays.high > delay);
    CHECK(delays.high - delays.low < 2e-12);
  }
}

TEST_CASE("pixels keep every peak, and lie between samples that are far apart") {
  std::vector<double> x(10000), y(10000, 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  y[1234] = 5;
  const auto pixels = in_pixels(x, y, {0, 10000}, 100);
  CHECK(pixels[12] == 5);
  CHECK(*std::max_element(pixels.begin(), pixels.begin() + 12) == 0);
  const auto between = in_pixels({0, 1, 2}, {0, 2, 0}, {0, 2}, 200);
  CHECK(between[49] == doctest::Approx(0.99));
  CHECK(between[99] <= 2);
}

TEST_CASE("pictures of a run") {
  const example::Folder folder;
  example::write(folder / "out.h5", example::run_info(), 11);
  if (find_gnuplot().empty()) return;
  const std::string said = plot({folder / "out.h5", "", "evolution,spectrum,time,spectrogram,statistics", false});
  for (const char* kind : {"evolution", "spectrum", "time", "spectrogram", "statistics"}) {
    const std::string picture = folder / ("out-" + std::string(kind) + ".png");
    CHECK(has(said, picture));
    CHECK(start_of(picture, 4) == "\x89PNG");
    CHECK(std::filesystem::file_size(picture) > 5000);
  }
  plot({folder / "out.h5", folder / "one.svg", "time", false});
  CHECK(has(start_of(folder / "one.svg", 200), "<svg"));
  plot({folder / "out.h5", folder / "it's.pdf", "", false});
  CHECK(start_of(folder / "it's-evolution.pdf", 4) == "%PDF");
}

TEST_CASE("scripts and data are kept on request, and without gnuplot") {
  const example::Folder folder;
  example::write(folder / "out.h5", example::run_info(), 11);
  const Path path("/nowhere");
  CHECK(has(fault_of({folder / "out.h5", "", "", false}, Fault::output), "gnuplot-nox"));
  const std::string said = plot({folder / "out.h5", "", "evolution", true});
  CHECK(has(said, "out-evolution.gp"));
  CHECK(std::filesystem::exists(folder / "out-evolution.gp"));
  CHECK(std::filesystem::file_size(folder / "out-evolution-spectrum.bin") == 11UL * 900 * 4);
  CHECK(!std::filesystem::exists(folder / "out-evolution.png"));
}

TEST_CASE("a gnuplot that ends well without a whole picture is a fault, and no picture is left") {
  const example::Folder folder;
  example::write(folder / "out.h5", example::run_info(), 11);
  std::filesystem::create_directory(folder / "bin");
  const std::string gnuplot = folder / "bin/gnuplot";
  const Path path(folder / "bin" + ":" + std::getenv("PATH"));
  const std::string place = "p=$(sed -n \"s/^set output '\\(.*\\)'/\\1/p\" \"$2\"); ";
  for (const std::string& act :
       {std::string("exit 0"), place + ": >\"$p\"", place + "printf '\\211PNG half' >\"$p\"", std::string("exit 1")}) {
    for (const char* suffix : {"png", "svg", "pdf"}) {
      CAPTURE(act);
      std::ofstream(gnuplot) << "#!/bin/sh\n" << act << '\n';
      std::filesystem::permissions(gnuplot, std::filesystem::perms::owner_all);
      const std::string said = fault_of({folder / "out.h5", folder / "x." + suffix, "time", false}, Fault::output);
      CHECK(has(said, "gnuplot"));
      std::size_t left = 0;
      for (const auto& entry : std::filesystem::directory_iterator(folder.path())) left += entry.exists();
      CHECK(left == 2);  // out.h5 and bin
    }
  }
}

TEST_CASE("a picture replaces what its link names, and what is no file is a wrong name") {
  const example::Folder folder;
  example::write(folder / "out.h5", example::run_info(), 11);
  std::filesystem::create_directory(folder / "x.png");
  CHECK(has(fault_of({folder / "out.h5", folder / "x.png", "time", false}, Fault::problem), "is a folder"));
  CHECK(has(fault_of({folder / "out.h5", folder / "no/x.png", "time", false}, Fault::output), "no folder"));
  if (find_gnuplot().empty()) return;
  std::filesystem::create_symlink("real.png", folder / "link.png");
  plot({folder / "out.h5", folder / "link.png", "time", false});
  CHECK(std::filesystem::is_symlink(folder / "link.png"));
  CHECK(start_of(folder / "real.png", 4) == "\x89PNG");
}

TEST_CASE("what cannot be plotted is said, and the rest is plotted") {
  const example::Folder folder;
  example::write(folder / "none.h5", example::run_info(64, 5, Fields::none), 5);
  const std::string said = plot({folder / "none.h5", "", "", true});
  CHECK(has(said, "no evolution: the file holds no fields"));
  CHECK(has(said, "none-statistics.gp"));
  CHECK(has(fault_of({folder / "none.h5", "", "time", true}, Fault::problem), "nothing to plot"));
  CHECK(has(fault_of({folder / "none.h5", "", "colours", true}, Fault::problem), "no such plot"));
  CHECK(has(fault_of({folder / "none.h5", "", "fluence", true}, Fault::problem), "guided ones none"));
  CHECK(has(fault_of({folder / "none.h5", "x.gif", "time", true}, Fault::problem), ".png"));
}

TEST_CASE("odd files: one plane, two points, a zero field, NaN, planes not reached, unevenly spaced ones") {
  const example::Folder folder;
  const std::string all = "evolution,spectrum,time,spectrogram,statistics";
  example::write(folder / "one.h5", example::run_info(64, 1), 1);
  CHECK(has(plot({folder / "one.h5", "", all, true}), "one plane only"));
  example::write(folder / "two.h5", example::run_info(2, 3), 3);
  plot({folder / "two.h5", "", all, true});
  example::write(folder / "part.h5", example::run_info(64, 9), 4);
  plot({folder / "part.h5", "", all, true});

  RunInfo info = example::run_info(64, 4);
  info.planes = {0, 1e-3, 0.1, 0.15};
  for (const bool zero : {true, false}) {
    const std::string path = folder / (zero ? "zero.h5" : "nan.h5");
    const auto sink = make_file_sink(path, false);
    sink->begin(info);
    for (std::size_t i = 0; i < 4; ++i) {
      PlaneRecord plane = example::plane(info, i);
      if (zero) std::fill(plane.field.begin(), plane.field.end(), 0.0);
      if (!zero && i == 2) plane.field[7] = std::nan("");
      if (!zero) plane.statistics[0][0] = std::nan("");
      sink->plane(plane);
    }
    sink->end(example::run_end(info));
    const std::string said = plot({path, "", all, true});
    CHECK(has(said, zero ? "no time: the field is zero" : "nan-evolution.gp"));
  }
}
