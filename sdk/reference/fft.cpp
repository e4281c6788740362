// SPDX-License-Identifier: Apache-2.0
#include "fft.hpp"

#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

namespace lumarch::reference {

Complex root_of_unity(std::size_t numerator, std::size_t denominator) {
  // Long double keeps the rounding of the angle below the last bit of the result.
  const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(numerator % denominator) /
                            static_cast<long double>(denominator);
  return {static_cast<double>(std::cos(angle)), static_cast<double>(std::sin(angle))};
}

namespace {

Complex with_sign(Complex root, int sign) { return sign > 0 ? root : std::conj(root); }

}  // namespace

Fft::Fft(std::size_t n, int sign) : n_(n) {
  if (std::has_single_bit(n)) {
    twiddle_.resize(n / 2);
    for (std::size_t k = 0; k < n / 2; ++k) twiddle_[k] = with_sign(root_of_unity(k, n), sign);
    return;
  }
  const std::size_t padded = std::bit_ceil(2 * n - 1);
  chirp_.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    // k^2 modulo 2n, so that the angle stays small; k < 2^31 keeps the square inside 64 bits
    chirp_[k] = with_sign(root_of_unity(k * k % (2 * n), 2 * n), sign);
  }
  forward_ = std::make_unique<Fft>(padded, -1);
  backward_ = std::make_unique<Fft>(padded, +1);
  chirp_spectrum_.assign(padded, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    chirp_spectrum_[k] = std::conj(chirp_[k]);
    if (k) chirp_spectrum_[padded - k] = std::conj(chirp_[k]);
  }
  forward_->transform(chirp_spectrum_.data(), chirp_spectrum_.data());
}

void Fft::transform(const Complex* in, Complex* out) const {
  if (!chirp_.empty()) return bluestein(in, out);
  std::vector<Complex> x(in, in + n_);
  radix2(x);
  std::copy(x.begin(), x.end(), out);
}

void Fft::radix2(std::vector<Complex>& x) const {
  for (std::size_t i = 1, j = 0; i < n_; ++i) {  // bit-reversed order
    std::size_t bit = n_ >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j |= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t half = 1; half < n_; half *= 2) {
    const std::size_t stride = n_ / (2 * half);
    for (std::size_t start = 0; start < n_; start += 2 * half)
      for (std::size_t k = 0; k < half; ++k) {
        const Complex w = twiddle_[k * stride], b = x[start + k + half];
        const Complex t{w.real() * b.real() - w.imag() * b.imag(), w.real() * b.imag() + w.imag() * b.real()};
        x[start + k + half] = x[start + k] - t;
        x[start + k] += t;
      }
  }
}

void Fft::bluestein(const Complex* in, Complex* out) const {
  const std::size_t padded = forward_->size();
  std::vector<Complex> x(padded, 0.0);
  for (std::size_t k = 0; k < n_; ++k) x[k] = in[k] * chirp_[k];
  forward_->transform(x.data(), x.data());
  for (std::size_t k = 0; k < padded; ++k) x[k] *= chirp_spectrum_[k];
  backward_->transform(x.data(), x.data());
  const double scale = 1.0 / static_cast<double>(padded);
  for (std::size_t k = 0; k < n_; ++k) out[k] = scale * x[k] * chirp_[k];
}

}  // namespace lumarch::reference
