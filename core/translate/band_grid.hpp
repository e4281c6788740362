// SPDX-License-Identifier: Apache-2.0
// Time and frequency grids of a uppe problem (physics.md, 2): the band that is propagated, and the finer time grid that
// its responses are computed on.
#pragma once

#include <cstdint>
#include <vector>

#include <lumarch/abi_params.h>
#include <lumarch/problem.hpp>

namespace lumarch {

struct BandGrid {
  std::uint32_t kind = LM_BAND_ENVELOPE;  // or LM_BAND_HALF: omega >= 0 of a real field
  std::int64_t samples = 0;               // of a row of the state
  std::int64_t fine = 0;                  // in time, where responses are computed
  std::int64_t times = 0;                 // in time, of a reading
  double window = 0;                      // s, the same for all three
  double asked = 0;                       // s, the window that the problem asks for; the same or less
  double domega = 0;                      // rad/s
  double omega0 = 0;                      // rad/s, the reference
  std::vector<double> weight;             // of each sample: the band's window, 1 inside, 0 where nothing is propagated

  BandGrid() = default;
  // `third_harmonic`: of an envelope; it takes a finer time grid.
  BandGrid(const Problem& problem, bool third_harmonic);

  [[nodiscard]] bool half() const { return kind == LM_BAND_HALF; }
  // Absolute frequency of sample k of a row; rows of envelopes are in FFT order about omega0.
  [[nodiscard]] double omega(std::int64_t k) const {
    if (half()) return static_cast<double>(k) * domega;
    return omega0 + static_cast<double>(k < (samples + 1) / 2 ? k : k - samples) * domega;
  }
  // Sample of the j-th frequency in rising order.
  [[nodiscard]] std::int64_t rising(std::int64_t j) const { return half() ? j : (j + (samples + 1) / 2) % samples; }
  // Of a reading; 0 is at sample times/2.
  [[nodiscard]] double time(std::int64_t j) const { return static_cast<double>(j - times / 2) * dt(); }
  [[nodiscard]] double dt() const { return window / static_cast<double>(times); }
  [[nodiscard]] double dt_fine() const { return window / static_cast<double>(fine); }
  // The time of the first sample, the same on both time grids, for even numbers of samples.
  [[nodiscard]] double first_time() const { return time(0); }

  // What the squared state of one sample counts: energy = window times sum of share abs(S)^2 (of power in the time
  // domain). A real field's positive frequencies hold half of its analytic signal.
  [[nodiscard]] double share(std::int64_t k) const {
    if (!half()) return 1;
    return k == 0 ? 0 : 4;
  }

  // Of what the responses give at each fine time: 1, and 0 towards the ends over what was not asked for, a twentieth of
  // the window each at least. The current of free electrons goes on after the pulse, and would jump where the window
  // ends.
  [[nodiscard]] std::vector<double> time_window() const;

  [[nodiscard]] std::vector<double> rising_omega() const;
  [[nodiscard]] std::vector<double> times_axis() const;
};

}  // namespace lumarch
