// SPDX-License-Identifier: Apache-2.0
// What of the pulses a grid cannot hold, found before there is a field.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <lumarch/problem.hpp>

namespace lumarch {

// In words, with place and remedy, of a window (s) and the frequencies from low to high (rad/s). Throws as
// beta_derivatives where a plate has no dispersion at the pulse's wavelength.
[[nodiscard]] std::vector<std::string> pulse_warnings(const Problem& problem, double window, double low, double high);

// The phase of all that acts on a pulse's spectrum, rad, at omega less the pulse's own: gdd, tod, plates and the table.
// Not finite where a plate lets nothing through; null where there is none of them.
[[nodiscard]] std::function<double(double from_own)> spectral_phase(const Pulse& pulse, double wavelength);

// The amplitude of a shape with peak 1 at t from its centre; 0 of file and run.
[[nodiscard]] double shape_amplitude(const Pulse& pulse, double t);

}  // namespace lumarch
