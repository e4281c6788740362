// SPDX-License-Identifier: Apache-2.0
// Derivatives of a propagation constant.
#pragma once

#include <array>
#include <functional>

namespace lumarch {

using Beta = std::function<double(double omega)>;  // 1/m of rad/s

// beta and its first five derivatives at omega: element k in s^k/m. From Chebyshev polynomials on up to omega +- 25 %,
// narrower where beta is not smooth on that. Exact but for the rounding of beta: with a relative error of 1e-16 there,
// 1e-7 of beta2 and 1e-4 of beta5 of a capillary with gas, less of a glass. Throws Error(Fault::problem) where
// beta is not smooth within +-0.1 %: where it is not finite, or at a resonance.
[[nodiscard]] std::array<double, 6> beta_derivatives(const Beta& beta, double omega);

// The k-th alone, 0 to 5; k = 1 is the inverse group velocity, s/m.
[[nodiscard]] double beta_derivative(const Beta& beta, double omega, int k);

// c d beta/d omega.
[[nodiscard]] double group_index(const Beta& beta, double omega);

}  // namespace lumarch
