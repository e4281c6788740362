// SPDX-License-Identifier: Apache-2.0
#include "lumarch/fft.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "lumarch/engineering.hpp"

using lumarch::tools::engineering;
using Complex = std::complex<double>;

TEST_CASE("the transform is the sum that it stands for, for every length") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (const std::size_t n : {1UL, 2UL, 3UL, 4UL, 5UL, 7UL, 12UL, 16UL, 97UL, 255UL, 256UL, 1000UL}) {
    std::vector<Complex> x(n), wanted(n);
    for (Complex& value : x) value = {normal(random), normal(random)};
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) {
        const auto turn = static_cast<double>(j * k % n) / static_cast<double>(n);
        wanted[j] += x[k] * std::polar(1.0, -2 * std::numbers::pi * turn);
      }
    }
    lumarch::tools::Fourier{n}(x);
    double worst = 0;
    for (std::size_t j = 0; j < n; ++j) worst = std::max(worst, std::abs(x[j] - wanted[j]));
    CHECK(worst < 1e-12 * static_cast<double>(n));
  }
}

TEST_CASE("numbers read as people write them") {
  CHECK(engineering(567.3e-12, "J") == "567.3 pJ");
  CHECK(engineering(0.15, "m") == "150 mm");
  CHECK(engineering(10e3, "W") == "10 kW");
  CHECK(engineering(9.9999e-10, "J") == "1 nJ");
  CHECK(engineering(999.99e-12, "J") == "1 nJ");
  CHECK(engineering(835e-9, "m") == "835 nm");
  CHECK(engineering(25e3, "m") == "25 km");
  CHECK(engineering(25e6, "m", 6) == "25000 km");
  CHECK(engineering(0, "W") == "0 W");
  CHECK(engineering(-2.5e-3, "s") == "-2.5 ms");
  CHECK(engineering(2.2558e15, "rad/s") == "2.256e+15 rad/s");
  CHECK(engineering(2.385e9, "1") == "2.385e+09");
  CHECK(engineering(std::nan(""), "J") == "nan J");
  CHECK(engineering(1e-25, "J") == "1e-25 J");
  CHECK(engineering(1e30, "W") == "1e+30 W");
  CHECK(engineering(5e-324, "W") == "4.941e-324 W");
}
