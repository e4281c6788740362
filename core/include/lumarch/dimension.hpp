// SPDX-License-Identifier: Apache-2.0
// The dimension of a quantity.
#pragma once

namespace lumarch {

// Powers of the base units. Angle is kept as one so that rad/s differs from Hz, level so that dB/m differs from 1/m.
struct Dimension {
  int length = 0, mass = 0, time = 0, current = 0, temperature = 0, angle = 0, level = 0;
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

}  // namespace lumarch
