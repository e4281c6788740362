// SPDX-License-Identifier: Apache-2.0
#include "media/tabulated.hpp"

#include <lumarch/error.hpp>

#include "media/constants.hpp"

namespace lumarch {

std::array<double, 2> TabulatedMode::shape(double, double) const {
  throw Error(Fault::problem, "a tabulated guide has no shapes of modes; take the route mode-averaged");
}

std::complex<double> TabulatedMode::index(double omega, double, double) const {
  return {n_(omega), constants::c * loss_(omega) / (2 * omega)};
}

}  // namespace lumarch
