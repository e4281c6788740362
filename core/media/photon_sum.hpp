// SPDX-License-Identifier: Apache-2.0
// The sum over photon numbers of the PPT rate of ionisation.
#pragma once

#include <array>

namespace lumarch {

inline constexpr int highest_l = 3;  // s, p, d and f shells
using PhotonSums = std::array<double, highest_l + 1>;

// phi_m(x) = integral_0^x (x^2 - y^2)^m exp(y^2 - x^2) dy, which is
// (sqrt(pi)/2) m! x^(2m+1) exp(-x^2) 1F1(1/2; m + 3/2; x^2)/Gamma(m + 3/2); phi_0 is Dawson's integral.
// m = 0..highest_l, x >= 0; no units. To 1e-14 relative. Throws nothing.
[[nodiscard]] double phi(int m, double x);

// S_m = sum over k = 0, 1, 2 ... of exp(-alpha (k + delta)) phi_m(sqrt(beta (k + delta))) for m = 0..l: delta in [0, 1)
// is the distance to the first open channel in photons, alpha > 0, 0 < beta < 2. To 1e-11 relative also where thousands
// of terms count: then the terms after the first two dozen are summed by Euler and Maclaurin's formula. Throws nothing.
[[nodiscard]] PhotonSums photon_sums(int l, double alpha, double beta, double delta);

// The integral of the same terms from delta = 0 to infinity, m! beta^m (sqrt(pi)/2) sqrt(beta/alpha)/(alpha +
// beta)^(m+1): the sum without its channel closings, right on average over them.
[[nodiscard]] PhotonSums photon_integrals(int l, double alpha, double beta);

}  // namespace lumarch
