// SPDX-License-Identifier: Apache-2.0
#include "translate/grid.hpp"

#include "media/constants.hpp"

namespace lumarch {

Grid::Grid(const Problem& problem)
    : n(problem.time.points),
      window(problem.time.window),
      dt(window / static_cast<double>(n)),
      domega(2 * constants::pi / window),
      omega0(2 * constants::pi * constants::c / problem.wavelength) {}

std::vector<double> Grid::rising_omega() const {
  std::vector<double> omegas(static_cast<std::size_t>(n));
  for (std::int64_t j = 0; j < n; ++j) omegas[static_cast<std::size_t>(j)] = omega(rising(j));
  return omegas;
}

std::vector<double> Grid::times() const {
  std::vector<double> all(static_cast<std::size_t>(n));
  for (std::int64_t j = 0; j < n; ++j) all[static_cast<std::size_t>(j)] = time(j);
  return all;
}

}  // namespace lumarch
