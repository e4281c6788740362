// SPDX-License-Identifier: Apache-2.0
#include "random_rows.hpp"

#include <cmath>
#include <numbers>

namespace lumarch::conform {

// splitmix64's last step: near seeds give far numbers.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a + 0x9E3779B97F4A7C15u * (b + 1);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// Not std::uniform_real_distribution: its numbers differ from library to library.
double uniform(std::mt19937_64& bits, double low, double high) {
  return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
}

void fill_row(Array& array, std::size_t element, Kind kind, std::int64_t long_side, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  const auto n = static_cast<std::size_t>(array.view.extent[LM_AXIS_SAMPLE]);
  double* const row = array.image.data() + element * array.width();
  for (std::size_t s = 0; s < n; ++s) {
    if (kind == Kind::table || kind == Kind::real) {
      row[s] = kind == Kind::table ? uniform(bits, 0.5, 1.5) : uniform(bits, -1, 1);
      continue;
    }
    Complex z{uniform(bits, -1, 1), uniform(bits, -1, 1)};
    if (kind == Kind::factor) z = std::polar(uniform(bits, 0.5, 1.5), std::numbers::pi * z.real());
    if (kind == Kind::operators) z = {-std::abs(z.real()), 20 * z.imag()};
    if (kind == Kind::spectrum || kind == Kind::response) {
      const bool own_mirror = s == 0 || 2 * static_cast<std::int64_t>(s) == long_side;
      if (own_mirror) z.imag(0);
      if (kind == Kind::response) z /= static_cast<double>(long_side);
    }
    row[2 * s] = z.real();
    row[2 * s + 1] = z.imag();
  }
}

}  // namespace lumarch::conform
