// SPDX-License-Identifier: Apache-2.0
// A plain O(n log n) transform for every n: radix 2 where n is a power of two, Bluestein's chirp transform otherwise.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

namespace lumarch::reference {

using Complex = std::complex<double>;

class Fft {
public:
  Fft(std::size_t n, int sign);  // sign of the exponent: -1 forward, +1 backward; not normalised

  [[nodiscard]] std::size_t size() const noexcept { return n_; }
  void transform(const Complex* in, Complex* out) const;  // in == out is allowed

private:
  void radix2(std::vector<Complex>& x) const;
  void bluestein(const Complex* in, Complex* out) const;

  std::size_t n_;
  std::vector<Complex> twiddle_;  // exp(sign 2 pi i k/n), radix 2
  std::vector<Complex> chirp_;    // exp(sign pi i k^2/n), Bluestein
  std::vector<Complex> chirp_spectrum_;
  std::unique_ptr<Fft> forward_, backward_;  // of the padded length, Bluestein
};

// exp(2 pi i numerator/denominator), accurate to the last bit or so for every argument.
[[nodiscard]] Complex root_of_unity(std::size_t numerator, std::size_t denominator);

}  // namespace lumarch::reference
