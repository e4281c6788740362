// Transverse grids: case C22 (Hankel), measures, and the grids of physics.md, 2.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "relative.hpp"
#include "translate/band_grid.hpp"
#include "translate/transverse.hpp"

using namespace lumarch;
using lumarch::test::near;

namespace {

constexpr double pi = std::numbers::pi;

std::vector<double> times(const std::vector<double>& matrix, const std::vector<double>& x) {
  std::vector<double> y(matrix.size() / x.size(), 0.0);
  for (std::size_t i = 0; i < y.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += matrix[i * x.size() + j] * x[j];
  return y;
}

Geometry radial(double aperture, std::int64_t points) {
  Geometry g;
  g.route = Route::radial;
  g.radius = aperture;
  g.points = points;
  return g;
}

}  // namespace

TEST_CASE("C22: a Gaussian's Hankel transform is that of the books, and a thousand round trips keep it") {
  const double w = 1e-3;
  const Transverse nodes(radial(4e-2, 256));
  const std::vector<double> there = nodes.to_state(), back = nodes.to_space(false), with_axis = nodes.to_space(true);
  std::vector<double> field;
  for (std::int64_t n = 0; n < 256; ++n) field.push_back(std::exp(-std::pow(nodes.x(n) / w, 2)));
  std::vector<double> state = times(there, field);
  double worst = 0;
  for (std::int64_t m = 0; m < 256; ++m) {
    const double k = nodes.kx(m), expected = pi * w * w * std::exp(-k * k * w * w / 4);
    worst = std::max(worst, std::abs(nodes.to_file(0, m) * state[static_cast<std::size_t>(m)] - expected));
  }
  CHECK(worst < 1e-12 * pi * w * w);
  // Parseval, by both quadratures
  double in_space = 0, in_k = 0;
  for (std::int64_t n = 0; n < 256; ++n) {
    in_space += nodes.area(0, n) * std::pow(field[static_cast<std::size_t>(n)], 2);
    in_k += nodes.measure() * std::pow(state[static_cast<std::size_t>(n)], 2);
  }
  CHECK(in_space == near(pi * w * w / 2, 1e-10));
  CHECK(in_k == near(in_space, 1e-11));
  CHECK(times(with_axis, state).front() == near(1, 1e-10));
  for (int i = 0; i < 1000; ++i) state = times(there, times(back, state));
  const std::vector<double> after = times(back, state);
  double off = 0;
  for (std::size_t n = 0; n < 256; ++n) off = std::max(off, std::abs(after[n] - field[n]));
  CHECK(off < 1e-9);
}

TEST_CASE("nodes of a Cartesian grid lie about 0, in the order of a transform, in a box wider by a tenth") {
  Geometry g;
  g.route = Route::cartesian;
  g.half_width = 2e-3;
  g.half_height = 1e-3;
  g.points = 8;
  g.points_y = 5;
  const Transverse nodes(g);
  CHECK(nodes.x(4) == 0);
  CHECK(nodes.y(2) == 0);
  CHECK(nodes.x(0) == near(-2.2e-3, 1e-12));
  CHECK(nodes.kx(1) == near(2 * pi / 4.4e-3, 1e-12));
  CHECK(nodes.kx(4) == near(-4 * 2 * pi / 4.4e-3, 1e-12));
  CHECK(nodes.ky(4) == near(-2 * pi / 2.2e-3, 1e-12));
  CHECK(nodes.area(0, 0) == near(4.4e-3 / 8 * 2.2e-3 / 5, 1e-12));
  CHECK(nodes.measure() == near(4.4e-3 * 2.2e-3, 1e-12));
  const NodeAxes axes = nodes.axes(1);
  for (std::size_t i = 1; i < 8; ++i) CHECK(axes.kx[i] > axes.kx[i - 1]);
  CHECK(axes.ky[2] == 0);
}

TEST_CASE("the grids of a band hold it, and harmonics where a response makes them") {
  Problem p;
  p.wavelength = 800e-9;
  p.time.window = 400e-15;
  p.time.band = Band{160e-9, 3000e-9};
  p.uppe.emplace();
  p.uppe->field = FieldKind::real;
  const double high = 2 * pi * 299792458.0 / 160e-9;
  const BandGrid real(p, false);
  CHECK(real.half());
  CHECK(real.dt_fine() == near(2 * pi / (6 * high), 1e-12));  // 1/(6 f_max)
  CHECK(real.window >= 400e-15);
  CHECK(real.window < 800e-15);
  CHECK((real.fine & (real.fine - 1)) == 0);
  CHECK(real.omega(real.samples - 1) >= 1.1 * high);
  CHECK(real.omega((real.samples - 1) / 2) < 1.1 * high);
  CHECK(real.times == 2 * (real.samples - 1));
  p.uppe->field = FieldKind::envelope;
  const BandGrid envelope(p, false), harmonics(p, true);
  CHECK(envelope.fine == envelope.samples);
  CHECK(harmonics.fine > harmonics.samples);
  for (const BandGrid* grid : {&real, &envelope, &harmonics})
    for (std::int64_t k = 0; k < grid->samples; ++k) {
      const double w = grid->omega(k), weight = grid->weight[static_cast<std::size_t>(k)];
      const double low = 2 * pi * 299792458.0 / 3000e-9;
      if (w >= low && w <= high) CHECK(weight == 1);
      if (w <= low / 2 || w >= 1.1 * high) CHECK(weight == 0);
    }
}
