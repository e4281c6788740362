// SPDX-License-Identifier: Apache-2.0
#include "media/capillary.hpp"

#include <utility>

#include "media/constants.hpp"

namespace lumarch {

namespace {

using Complex = std::complex<double>;

Complex wall_factor(ModeName::Family family, Complex eps) {
  const Complex root = std::sqrt(eps - 1.0);
  if (family == ModeName::Family::TE) return 1.0 / root;
  if (family == ModeName::Family::TM) return eps / root;
  return (eps + 1.0) / (2.0 * root);
}

}  // namespace

CapillaryMode::CapillaryMode(const ModeName& name, Permittivity wall, Model model)
    : HollowMode(name), wall_(std::move(wall)), model_(model) {}

Complex CapillaryMode::index(double omega, double eps_core, double radius) const {
  constexpr Complex i{0, 1};
  const double ka = omega / constants::c * radius, w = u() / ka;
  const Complex v = wall_factor(name().family, wall_(omega));
  if (model_ == Model::reduced) return 1 + (eps_core - 1) / 2 - w * w / 2 + i * w * w * v / ka;
  const Complex bent = 1.0 - i * v / ka;
  return std::sqrt(eps_core - w * w * bent * bent);
}

}  // namespace lumarch
