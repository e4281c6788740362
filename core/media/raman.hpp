// SPDX-License-Identifier: Apache-2.0
// Raman responses of silica, as analytic transforms H(Omega) = integral h(t) exp(+i Omega t) dt, H(0) = 1.
#pragma once

#include <complex>

#include <lumarch/problem.hpp>

namespace lumarch {

// Omega in rad/s. blow_wood: K. J. Blow and D. Wood, IEEE J. Quantum Electron. 25, 2665 (1989), tau1 12.2 fs, tau2 32
// fs. lin_agrawal: Q. Lin and G. P. Agrawal, Opt. Lett. 31, 3086 (2006). hollenbeck: D. Hollenbeck and C. D. Cantrell,
// J. Opt. Soc. Am. B 19, 2886 (2002), 13 lines.
[[nodiscard]] std::complex<double> raman_response(RamanModel model, double Omega);

// The share of the nonlinearity that is delayed, as the model's authors give it.
[[nodiscard]] double raman_fraction(RamanModel model);

}  // namespace lumarch
