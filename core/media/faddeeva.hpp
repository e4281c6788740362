// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>

namespace lumarch {

// w(z) = exp(-z^2) erfc(-i z) for Im z >= 0, to 1e-13 relative. J. A. C. Weideman, SIAM J. Numer. Anal. 31, 1497
// (1994).
[[nodiscard]] std::complex<double> faddeeva(std::complex<double> z);

}  // namespace lumarch
