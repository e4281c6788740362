// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lumarch {

// Vacuum wavelengths in m.
struct Range {
  double shortest, longest;
  [[nodiscard]] bool contains(double wavelength) const { return wavelength >= shortest && wavelength <= longest; }
};

}  // namespace lumarch
