// SPDX-License-Identifier: Apache-2.0
#include "translate/band_grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <lumarch/error.hpp>

#include "media/constants.hpp"
#include "media/taper.hpp"

namespace lumarch {

namespace {

constexpr double pi = constants::pi;
constexpr double beyond = 1.1;   // the band goes on to this times its highest frequency, its window falls to 0 there
constexpr double fine_rate = 6;  // samples a period of the highest frequency, for third harmonics
constexpr double least_taper = 0.05;  // of the window, at each end
constexpr std::int64_t most_points = std::int64_t{1} << 26;

std::int64_t power_of_two(double at_least, const char* what) {
  if (!(at_least <= static_cast<double>(most_points)))
    throw Error(Fault::problem, std::string("/time: the ") + what +
                                    " would have more than 67108864 samples: a narrower band or a shorter window");
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::ceil(std::max(2.0, at_least)))));
}

double omega_of(double wavelength) { return 2 * pi * constants::c / wavelength; }

}  // namespace

BandGrid::BandGrid(const Problem& problem, bool third_harmonic)
    : asked(problem.time.window), omega0(omega_of(problem.wavelength)) {
  const bool real = problem.uppe && problem.uppe->field == FieldKind::real;
  kind = real ? LM_BAND_HALF : LM_BAND_ENVELOPE;
  if (!problem.time.band) {  // taken literally
    samples = fine = times = problem.time.points;
    window = problem.time.window;
    domega = 2 * pi / window;
    for (std::int64_t k = 0; k < samples; ++k) weight.push_back(omega(k) > 0 ? 1 : 0);
    return;
  }
  const double low = omega_of(problem.time.band->longest), high = omega_of(problem.time.band->shortest);
  const double step = 2 * pi / (fine_rate * high);  // s, of a grid that holds third harmonics
  if (real || third_harmonic) {
    fine = power_of_two(problem.time.window / step, "time grid");
    window = static_cast<double>(fine) * step;
  } else {
    const double reach = std::max(beyond * high - omega0, omega0 - low / 2);
    fine = power_of_two(problem.time.window * reach / pi, "time grid");
    window = static_cast<double>(fine) * pi / reach;
  }
  domega = 2 * pi / window;
  if (real) {
    const std::int64_t top = power_of_two(beyond * high / domega, "band");
    samples = top + 1;
    times = 2 * top;
  } else if (third_harmonic) {
    const double reach = std::max(beyond * high - omega0, omega0 - low / 2);
    samples = times = power_of_two(2 * reach / domega, "band");
  } else {
    samples = times = fine;
  }
  fine = std::max(fine, times);
  for (std::int64_t k = 0; k < samples; ++k) {
    const double w = omega(k);
    weight.push_back(std::min(planck_taper(w, low / 2, low), planck_taper(w, beyond * high, high)));
  }
}

std::vector<double> BandGrid::time_window() const {
  const double half = window / 2, width = std::max((window - asked) / 2, least_taper * window);
  std::vector<double> all;
  for (std::int64_t j = 0; j < fine; ++j)
    all.push_back(planck_taper(std::abs(first_time() + static_cast<double>(j) * dt_fine()), half, half - width));
  return all;
}

std::vector<double> BandGrid::rising_omega() const {
  std::vector<double> all(static_cast<std::size_t>(samples));
  for (std::int64_t j = 0; j < samples; ++j) all[static_cast<std::size_t>(j)] = omega(rising(j));
  return all;
}

std::vector<double> BandGrid::times_axis() const {
  std::vector<double> all(static_cast<std::size_t>(times));
  for (std::int64_t j = 0; j < times; ++j) all[static_cast<std::size_t>(j)] = time(j);
  return all;
}

}  // namespace lumarch
