// SPDX-License-Identifier: Apache-2.0
// One pulse's field in time on a grid, before it is put into modes or a beam.
#pragma once

#include <complex>
#include <functional>
#include <vector>

#include <lumarch/problem.hpp>

namespace lumarch {

// Core has no FFT of its own: these are the backend's, in place, not normalised, FFT order.
struct Transforms {
  std::function<void(std::vector<std::complex<double>>&)> to_time;       // exp(-i omega t), sum over omega
  std::function<void(std::vector<std::complex<double>>&)> to_frequency;  // exp(+i omega t), sum over t
};

// The samples in time that a pulse is made on: t = (j - n/2) dt, frequencies about `carrier`.
struct TimeSamples {
  std::int64_t n = 0;
  double dt = 0, carrier = 0;  // s, rad/s; 0 for a grid of absolute frequencies
  [[nodiscard]] double time(std::int64_t j) const { return static_cast<double>(j - n / 2) * dt; }
};

// T0 of a pulse's shape, s: exp(-(t/T0)^2), sech^2(t/T0), exp(-(t/T0)^(2m)) of the power; 0 for cw and file.
[[nodiscard]] double natural_width(const Pulse& pulse);

// d^2 phi/d omega^2 of all that a pulse goes through, gdd and plates, at its own wavelength, s^2; without a file's
// phase. Throws as beta_derivatives.
[[nodiscard]] double second_order_phase(const Pulse& pulse, double wavelength);

// The peak of a pulse's power before its phases, W; 0 where it has none (cw without a power) or a file has it.
[[nodiscard]] double peak_power(const Pulse& pulse);

// A(t) exp(-i (omega_p - carrier) t), sqrt(W), with its phases and scaled to its power or energy. `wavelength`: of the
// problem, for a pulse that has none of its own.
[[nodiscard]] std::vector<std::complex<double>> pulse_field(const Pulse& pulse, const TimeSamples& samples,
                                                            double wavelength, const Transforms& transforms);

}  // namespace lumarch
