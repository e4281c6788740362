#include "media/taper.hpp"

#include <doctest/doctest.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <string>

#include "rates.hpp"

using namespace lumarch;
using test::far;

TEST_CASE("the Planck taper has its values, both ways round") {
  struct Value {
    double u, taper;
  };
  // 1/(1 + exp(1/u - 1/(1 - u))) with mpmath, 30 digits
  for (const Value& v : {Value{0.1, 0.00013789379201631493},
                         {0.25, 0.064969169128664062},
                         {0.4, 0.30294071603459272},
                         {0.5, 0.5},
                         {0.9, 0.99986210620798369}}) {
    CHECK(far(planck_taper(v.u, 0, 1), v.taper) < 1e-13);
    CHECK(far(planck_taper(7 - 2 * v.u, 7, 5), v.taper) < 1e-12);
    CHECK(far(planck_taper(1 - v.u, 0, 1), 1 - v.taper) < 1e-12);
  }
}

TEST_CASE("the Planck taper is exactly 0 and 1 at its ends and beyond, without overflow") {
  std::feclearexcept(FE_ALL_EXCEPT);
  CHECK(planck_taper(2, 2, 3) == 0);
  CHECK(planck_taper(1, 2, 3) == 0);
  CHECK(planck_taper(std::nextafter(2, 3), 2, 3) == 0);
  CHECK(planck_taper(3, 2, 3) == 1);
  CHECK(planck_taper(std::nextafter(3, 2), 2, 3) == 1);
  CHECK(planck_taper(1e300, 2, 3) == 1);
  CHECK(planck_taper(std::numeric_limits<double>::denorm_min(), 0, 1) == 0);
  CHECK(planck_taper(-std::numeric_limits<double>::infinity(), 2, 3) == 0);
  CHECK(std::fetestexcept(FE_OVERFLOW | FE_DIVBYZERO | FE_INVALID) == 0);
  double before = 0;
  for (int i = 0; i <= 10000; ++i) {
    const double value = planck_taper(i * 1e-4, 0, 1);
    CHECK(value >= before);
    before = value;
  }
  CHECK(std::isnan(planck_taper(std::nan(""), 0, 1)));
}

TEST_CASE("a window of four points, also with sharp edges") {
  CHECK(planck_window(-1, -1, 0, 2, 4) == 0);
  CHECK(planck_window(-0.75, -1, 0, 2, 4) == planck_taper(0.25, 0, 1));
  CHECK(planck_window(0, -1, 0, 2, 4) == 1);
  CHECK(planck_window(1, -1, 0, 2, 4) == 1);
  CHECK(planck_window(2, -1, 0, 2, 4) == 1);
  CHECK(planck_window(2.5, -1, 0, 2, 4) == planck_taper(0.75, 0, 1));
  CHECK(planck_window(4, -1, 0, 2, 4) == 0);
  CHECK(planck_window(5, -1, 0, 2, 4) == 0);
  CHECK(planck_window(0, 0, 0, 1, 1) == 1);
  CHECK(planck_window(1, 0, 0, 1, 1) == 1);
  CHECK(planck_window(-1e-9, 0, 0, 1, 1) == 0);
  CHECK(planck_window(1 + 1e-9, 0, 0, 1, 1) == 0);
  CHECK(std::isnan(planck_window(std::nan(""), 0, 0, 1, 1)));
}

TEST_CASE("a taper without a width and a window out of order are refused with their values") {
  CHECK_THROWS_WITH_AS(static_cast<void>(planck_taper(0, 1, 1)),
                       "a taper from 1 to 1 has no width; give it two different ends", Error);
  CHECK_THROWS_AS(static_cast<void>(planck_taper(0, 1, std::nan(""))), Error);
  CHECK_THROWS_WITH_AS(static_cast<void>(planck_window(0, 0, 2, 1, 3)),
                       "a window of the points 0, 2, 1, 3; give them in rising order", Error);
}
