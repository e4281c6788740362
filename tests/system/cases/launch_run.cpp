// Launches from the outputs of runs: the same grid, another grid, and what is refused.
#include <unistd.h>

#include <filesystem>

#include <lumarch/error.hpp>

#include "routes.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("lumarch-launch-run-" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  [[nodiscard]] std::string file(const char* name) const { return (path / name).string(); }
};

// Runs into a file.
std::string written(Problem problem, const std::string& file) {
  for (std::size_t i = 0; i < problem.statistics.size(); ++i)
    problem.statistics[i].name = "statistic " + std::to_string(i);
  BackendRequest request;
  request.name = backend_name();
  if (request.name == "cpu") request.threads = 1;
  Device device(load_backend(request.name, {{LUMARCH_BACKEND_DIR}, {}}), request);
  const auto sink = make_file_sink(file, true);
  (void)run_on(device, problem, *sink, {});
  return file;
}

Pulse from(const std::string& file, std::int64_t plane = -1) {
  Pulse pulse;
  pulse.shape = Shape::run;
  pulse.run = Pulse::Run{file, plane};
  return pulse;
}

double apart(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  REQUIRE(a.size() == b.size());
  double sum = 0, all = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::norm(a[i] - b[i]), all += std::norm(b[i]);
  return std::sqrt(sum / all);
}

Problem soliton(std::int64_t points = 512, double window = 4 * ps) {
  Problem p = fibre(835 * nm, window, points, 0.2, {-11.83e-27, 8.1e-41}, 0.02);
  p.responses = {Kerr{}, Raman{}, SelfSteepening{}};
  p.launch = {pulse(Shape::sech, 50 * fs, 1000)};
  p.march.tolerance = 1e-9;
  return p;
}

// A Gaussian of both models and every route, short and small, that nothing happens to.
Problem linear(Route route, double window = 300 * fs, std::int64_t points = 128) {
  const bool guide = route <= Route::modal;
  Problem p = guide ? uppe(route, capillary(Gas::argon, 1 * bar, 125 * um), 800 * nm, window, 1e-3)
                    : uppe(route, solid(1.45, 2.7e-20), 800 * nm, window, 1e-4);
  p.time.points = points;
  Geometry& geometry = p.uppe->geometry;
  p.launch = {beam_pulse(30 * fs, 1e-9, 60 * um)};
  p.statistics = {ask(Quantity::energy)};
  if (guide) p.launch[0].beam.reset();
  if (route == Route::modal) {
    geometry.modes = {"HE11", "HE12"};
    p.launch[0].modes = {{"HE11", 0.9}, {"HE12", 0.1}};
  } else if (route == Route::radial) {
    geometry.radius = 400 * um;
    geometry.points = 48;
  } else if (!guide) {
    geometry.half_width = geometry.half_height = 300 * um;
    geometry.points = 48;
    geometry.points_y = 32;
    p.launch[0].beam->x = 30 * um;
    p.launch[0].beam->tilt_x = 2e-3;
  }
  return p;
}

std::string refusal(const Problem& problem) {
  try {
    (void)march(problem);
  } catch (const ProblemError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The numbers of the one warning: what the grid does not hold, and the error.
std::pair<double, double> told(const Marched& run) {
  for (const std::string& warning : run.summary.warnings) {
    const auto held = warning.find("does not hold "), error = warning.find("resampling ");
    if (held == std::string::npos || error == std::string::npos) continue;
    return {std::stod(warning.substr(held + 14)), std::stod(warning.substr(error + 11))};
  }
  FAIL("no warning of a resampling");
  return {};
}

}  // namespace

TEST_CASE("a fibre's second half, launched from the middle of a run, ends as the whole") {
  const Folder folder;
  Problem whole = soliton();
  whole.planes = {0, 0.1, 0.2};
  const Marched all = march(whole);
  const std::string file = written(whole, folder.file("whole.h5"));
  Problem half = soliton();
  half.medium.length = 0.1;
  half.planes = {0, 0.1};
  half.launch = {from(file, 1)};
  const Marched rest = march(half);
  CHECK(apart(rest.planes[0].field, all.planes[1].field) < 1e-15);
  CHECK(apart(rest.planes[1].field, all.planes[2].field) < 1e-6);  // of some 1e3 steps of 1e-9
  CHECK(apart(all.planes[1].field, all.planes[2].field) > 0.1);    // something happened there
  CHECK(rest.summary.warnings.empty());
  half.launch = {from(file, -2)};
  CHECK(march(half).planes[0].field == rest.planes[0].field);
}

TEST_CASE("every route launches the field that it left, to rounding") {
  const Folder folder;
  for (const Route route : {Route::mode_averaged, Route::modal, Route::radial, Route::line, Route::cartesian}) {
    INFO("route ", static_cast<int>(route));
    for (const bool real : {false, true}) {
      Problem p = linear(route);
      if (real) {
        p.uppe->field = FieldKind::real;
        p.time = {100 * fs, 0, Band{500 * nm, 2000 * nm}};
      }
      if (route >= Route::radial) {
        p.uppe->geometry.polarisations = 2;
        p.launch[0].polarisation = 0.3;
        p.launch[0].ellipticity = 0.5;
      }
      const Marched before = march(p);
      const std::string file = written(p, folder.file("before.h5"));
      p.launch = {from(file)};
      const Marched after = march(p);
      CHECK(apart(after.planes[0].field, before.planes[1].field) < 1e-14);
      CHECK(stat(after, 0, 0) == near(stat(before, 1, 0), 1e-12));
    }
  }
}

TEST_CASE("a field on another grid in time is the pulse that it was, less what lies outside of the band") {
  const Folder folder;
  Problem wide = fibre(835 * nm, 1 * ps, 256, 1e-3, {}, 0);
  wide.launch = {pulse(Shape::gauss, 20 * fs, 100)};
  wide.launch[0].chirp = 1;
  wide.launch[0].delay = 40 * fs;
  wide.statistics = {ask(Quantity::energy)};
  const std::string file = written(wide, folder.file("wide.h5"));
  // other step, other window, another reference, no power of two: as if it were launched there
  for (const auto& [window, points, wavelength] : {std::tuple{1.3 * ps, 301, 835 * nm},
                                                   {0.8 * ps, 256, 835 * nm},
                                                   {1 * ps, 256, 840 * nm},
                                                   {2 * ps, 1024, 835 * nm}}) {
    Problem other = fibre(wavelength, window, points, 1e-3, {}, 0);
    other.launch = wide.launch;
    other.launch[0].wavelength = 835 * nm;
    other.statistics = wide.statistics;
    const Marched direct = march(other);
    other.launch = {from(file)};
    const Marched resampled = march(other);
    CHECK(apart(resampled.planes[0].field, direct.planes[0].field) < 1e-8);
    const auto [lost, error] = told(resampled);
    CHECK(lost < 1e-12);
    CHECK(error < 1e-6);
  }
  // a band of +- 20 THz holds erf(Omega T) of it, T = T0/sqrt(1 + C^2)
  Problem narrow = fibre(835 * nm, 1 * ps, 40, 1e-3, {}, 0);
  narrow.launch = {from(file)};
  narrow.statistics = wide.statistics;
  const Marched cut = march(narrow);
  const double edge = 2 * pi * 1e12, share = std::erf(20 * edge * 20 * fs / std::sqrt(2.0));
  CHECK(told(cut).first == near(1 - share, 0.1));  // the lowest point is at -20 THz, the highest at 19
  double held = 0;
  for (int k = -20; k < 20; ++k) held += std::exp(-std::pow(k * edge * 20 * fs, 2) / 2) * edge;
  held *= 20 * fs / std::sqrt(2 * pi);
  CHECK(told(cut).first == near(1 - held, 5e-3));  // three digits are told
  CHECK(told(cut).second < 1e-6);
}

TEST_CASE("a field on other nodes across is the beam that it was") {
  const Folder folder;
  for (const Route route : {Route::radial, Route::line, Route::cartesian}) {
    INFO("route ", static_cast<int>(route));
    Problem p = linear(route);
    const std::string file = written(p, folder.file("beam.h5"));
    Geometry& geometry = p.uppe->geometry;
    geometry.points = 60;
    geometry.radius = 470 * um;
    geometry.half_width = 350 * um;
    geometry.points_y = 40;
    const Marched direct = march(p);
    p.launch = {from(file, 0)};
    const Marched resampled = march(p);
    CHECK(apart(resampled.planes[0].field, direct.planes[0].field) < 1e-6);
    CHECK(stat(resampled, 0, 0) == near(stat(direct, 0, 0), 1e-6));
    CHECK(told(resampled).first < 1e-6);
    CHECK(told(resampled).second < 1e-3);
  }
}

TEST_CASE("modes go by their names, and those that are not there are lost") {
  const Folder folder;
  Problem p = linear(Route::modal);
  const std::string file = written(p, folder.file("modes.h5"));
  p.uppe->geometry.modes = {"HE13", "HE11"};
  p.launch = {from(file, 0)};
  p.statistics.push_back(ask(Quantity::mode_energy));
  const Marched fewer = march(p);
  CHECK(stat(fewer, 0, 1, 0) == 0);
  CHECK(stat(fewer, 0, 1, 1) == near(0.9e-9, 1e-9));
  CHECK(told(fewer).first == near(0.1, 0.01));
  CHECK(told(fewer).second == 0);
}

TEST_CASE("a fibre goes on in a guide, and an envelope as a real field") {
  const Folder folder;
  Problem envelope = fibre(800 * nm, 300 * fs, 128, 1e-3, {}, 0);
  envelope.launch = {pulse(Shape::gauss, 20 * fs, 1e4)};
  envelope.statistics = {ask(Quantity::energy), ask(Quantity::rms_time)};
  const std::string file = written(envelope, folder.file("fibre.h5"));
  Problem guide = linear(Route::mode_averaged);
  guide.statistics = envelope.statistics;
  Problem real = guide;
  real.uppe->field = FieldKind::real;
  real.time = {300 * fs, 0, Band{400 * nm, 3000 * nm}};
  for (Problem p : {guide, real}) {
    p.launch = {from(file)};
    const Marched run = march(p);
    CHECK(stat(run, 0, 0) == near(1e4 * std::sqrt(pi) * 20 * fs, 1e-6));
    CHECK(stat(run, 0, 1) == near(20 * fs / std::sqrt(2.0), 1e-6));
  }
  const std::string back = written(real, folder.file("real.h5"));
  envelope.launch = {from(back, 0)};
  CHECK(stat(march(envelope), 0, 0) == near(1e-9, 1e-3));  // its band is narrower
}

TEST_CASE("what cannot be launched is refused with its place and what there is") {
  const Folder folder;
  Problem p = linear(Route::radial);
  const std::string file = written(p, folder.file("radial.h5"));
  const auto said = [&](Problem problem, const Pulse& pulse) {
    problem.launch = {pulse};
    const std::string text = refusal(problem);
    CHECK(refusal(problem) == text);
    try {
      (void)describe(problem);
      FAIL("check is content");
    } catch (const ProblemError& error) {
      CHECK(error.what() == text);  // check says the same
    }
    return text;
  };
  CHECK(has(said(p, from(folder.file("none.h5"))), "/launch/0/file: "));
  CHECK(has(said(p, from(file, 2)), "/launch/0/plane: "));
  CHECK(has(said(p, from(file, 2)), "no field of plane 2; there is that of plane 0 to 1"));
  CHECK(has(said(p, from(file, -3)), "no field of plane -3"));
  CHECK(has(said(linear(Route::line), from(file)), "is of the route radial, and this problem's is line"));
  CHECK(has(said(soliton(), from(file)), "is of the route radial"));
  Problem two = p;
  two.uppe->geometry.polarisations = 2;
  CHECK(has(said(two, from(file)), "\"polarisations\": 1"));
  p.output.fields = Fields::none;
  const std::string bare = written(p, folder.file("bare.h5"));
  CHECK(has(said(p, from(bare)), "/launch/0/file: " + bare + " holds no fields"));
  p.output.fields = Fields::last;
  const std::string last = written(p, folder.file("last.h5"));
  CHECK(has(said(p, from(last, 0)), "no field of plane 0; there is that of plane 1"));
}
