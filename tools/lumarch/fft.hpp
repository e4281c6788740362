// SPDX-License-Identifier: Apache-2.0
// A plain Fourier transform for plots: the command line links no FFT library (FFTW would make it GPL).
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace lumarch::tools {

// X_j = sum_k x_k exp(-2 pi i j k/n), in place, any n.
class Fourier {
public:
  explicit Fourier(std::size_t n);
  void operator()(std::vector<std::complex<double>>& values) const;

private:
  void radix2(std::vector<std::complex<double>>& values) const;

  std::size_t n_ = 0, size_ = 1;                              // size_: a power of two; n_ itself, or Bluestein's
  std::vector<std::complex<double>> roots_, chirp_, filter_;  // chirp and its transform are empty for powers of two
};

}  // namespace lumarch::tools
