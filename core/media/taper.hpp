// SPDX-License-Identifier: Apache-2.0
// Planck tapers: steps that are smooth to every order and exactly 0 and 1 at their ends.
#pragma once

#include <cmath>
#include <sstream>

#include <lumarch/error.hpp>

namespace lumarch {

// 0 at x0 and beyond it, 1 at x1 and beyond it, between them 1/(1 + exp(1/u - 1/(1 - u))), u = (x - x0)/(x1 - x0); x1 <
// x0 is the mirrored taper. x, x0 and x1 have one unit, any. A NaN in x comes out as one. D. J. A. McKechan, C.
// Robinson and B. S. Sathyaprakash, Class. Quantum Grav. 27, 084020 (2010). Throws Error(Fault::problem) where x0 and
// x1 are the same or not finite.
[[nodiscard]] inline double planck_taper(double x, double x0, double x1) {
  if (!std::isfinite(x1 - x0) || x1 == x0) {
    std::ostringstream text;
    text << "a taper from " << x0 << " to " << x1 << " has no width; give it two different ends";
    throw Error(Fault::problem, text.str());
  }
  const double u = (x - x0) / (x1 - x0);
  constexpr double last = 1e-3;  // exp(-1/last) is below the smallest double: the quotients never overflow
  if (u < last) return 0;
  if (u > 1 - last) return 1;
  const double exponent = 1 / u - 1 / (1 - u), small = std::exp(-std::abs(exponent));
  return exponent > 0 ? small / (1 + small) : 1 / (1 + small);
}

// A window of four points: 0 up to a, 1 from b to c, 0 from d on. Where two neighbours are the same the edge is sharp,
// and the point itself belongs to the inside. Throws Error(Fault::problem) unless a <= b <= c <= d, all finite.
[[nodiscard]] inline double planck_window(double x, double a, double b, double c, double d) {
  if (!(a <= b && b <= c && c <= d && std::isfinite(d - a))) {
    std::ostringstream text;
    text << "a window of the points " << a << ", " << b << ", " << c << ", " << d << "; give them in rising order";
    throw Error(Fault::problem, text.str());
  }
  if (x < b) return a < b ? planck_taper(x, a, b) : 0;
  if (x > c) return c < d ? planck_taper(x, d, c) : 0;
  return std::isnan(x) ? x : 1;
}

}  // namespace lumarch
