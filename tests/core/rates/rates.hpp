// What the tests of rates have in common.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include <lumarch/error.hpp>

namespace lumarch::test {

// How far a value is off, as a share of what is expected.
inline double far(double value, double expected) { return std::abs(value / expected - 1); }

// What make() refuses a problem with; empty where it does not.
template <class Make>
std::string refusal(Make make) {
  try {
    make();
  } catch (const Error& error) {
    CHECK(error.fault() == Fault::problem);
    return error.what();
  }
  return "";
}

}  // namespace lumarch::test
