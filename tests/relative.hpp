// Comparing numbers of any size. doctest's Approx adds 1 to what it compares with, so that numbers far below 1 are
// always alike to it.
#pragma once

#include <doctest/doctest.h>

namespace lumarch::test {

// |a - b| <= epsilon max(|a|, |b|); nothing is close to 0 but 0.
inline doctest::Approx about(double value) { return doctest::Approx(value).scale(0); }

// The same to a share of the value; 0 to that share of 1.
inline doctest::Approx near(double value, double share) {
  return doctest::Approx(value).epsilon(share).scale(value == 0 ? 1 : 0);
}

}  // namespace lumarch::test
