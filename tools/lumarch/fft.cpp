// SPDX-License-Identifier: Apache-2.0
#include "lumarch/fft.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace lumarch::tools {

namespace {

using Complex = std::complex<double>;

// The operator of std::complex checks for infinities, which here costs more than the transform.
Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

Fourier::Fourier(std::size_t n) : n_(n) {
  const bool power = (n & (n - 1)) == 0;
  while (size_ < (power ? n : 2 * n - 1)) size_ *= 2;
  roots_.resize(size_ / 2);
  for (std::size_t k = 0; k < roots_.size(); ++k) {
    roots_[k] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(size_));
  }
  if (power) return;
  // Bluestein: j k = (j^2 + k^2 - (j - k)^2)/2 makes the transform a convolution with a chirp.
  chirp_.resize(n);
  filter_.resize(size_);
  for (std::size_t k = 0; k < n; ++k) {
    const auto square = static_cast<double>(k * k % (2 * n));  // the phase modulo 2 pi, without losing digits
    chirp_[k] = std::polar(1.0, -std::numbers::pi * square / static_cast<double>(n));
    filter_[k] = filter_[(size_ - k) % size_] = std::conj(chirp_[k]);
  }
  radix2(filter_);
}

void Fourier::radix2(std::vector<Complex>& x) const {
  for (std::size_t i = 1, j = 0; i < size_; ++i) {  // bit reversal
    std::size_t bit = size_ / 2;
    for (; (j & bit) != 0; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t half = 1; half < size_; half *= 2) {
    const std::size_t stride = size_ / (2 * half);
    for (std::size_t start = 0; start < size_; start += 2 * half) {
      for (std::size_t k = 0; k < half; ++k) {
        const Complex odd = times(roots_[k * stride], x[start + half + k]), even = x[start + k];
        x[start + k] = even + odd;
        x[start + half + k] = even - odd;
      }
    }
  }
}

void Fourier::operator()(std::vector<Complex>& values) const {
  if (chirp_.empty()) return radix2(values);
  std::vector<Complex> work(size_);
  for (std::size_t k = 0; k < n_; ++k) work[k] = times(values[k], chirp_[k]);
  radix2(work);
  for (std::size_t k = 0; k < size_; ++k) work[k] = std::conj(times(work[k], filter_[k]));
  radix2(work);  // the inverse, by conjugation
  const double scale = 1 / static_cast<double>(size_);
  for (std::size_t k = 0; k < n_; ++k) values[k] = times(std::conj(work[k]) * scale, chirp_[k]);
}

}  // namespace lumarch::tools
