#include <doctest/doctest.h>

#include "fibre.hpp"
#include "reads/statistics.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

// Rows as a backend holds them, from a field in time, by a plain sum.
struct Rows {
  Grid grid;
  std::vector<Complex> state, time;
  Rows(std::int64_t n, double window, const std::function<Complex(double)>& field) {
    Problem p = fibre(835 * nm, window, n, 1, {}, 0);
    grid = Grid(p);
    for (std::int64_t j = 0; j < n; ++j) time.push_back(field(grid.time(j)));
    for (std::int64_t k = 0; k < n; ++k) {
      Complex sum = 0;
      for (std::int64_t j = 0; j < n; ++j)
        sum += time[std::size_t(j)] * std::polar(1.0, 2 * pi * double(k * j % n) / double(n));
      state.push_back(sum / double(n));
    }
  }
  [[nodiscard]] double of(Quantity q, std::size_t part = 0, double shortest = 0, double longest = 0) const {
    return statistic({"", q, shortest, longest}, grid, squares_of(state, time), 0).at(part);
  }
};

}  // namespace

TEST_CASE("moments and widths of a detuned Gaussian") {
  const double t0 = 40 * fs, Omega = 2 * pi * 20e12, delay = 130 * fs;
  const Rows r(1024, 2 * ps, [&](double t) {
    return 10.0 * std::exp(-(t - delay) * (t - delay) / (2 * t0 * t0)) * std::polar(1.0, -Omega * t);
  });
  CHECK(r.of(Quantity::energy) == doctest::Approx(100 * std::sqrt(pi) * t0).epsilon(1e-12));
  CHECK(r.of(Quantity::peak_power) == doctest::Approx(100).epsilon(1e-3));
  CHECK(r.of(Quantity::centroid_time) == doctest::Approx(delay).epsilon(1e-9));
  CHECK(r.of(Quantity::rms_time) == doctest::Approx(t0 / std::sqrt(2.0)).epsilon(1e-9));
  CHECK(r.of(Quantity::centroid_omega) == doctest::Approx(r.grid.omega0 + Omega).epsilon(1e-12));
  CHECK(r.of(Quantity::rms_omega) == doctest::Approx(1 / (t0 * std::sqrt(2.0))).epsilon(1e-9));
  CHECK(r.of(Quantity::fwhm_time) == doctest::Approx(2 * std::sqrt(std::log(2.0)) * t0).epsilon(1e-3));
  CHECK(r.of(Quantity::fwhm_time_widest) == doctest::Approx(r.of(Quantity::fwhm_time)).epsilon(1e-9));
  // -20 dB of exp(-(Omega T0)^2) is at Omega T0 = sqrt(ln 100)
  const double half = std::sqrt(std::log(100.0)) / t0, centre = r.grid.omega0 + Omega;
  CHECK(r.of(Quantity::width_20db, 0) == doctest::Approx(2 * pi * c / (centre + half)).epsilon(1e-5));
  CHECK(r.of(Quantity::width_20db, 1) == doctest::Approx(2 * pi * c / (centre - half)).epsilon(1e-5));
  CHECK(r.of(Quantity::photon_number) ==
        doctest::Approx(r.of(Quantity::energy) / (1.054571817e-34 * centre)).epsilon(1e-2));
}

TEST_CASE("two pulses: the narrowest width is the peak's own, the widest spans both") {
  const Rows r(2048, 4 * ps, [&](double t) {
    return std::exp(-std::pow(t / (50 * fs), 2) / 2) + 0.9 * std::exp(-std::pow((t - 1 * ps) / (50 * fs), 2) / 2);
  });
  const double one = 2 * std::sqrt(std::log(2.0)) * 50 * fs;
  CHECK(r.of(Quantity::fwhm_time) == doctest::Approx(one).epsilon(1e-3));
  CHECK(r.of(Quantity::fwhm_time_widest) ==
        doctest::Approx(1 * ps + one / 2 + 50 * fs * std::sqrt(std::log(2 * 0.81))).epsilon(1e-3));
}

TEST_CASE("a width whose crossing is outside the window is NaN, and so is one of nothing") {
  const Rows flat(64, 1 * ps, [](double) { return 1.0; });
  CHECK(std::isnan(flat.of(Quantity::fwhm_time)));
  CHECK(std::isnan(flat.of(Quantity::fwhm_time_widest)));
  const Rows nothing(64, 1 * ps, [](double) { return 0.0; });
  CHECK(nothing.of(Quantity::energy) == 0);
  CHECK(std::isnan(nothing.of(Quantity::fwhm_time)));
  CHECK(std::isnan(nothing.of(Quantity::rms_time)));
}

TEST_CASE("the energy of a band is that of its bins, and bands add up") {
  const Rows r(512, 1 * ps, [](double t) { return std::exp(-std::pow(t / (5 * fs), 2) / 2); });
  const double all = r.of(Quantity::energy_band, 0, 1 * nm, 1);
  CHECK(r.of(Quantity::energy_band, 0, 1 * nm, 835.3 * nm) + r.of(Quantity::energy_band, 0, 835.3 * nm, 1) ==
        doctest::Approx(all).epsilon(1e-12));
  CHECK(all == doctest::Approx(r.of(Quantity::energy)).epsilon(1e-3));
}
