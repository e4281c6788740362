// Widths of numbers that rounding, or a wrong backend, took below 0.
#include <doctest/doctest.h>

#include "reads/plane.hpp"
#include "reads/statistics.hpp"
#include "reads/width_budget.hpp"
#include "routes.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

constexpr std::int64_t points = 32;

Problem line() {
  Problem p = uppe(Route::line, solid(1.5, 0), 800 * nm, 100 * fs, 1 * mm);
  p.time.points = 16;
  p.uppe->geometry.half_width = 160 * um;
  p.uppe->geometry.points = points;
  p.launch = {beam_pulse(20 * fs, 1e-6, 60 * um)};
  p.statistics = {{"waist", Quantity::beam_radius}, {"half", Quantity::fwhm_r}};
  return p;
}

// A fluence of 1 on the axis and of -d on both sides of it.
std::vector<double> dented(double d) {
  std::vector<double> fluence(points, 0.0);
  fluence[points / 2] = 1;
  fluence[points / 2 - 1] = fluence[points / 2 + 1] = -d;
  return fluence;
}

struct Line {
  Problem problem = line();
  UppeTables tables = translate_uppe(problem);
  [[nodiscard]] std::vector<double> read(std::size_t which, std::vector<double> fluence) const {
    PlaneRows rows;
    rows.spectrum.assign(16, 1.0);
    rows.power.assign(16, 1.0);
    rows.axis_power.assign(16, 1.0);
    rows.fluence = std::move(fluence);
    return PlaneReading(problem, tables, 0.25e-3, std::move(rows)).statistic(problem.statistics[which]);
  }
  // Where the second moment about the axis is -2 d dx^2: with all of the sizes 1 + 2 d, and 16 nodes to the far end.
  [[nodiscard]] double at_budget() const {
    const double u = 0x1p-53, n = (16 + points + 16) * u, g = n / (1 - n);
    const double reach = 16.0 * 16;  // (16 dx)^2
    const double b = g * reach;      // d = b (1 + 2 d)
    return b / (1 - 2 * b);
  }
};

std::string fault_of(const std::function<void()>& what) {
  try {
    what();
  } catch (const Error& error) {
    CHECK(error.fault() == Fault::numbers);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a width whose sum of energies is negative within rounding is 0, beyond it is refused") {
  const Line line;
  const double edge = line.at_budget();
  REQUIRE(edge > 0);
  REQUIRE(edge < 1e-10);
  CHECK(line.read(0, dented(edge * (1 - 1e-9)))[0] == 0);
  const std::string why = fault_of([&] { (void)line.read(0, dented(edge * (1 + 1e-9))); });
  for (const char* part : {"waist", "0.00025 m", "below 0", "rounding", "lumarch-conform"}) {
    CAPTURE(why);
    CHECK(why.find(part) != std::string::npos);
  }
  // the value and the budget are the last digits of it
  char value[40], budget[40];
  const double dx = 10 * um, sum = -2 * edge * dx * dx * dx, whole = (1 + 2 * edge) * dx;
  std::snprintf(value, sizeof value, "%.3g", sum);
  std::snprintf(budget, sizeof budget, "%.3g", width_budget(16 + points + 16, whole, 256 * dx * dx));
  CHECK(std::string(value) == "-" + std::string(budget));
  CHECK(why.find(std::string(value).substr(0, 4)) != std::string::npos);
}

TEST_CASE("a fluence that is negative as a whole has no width") {
  const Line line;
  for (const std::size_t which : {0u, 1u}) {
    CHECK(std::isnan(line.read(which, std::vector<double>(points, 0.0))[0]));  // no light, no width
    CHECK(fault_of([&] { (void)line.read(which, std::vector<double>(points, -1.0)); }).find("below 0") !=
          std::string::npos);
  }
}

TEST_CASE("widths in time and of the spectrum have the same budget") {
  Problem p = fibre(835 * nm, 1 * ps, 64, 1, {}, 0);
  const Grid grid(p);
  const auto width = [&](Quantity quantity, double d) {
    PlaneRows rows;
    for (auto* row : {&rows.power, &rows.spectrum}) {
      const std::size_t peak = row == &rows.power ? 32 : 0;  // the centre of the window, and of the band
      row->assign(64, 0.0);
      (*row)[peak] = 1;
      (*row)[peak + 1] = (*row)[row == &rows.power ? peak - 1 : 63] = -d;
    }
    return statistic({"width", quantity}, grid, rows, 0.5)[0];
  };
  const double b = width_budget(64 + 64 + 16, 1, 32.0 * 32) / 2, edge = b / (1 - 2 * b);
  for (const Quantity quantity : {Quantity::rms_time, Quantity::rms_omega}) {
    CHECK(width(quantity, edge * (1 - 1e-6)) == 0);
    CHECK(fault_of([&] { (void)width(quantity, edge * (1 + 1e-6)); }).find("width is made of") != std::string::npos);
  }
}
