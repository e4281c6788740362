// What is read of a state where it lies, against the same numbers from a downloaded field; apertures, and the rims.
#include <doctest/doctest.h>

#include <random>

#include "march/route_equation.hpp"
#include "march/stepper.hpp"
#include "reads/aperture.hpp"
#include "route_cases.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

StatisticRequest of(Quantity quantity, const char* name) { return {name, quantity}; }

// All that a route can be asked for.
std::vector<StatisticRequest> everything(const Problem& p) {
  using enum Quantity;
  std::vector<StatisticRequest> all = {of(energy, "energy"),
                                       of(peak_power, "peak_power"),
                                       of(fwhm_time, "fwhm_time"),
                                       of(fwhm_time_widest, "fwhm_time_widest"),
                                       of(rms_time, "rms_time"),
                                       of(centroid_time, "centroid_time"),
                                       of(centroid_omega, "centroid_omega"),
                                       of(rms_omega, "rms_omega"),
                                       of(width_20db, "width_20db"),
                                       of(photon_number, "photon_number"),
                                       of(peak_intensity, "peak_intensity"),
                                       of(on_axis_intensity, "on_axis_intensity"),
                                       of(on_axis_fluence, "on_axis_fluence"),
                                       {"energy_band", energy_band, 700 * nm, 900 * nm}};
  const Route route = p.uppe->geometry.route;
  if (route == Route::modal) all.push_back(of(mode_energy, "mode_energy"));
  if (route != Route::modal && route != Route::mode_averaged) {
    all.push_back(of(beam_radius, "beam_radius"));
    all.push_back(of(fwhm_r, "fwhm_r"));
    all.push_back(of(on_axis_spectrum, "on_axis_spectrum"));
    all.push_back(of(on_axis_time, "on_axis_time"));
  }
  for (const Response& response : p.responses)
    if (std::holds_alternative<Plasma>(response)) {
      all.push_back(of(electron_density, "electron_density"));
      all.push_back(of(peak_ionisation_rate, "peak_ionisation_rate"));
    }
  return all;
}

void check_same(const std::vector<double>& a, const std::vector<double>& b, double share, double scale = 0) {
  REQUIRE(a.size() == b.size());
  double most = scale;
  for (const double value : b) most = std::max(most, std::abs(value));
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    CHECK(std::isnan(a[i]) == std::isnan(b[i]));
    if (!std::isnan(b[i])) CHECK(std::abs(a[i] - b[i]) <= share * most);
  }
}

}  // namespace

TEST_CASE("reads on the state are what a downloaded field gives, on every route") {
  for (const RouteCase& one : route_cases()) {
    CAPTURE(one.name);
    Problem p = one.problem;
    p.statistics = everything(p);
    p.output.fields = Fields::none;
    const Marched here = march_on(backend_name(), p);
    const Marched there = march_on(backend_name(), p, {.reads_here = false});
    REQUIRE(here.planes.size() == there.planes.size());
    // A quasi-discrete Hankel transform keeps energy to its own accuracy, and the power is summed over k here.
    const double share = p.uppe->geometry.route == Route::radial ? 1e-7 : 1e-12;
    for (std::size_t plane = 0; plane < here.planes.size(); ++plane) {
      CAPTURE(plane);
      const PlaneRecord &a = here.planes[plane], &b = there.planes[plane];
      check_same(a.spectrum, b.spectrum, 1e-12);
      check_same(a.power, b.power, share);
      check_same(a.fluence, b.fluence, 1e-12);
      for (std::size_t i = 0; i < p.statistics.size(); ++i) {
        CAPTURE(p.statistics[i].name);
        // a centre lies about 0, and what is 0 has no digits of its own
        const bool centre = p.statistics[i].quantity == Quantity::centroid_time;
        check_same(a.statistics[i], b.statistics[i], share, centre ? p.time.window : 0);
      }
    }
    REQUIRE(here.edges.size() == there.edges.size());
    for (std::size_t i = 0; i < here.edges.size(); ++i)
      for (std::size_t rim = 0; rim < here.run.rims.size(); ++rim) {
        CAPTURE(here.run.rims[rim]);
        CHECK(here.edges[i].rims[rim].share == near(there.edges[i].rims[rim].share, 1e-6));
        CHECK(here.edges[i].rims[rim].peak == near(there.edges[i].rims[rim].peak, 1e-6));
      }
    CHECK(here.ended.bytes_crossed.count("download plane") == 0);
    CHECK(there.ended.bytes_crossed.count("download plane") == 1);
  }
}

namespace {

constexpr double step =
    1.0 / (1 << 14);  // m, between nodes: their places are exact, and 3-4-5 triangles lie on circles

// A grid of 16 x 16 nodes in space and few samples in time.
Problem small_grid() {
  Problem p = uppe(Route::cartesian, solid(1.5, 0), 800 * nm, 40 * fs, 1 * mm);
  p.time.points = 8;
  p.uppe->geometry.half_width = p.uppe->geometry.half_height = 8 * step / 1.1;  // the grid is a tenth wider
  p.uppe->geometry.points = p.uppe->geometry.points_y = 16;
  p.launch = {beam_pulse(10 * fs, 1e-9, 4 * step)};
  return p;
}

// A random field in each node, the same on every backend.
std::vector<Complex> random_state(const UppeTables& tables, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<Complex> state(static_cast<std::size_t>(tables.nodes() * tables.grid.samples));
  for (Complex& value : state) value = {number(engine), number(engine)};
  return state;
}

PlaneRows rows_on(const std::string& backend, const std::shared_ptr<const UppeTables>& tables, const ReadWants& wants,
                  const std::vector<Complex>& state) {
  BackendRequest request;
  request.name = backend;
  Device device(load_backend(backend, {{LUMARCH_BACKEND_DIR}, {}}), request);
  StepperOptions options;
  options.reads = {wants};
  Stepper stepper(device, std::make_unique<RouteEquation>(device, tables, 1, false), options);
  stepper.load({Launch{state, {}}});
  return stepper.read(0, 0);
}

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

// Seeded: a shape whose edge goes exactly through a node, or one float inside or outside of it.
struct EdgeCase {
  Aperture aperture;
  double x = 0, y = 0;   // the node on the edge
  bool included = true;  // whether it passes
};

EdgeCase seeded(unsigned seed, Aperture::Plane plane, const Transverse& nodes) {
  std::mt19937_64 engine(seed);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine); };
  EdgeCase one;
  Aperture& a = one.aperture;
  a.plane = plane;
  a.shape = static_cast<Aperture::Shape>(seed % 4);
  const int side = static_cast<int>(seed / 4 % 3) - 1;  // the size is one float less, as it is, or one more
  // In units of the distance of nodes: those along an axis, and a 3-4-5 triangle.
  const double unit = plane == Aperture::Plane::near_field ? step : nodes.kx(1);
  const bool slanted = pick(0, 1) == 1 && plane == Aperture::Plane::near_field;
  const int mx = slanted ? 3 * (pick(0, 1) * 2 - 1) : pick(1, 5), my = slanted ? 4 * (pick(0, 1) * 2 - 1) : 0;
  one.x = mx * unit;
  one.y = my * unit;
  const double size = slanted ? 5 * unit : one.x;
  const double moved = side == 0 ? size : std::nextafter(size, side < 0 ? 0 : HUGE_VAL);
  one.included = side >= 0;
  switch (a.shape) {
    case Aperture::Shape::circle:
      a.a = a.b = moved;
      break;
    case Aperture::Shape::ellipse:  // through a node on its axis
      one.y = 0;
      one.x = std::abs(mx) * unit;
      a.a = side == 0 ? one.x : std::nextafter(one.x, side < 0 ? 0 : HUGE_VAL);
      a.b = 3 * unit;
      break;
    case Aperture::Shape::rectangle:
      a.a = side == 0 ? std::abs(one.x) : std::nextafter(std::abs(one.x), side < 0 ? 0 : HUGE_VAL);
      a.b = std::max(std::abs(one.y), 2 * unit);
      break;
    case Aperture::Shape::half_plane:  // what lies on the far side of the edge passes
      a.normal = slanted ? std::array<double, 2>{static_cast<double>(mx), static_cast<double>(my)}
                         : std::array<double, 2>{1, 0};
      a.a = slanted ? 25 * unit : one.x;
      if (side != 0) a.a = std::nextafter(a.a, side < 0 ? 0 : HUGE_VAL);
      one.included = side <= 0;
      break;
  }
  return one;
}

}  // namespace

TEST_CASE("nodes on an aperture's edge and a float to either side of it fall alike on every backend") {
  const Problem p = small_grid();
  const auto tables = std::make_shared<const UppeTables>(translate_uppe(p));
  const Transverse& nodes = *tables->transverse;
  REQUIRE(nodes.x(1) - nodes.x(0) == step);
  std::vector<EdgeCase> cases;
  ReadWants wants;
  for (unsigned seed = 0; seed < 120; ++seed) {
    const bool far = seed / 12 % 2 == 1;
    cases.push_back(seeded(seed, far ? Aperture::Plane::far_field : Aperture::Plane::near_field, nodes));
    (far ? wants.far : wants.near).push_back(mask_of(cases.back().aperture, nodes));
  }
  const std::vector<Complex> state = random_state(*tables, 5);
  std::vector<PlaneRows> read;
  for (const char* backend : {"reference", "cpu", "emulated"}) {
    wants.nodes = wants.fluence = true;
    read.push_back(rows_on(backend, tables, wants, state));
  }
  std::size_t far = 0, near = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CAPTURE(i);
    const EdgeCase& one = cases[i];
    CHECK(passes(one.aperture, one.x, one.y) == one.included);
    // by hand, from the energy of each node
    const bool in_k = one.aperture.plane == Aperture::Plane::far_field;
    double right = 0, on_edge = 0;
    for (std::int64_t y = 0; y < nodes.outer(); ++y)
      for (std::int64_t x = 0; x < nodes.inner(); ++x) {
        const double at_x = in_k ? nodes.kx(x) : nodes.x(x), at_y = in_k ? nodes.ky(y) : nodes.y(y);
        const auto node = static_cast<std::size_t>(y * nodes.inner() + x);
        const double energy = in_k ? read[0].nodes[node] : read[0].fluence[node] * nodes.area(y, x);
        if (passes(one.aperture, at_x, at_y)) right += energy;
        if (at_x == one.x && at_y == one.y) on_edge = energy;
      }
    REQUIRE(on_edge > 0);
    CHECK(on_edge > 1e-6 * right);  // whether it is counted shows
    for (const PlaneRows& rows : read)
      CHECK(sum((in_k ? rows.far[far] : rows.near[near]).spectrum) == lumarch::test::near(right, 1e-12));
    for (const PlaneRows& rows : read) {
      const double power = sum((in_k ? rows.far[far] : rows.near[near]).power);
      CHECK(power == lumarch::test::near(sum((in_k ? read[0].far[far] : read[0].near[near]).power), 1e-12));
    }
    ++(in_k ? far : near);
  }
}

TEST_CASE("the rims are looked at 20 times also where one step would do, and hold a node however few there are") {
  Problem p = uppe(Route::line, solid(1, 0), 800 * nm, 4 * ps, 30 * mm);
  p.time.points = 16;
  p.uppe->geometry.half_width = 0.3 * mm;
  p.uppe->geometry.points = 64;
  p.launch = {beam_pulse(1 * ps, 1e-6, 60 * um)};
  const Marched s = march(p);
  CHECK(s.edges.size() == 20);
  p.edge.rim = 1e-3;  // narrower than a node
  const Marched narrow = march(p);
  const auto x = std::find(narrow.run.rims.begin(), narrow.run.rims.end(), "x") - narrow.run.rims.begin();
  CHECK(narrow.edges.back().rims[static_cast<std::size_t>(x)].share > 0);
}

TEST_CASE("of two polarisations the last mode of each is a rim") {
  Problem p = uppe(Route::modal, capillary(Gas::argon, 1 * bar, 60 * um), 800 * nm, 200 * fs, 1 * mm);
  p.time.points = 64;
  p.uppe->geometry.polarisations = 2;
  p.uppe->geometry.modes = {"HE11", "HE11x", "HE12", "HE12x"};
  Pulse pulse = beam_pulse(30 * fs, 1e-6, 1);
  pulse.beam.reset();
  pulse.modes = {{"HE11", 0.9}, {"HE12", 0.1}};
  p.launch = {pulse};
  const Marched s = march(p);
  const auto modes = std::find(s.run.rims.begin(), s.run.rims.end(), "modes") - s.run.rims.begin();
  CHECK(s.edges.front().rims[static_cast<std::size_t>(modes)].share == near(0.1, 1e-9));
}
