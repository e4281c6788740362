// Launches of volumes: beams and noise in free space, made in threads.
#include <doctest/doctest.h>

#include <stdexcept>

#include "routes.hpp"
#include "translate/blocks.hpp"
#include "translate/uppe_launch.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

constexpr double hbar = 1.054571817e-34;

void transform(std::vector<Complex>& row, double sign) {
  std::vector<Complex> out(row.size());
  for (std::size_t k = 0; k < row.size(); ++k)
    for (std::size_t j = 0; j < row.size(); ++j)
      out[k] += row[j] * std::polar(1.0, sign * 2 * pi * static_cast<double>(j * k % row.size()) /
                                             static_cast<double>(row.size()));
  row = std::move(out);
}

Launch launched(const Problem& problem, const UppeTables& tables) {
  std::vector<std::string> warnings;
  return build_launch(
      problem, tables,
      {[](std::vector<Complex>& row) { transform(row, -1); }, [](std::vector<Complex>& row) { transform(row, 1); }},
      warnings);
}

// Some of the angles of the shortest waves are beyond a quarter turn: evanescent.
Problem beam(Route route, int polarisations = 1) {
  Problem p = uppe(route, solid(1.45, 2.7e-20), 800 * nm, 100 * fs, 1e-5);
  p.time.points = 64;
  Geometry& geometry = p.uppe->geometry;
  geometry.polarisations = polarisations;
  geometry.radius = geometry.half_width = geometry.half_height = 15 * um;
  geometry.points = route == Route::cartesian ? 40 : 128;
  geometry.points_y = 36;
  p.launch = {beam_pulse(20 * fs, 1e-9, 4 * um)};
  if (polarisations == 2) p.launch[0].ellipticity = 0.4;
  return p;
}

constexpr Route routes[] = {Route::radial, Route::line, Route::cartesian};

}  // namespace

TEST_CASE("a volume has the same bits at 1, 2 and 3 threads") {
  for (const Route route : routes) {
    INFO("route ", static_cast<int>(route));
    Problem p = beam(route, 2);
    p.launch.push_back(p.launch[0]);
    p.launch[1].delay = 10 * fs;
    p.launch[1].beam->focus = 20 * um;
    p.noise = Noise{5, Noise::Enters::nonlinear};
    const UppeTables tables = translate_uppe(p);
    p.backend.threads = 1;
    const Launch one = launched(p, tables);
    for (const int threads : {2, 3, 0}) {
      p.backend.threads = threads;
      const Launch more = launched(p, tables);
      CHECK(more.state == one.state);
      CHECK(more.noise == one.noise);
    }
    // the second beam is made again, not kept: the two are the sum of what each is alone
    p.noise.reset();
    Problem first = p, second = p;
    first.launch.pop_back();
    second.launch.erase(second.launch.begin());
    const Launch a = launched(first, tables), b = launched(second, tables);
    double most = 0, wrong = 0;
    for (std::size_t i = 0; i < one.state.size(); ++i) {
      most = std::max(most, std::abs(one.state[i]));
      wrong = std::max(wrong, std::abs(one.state[i] - a.state[i] - b.state[i]));
    }
    CHECK(wrong < 1e-15 * most);
  }
}

TEST_CASE("what a block throws is thrown, and the others end") {
  CHECK_THROWS_AS(in_blocks(1000, 3,
                            [](std::int64_t block, std::int64_t, std::int64_t) {
                              if (block == 7) throw std::runtime_error("no");
                            }),
                  std::runtime_error);
}

TEST_CASE("noise in free space: one photon in each wave that propagates, its phase anywhere") {
  for (const Route route : routes)
    for (const int polarisations : {1, 2}) {
      INFO("route ", static_cast<int>(route), ", polarisations ", polarisations);
      Problem p = beam(route, polarisations);
      p.launch.clear();
      p.noise = Noise{11, Noise::Enters::field};
      const UppeTables tables = translate_uppe(p);
      const Launch launch = launched(p, tables);
      std::int64_t propagating = 0, evanescent = 0;
      double mean = 0, square = 0, cosines = 0, sines = 0, squares = 0, neighbours = 0;
      Complex before = 0;
      for (std::int64_t node = 0; node < tables.nodes(); ++node)
        for (std::int64_t k = 0; k < tables.grid.samples; ++k) {
          const std::int64_t y = node / tables.inner % tables.outer, x = node % tables.inner;
          const Complex s = launch.state[static_cast<std::size_t>(node * tables.grid.samples + k)];
          const double omega = tables.grid.omega(k), whole = 1.45 * omega / c;
          if (omega <= 0 || tables.transverse->k2(y, x) >= whole * whole) {
            CHECK(s == 0.0);
            ++evanescent;
            continue;
          }
          // physics.md, 16: abs(E)^2 = hbar omega/(M s q), q = beta_z/(2 mu0 omega), M the measure of a bin
          const double mu0 = 1.25663706212e-6, beta_z = std::sqrt(whole * whole - tables.transverse->k2(y, x));
          const double energy =
              std::norm(s) * tables.grid.window * tables.transverse->measure() * beta_z / (2 * mu0 * omega);
          const double photons = energy / (hbar * omega);
          ++propagating;
          mean += photons;
          square += photons * photons;
          const Complex phase = s / std::abs(s);
          cosines += phase.real();
          sines += phase.imag();
          squares += phase.real() * phase.real();
          neighbours += (phase * std::conj(before)).real();
          before = phase;
        }
      const auto n = static_cast<double>(propagating);
      CHECK(propagating > 1000);
      CHECK(evanescent > 100);
      CHECK(mean / n == near(1, 1e-9));
      CHECK(square / n - mean * mean / (n * n) < 1e-9);  // the number is certain, the phase is not
      // within 4.5 standard deviations of uniform phases
      CHECK(std::abs(cosines / n) < 4.5 * std::sqrt(0.5 / n));
      CHECK(std::abs(sines / n) < 4.5 * std::sqrt(0.5 / n));
      CHECK(std::abs(squares / n - 0.5) < 4.5 * std::sqrt(0.125 / n));
      CHECK(std::abs(neighbours / n) < 4.5 * std::sqrt(0.5 / n));
      p.noise->seed = 12;
      CHECK(launched(p, tables).state != launch.state);
    }
}

TEST_CASE("noise in free space goes on in a march, in the field or in the nonlinear operator alone") {
  for (const Route route : routes) {
    INFO("route ", static_cast<int>(route));
    Problem p = beam(route);
    p.statistics = {ask(Quantity::photon_number), ask(Quantity::energy)};
    Problem dark = p;
    dark.launch.clear();
    dark.noise = Noise{1, Noise::Enters::field};
    const Marched vacuum = march(dark);
    CHECK(stat(vacuum, 1, 0) == near(stat(vacuum, 0, 0), 1e-9));  // linear and lossless: nothing is made or lost
    CHECK(stat(vacuum, 0, 0) == near(std::round(stat(vacuum, 0, 0)), 1e-12));
    CHECK(stat(vacuum, 0, 0) > 1000);
    p.responses = {Kerr{false, {}}};
    const Marched without = march(p);
    p.noise = Noise{1, Noise::Enters::nonlinear};
    const Marched with = march(p);
    CHECK(with.planes[0].field == without.planes[0].field);
    CHECK(with.planes[1].field != without.planes[1].field);
    CHECK(stat(with, 1, 1) == near(stat(without, 1, 1), 1e-6));
  }
}
