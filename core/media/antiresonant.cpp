// SPDX-License-Identifier: Apache-2.0
#include "media/antiresonant.hpp"

#include <cmath>
#include <string>
#include <utility>

#include <lumarch/error.hpp>

#include "media/constants.hpp"

namespace lumarch {

namespace {

using Complex = std::complex<double>;
using Family = ModeName::Family;

constexpr int dielectric_modes = 8;  // terms of the sums over the modes of a tube's wall

// Cut-offs of the wall's modes in the normalised frequency; `rho` = t/r_ext, n the wall's index.
double he_cutoff(int mu, int nu, double rho, double n) {
  if (nu == 1) {
    const double near = mu - 0.35;
    return std::abs(0.21 + 0.175 * mu - 0.1 / (near * near)) *
               std::pow(rho, 0.55 + 0.005 * std::sqrt(n * n * n * n - 1)) +
           0.04 * std::sqrt(mu) * rho;
  }
  return 0.3 * std::pow(n, -0.3) * std::pow(2.0 / nu, 1.2) * std::abs(mu - 0.8) * rho + nu - 1;
}

double eh_cutoff(int mu, int nu, double rho, double n) {
  if (nu == 1)
    return (0.73 + 0.57 * (std::pow(mu, 0.8) + 1.5) / 4 - 0.04 / (mu - 0.35)) *
           std::pow(rho, 0.5 - (n - 1) / (10 * std::pow(mu + 0.5, 0.1)));
  return 11.5 / (std::pow(nu, 1.2) * (7.75 - nu)) * (0.34 + mu / 4.0 * std::pow(n / 1.2, 1.15)) /
             std::pow(mu + 0.2 / n, 0.15) *
             std::pow(rho, 0.75 + 0.06 * std::pow(n, -1.15) + 0.1 * std::sqrt(1.44 / n) * (nu - 2)) +
         nu - 1;
}

double weight(int mu) { return 2e3 * std::exp(-0.05 * std::pow(std::abs(mu - 1), 2.6)); }

double lorentzian(double x) {
  constexpr double width = 3e-3;
  return width * width / (width * width + x * x);
}

// Loss in 1/m.
double confinement_loss(double lambda, double F, double n, double radius, const VincettiMode::Tubes& tubes) {
  const double rho = tubes.thickness / tubes.radius, steepness = n * n - 1;
  double sum = 0;
  for (int mu = 1; mu <= dielectric_modes; ++mu)
    for (int nu = 1; nu <= dielectric_modes; ++nu)
      sum += weight(mu) * (lorentzian(F - he_cutoff(mu, nu, rho, n)) + lorentzian(F - eh_cutoff(mu, nu, rho, n)));
  const double decibels = 3e-4 * std::pow(lambda, 4.5) / std::pow(radius, 4) * std::pow(1 - rho, -12) *
                          std::sqrt(steepness) / (tubes.thickness * std::sqrt(tubes.radius)) *
                          std::exp(2 * lambda / (tubes.radius * steepness)) * sum;
  return decibels * std::log(10.0) / 10;
}

double resonant_index(double lambda, double F, double n, double radius, const VincettiMode::Tubes& tubes) {
  const double rho = tubes.thickness / tubes.radius;
  const auto dispersion = [&](double F0) {
    const double d = F * F - F0 * F0, w = 0.03 * F;
    return -d / (d * d + w * w);
  };
  double sum = 0;
  for (int nu = 1; nu <= dielectric_modes; ++nu)
    sum += dispersion(he_cutoff(1, nu, rho, n)) + dispersion(eh_cutoff(1, nu, rho, n));
  return 4.5e-7 * std::pow(1 - rho, -4) * (lambda / radius) * (lambda / radius) * weight(1) * sum;
}

}  // namespace

ZeisbergerMode::ZeisbergerMode(const ModeName& name, double thickness, Index wall)
    : HollowMode(name), thickness_(thickness), wall_(std::move(wall)) {
  if (!(thickness > 0))
    throw Error(Fault::problem, "wall thickness " + std::to_string(thickness) + " m: give one above 0");
}

Complex ZeisbergerMode::index(double omega, double eps_core, double radius) const {
  const double k = omega / constants::c, n_co = std::sqrt(eps_core), n_cl = wall_(omega);
  const double E = n_cl * n_cl / eps_core, s = 1 / (k * n_co * radius);
  const double x = 1 / std::tan(k * thickness_ * std::sqrt(n_cl * n_cl - eps_core));
  const double u2 = u() * u(), u4 = u2 * u2;
  const bool te = name().family == Family::TE, tm = name().family == Family::TM;
  const double g = te ? 1 : tm ? E : (E + 1) / 2, d = te ? 1 : tm ? E * E : (E * E + 1) / 2;
  double e = 0;
  if (te) e = 1.5 * u2 / (E - 1);
  if (tm) e = 1.5 * u2 * E * E / (E - 1);
  if (name().family == Family::HE && name().n == 1) e = 1.5 * u2 * E / (E - 1) + u4 * (E - 1) / 8;
  const double A = u2 / 2, B = u2 * g * x / std::sqrt(E - 1), C = u4 / 8 + e * x * x,
               D = u2 * u() * d * (1 + x * x) / (E - 1);
  const double s2 = s * s, s4 = s2 * s2;
  return n_co * Complex(1 - A * s2 - B * s2 * s - C * s4, D * s4);
}

VincettiMode::VincettiMode(const ModeName& name, const Tubes& tubes, Index wall, double omega)
    : HollowMode(name), tubes_(tubes), wall_(std::move(wall)), omega_(omega) {
  if (name.family != Family::HE || name.n != 1 || name.m != 1)
    throw Error(Fault::problem, "mode " + text(name) + ": the formulas for fibres with tubes are for HE11 alone");
  if (tubes.number < 3 || !(tubes.thickness > 0 && tubes.thickness < tubes.radius))
    throw Error(Fault::problem, std::to_string(tubes.number) + " tubes of radius " +
                                    std::to_string(tubes.radius * 1e6) + " um with walls of " +
                                    std::to_string(tubes.thickness * 1e6) +
                                    " um: give 3 or more, with a wall above 0 and thinner than the radius");
}

double VincettiMode::effective_radius(double omega, double radius) const {
  const double lambda = 2 * constants::pi * constants::c / omega, n = wall_(omega);
  const double F = 2 * tubes_.thickness / lambda * std::sqrt(n * n - 1);
  const double gap = 2 * (std::sin(constants::pi / tubes_.number) * (radius + tubes_.radius) - tubes_.radius);
  const double between = tubes_.number / constants::pi * 3 / 64 * tubes_.radius * tubes_.radius *
                         (1 + (3 + 20 * lambda / radius) * gap / tubes_.radius);
  return (1.027 + 1e-3 * (F + 2 / (F * F * F * F))) * std::sqrt(radius * radius + between);
}

Complex VincettiMode::index(double omega, double eps_core, double radius) const {
  const double lambda = 2 * constants::pi * constants::c / omega, n = wall_(omega), n_gas = std::sqrt(eps_core);
  const double F = 2 * tubes_.thickness / lambda * std::sqrt(n * n - 1);
  const double bent = u() * constants::c / (omega * n_gas * effective_radius(omega, radius));
  return {n_gas - bent * bent / 2 + resonant_index(lambda, F, n, radius, tubes_),
          constants::c * confinement_loss(lambda, F, n, radius, tubes_) / (2 * omega)};
}

}  // namespace lumarch
