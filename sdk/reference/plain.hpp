// SPDX-License-Identifier: Apache-2.0
// Plain complex arithmetic, and transforms of real rows by complex ones.
#pragma once

#include "device.hpp"

namespace lumarch::reference {

// std::complex's own product repairs NaNs; a plain one passes them on and is what other backends compute.
inline Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

inline double norm2(Complex a) { return a.real() * a.real() + a.imag() * a.imag(); }

// Plan i of the call: a transform out of place, of this kind, direction and length.
const FftPlan& plan_of(const sdk::Call& call, std::uint32_t i, int kind, int direction, std::int64_t n);

void r2c(const FftPlan& plan, const double* in, Complex* out);
void c2r(const FftPlan& plan, const Complex* in, double* out);  // imaginary parts of a real spectrum's ends: not read

}  // namespace lumarch::reference
