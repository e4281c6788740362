// What the tests of media have in common.
#pragma once

#include <doctest/doctest.h>

#include <numbers>

namespace lumarch::test {

constexpr double pi = std::numbers::pi;
constexpr double c = 299792458.0;
constexpr double nm = 1e-9, um = 1e-6, bar = 1e5;

// Equal to a share of the value; zero to that share of 1. doctest's own Approx adds 1 to the scale of every value, so
// that all small numbers are equal to it.
inline doctest::Approx near(double value, double share) {
  return doctest::Approx(value).epsilon(share).scale(value == 0 ? 1 : 0);
}

constexpr double omega_of(double wavelength) { return 2 * pi * c / wavelength; }

}  // namespace lumarch::test
