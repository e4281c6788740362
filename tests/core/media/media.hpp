// What the tests of media have in common.
#pragma once

#include <doctest/doctest.h>

#include <numbers>

#include "relative.hpp"

namespace lumarch::test {

constexpr double pi = std::numbers::pi;
constexpr double c = 299792458.0;
constexpr double nm = 1e-9, um = 1e-6, bar = 1e5;

constexpr double omega_of(double wavelength) { return 2 * pi * c / wavelength; }

}  // namespace lumarch::test
