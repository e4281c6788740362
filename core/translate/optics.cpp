// SPDX-License-Identifier: Apache-2.0
#include "translate/optics.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <lumarch/error.hpp>

#include "media/antiresonant.hpp"
#include "media/capillary.hpp"
#include "media/constants.hpp"
#include "media/dispersion.hpp"
#include "media/glass.hpp"
#include "media/rectangular.hpp"
#include "media/step_index.hpp"

namespace lumarch {

namespace {

constexpr double pi = constants::pi;

GasFit fit_of(const GasFill& fill, Gas gas) {
  return fill.ermolov && has_fit(gas, GasFit::ermolov) ? GasFit::ermolov : GasFit::standard;
}

Permittivity wall_of(const Material& wall) {
  return [wall](double omega) -> std::complex<double> {
    const double n = wall.glass ? wall_index(*wall.glass, omega) : wall.index;
    return n * n;
  };
}

// The modes that a problem asks for; those of the first `count` HE_1m where it names none.
std::vector<std::string> mode_names_of(const Geometry& geometry) {
  return geometry.modes.empty() ? std::vector<std::string>{"HE11"} : geometry.modes;
}

}  // namespace

double material_index(const Material& material, double omega) {
  return material.glass ? glass_index(*material.glass, omega) : material.index;
}

Optics::Optics(const Problem& problem)
    : omega0_(2 * pi * constants::c / problem.wavelength), length_(problem.medium.length) {
  const Uppe& uppe = *problem.uppe;
  const bool modes = uppe.geometry.route == Route::modal || uppe.geometry.route == Route::mode_averaged;
  if (modes) names_ = mode_names_of(uppe.geometry);
  std::visit([this](const auto& medium) { take(medium); }, uppe.medium);
  uniform_ = fill_.pressure.constant() && radius_.constant();
  std::set<double> corners = {0, length_};
  for (const Profile* profile : {&fill_.pressure, &radius_})
    for (const double z : profile->z)
      if (z > 0 && z < length_) corners.insert(z);
  corners_.assign(corners.begin(), corners.end());
  for (const double z : corners_) at_corners_.push_back(at(z));
}

void Optics::take_gas(const GasFill& fill) {
  fill_ = fill;
  if (!fill.pressure.constant())
    pressure_ = PressureProfile(fill.pressure.z, fill.pressure.value);
  else if (!fill.pressure.value.empty())
    pressure_ = PressureProfile(fill.pressure.value.front());
  for (const GasFill::Part& part : fill.parts) {
    const Range range = gas_range(part.gas, fit_of(fill, part.gas));
    known_.push_back({"the index of " + std::string(name(part.gas)), range.shortest, range.longest});
  }
}

void Optics::know_material(const Material& material, const char* what) {
  if (!material.glass) return;
  const Range range = glass_range(*material.glass);
  known_.push_back({what, range.shortest, range.longest});
}

void Optics::take(const Capillary& guide) {
  take_gas(guide.gas);
  radius_ = guide.radius;
  loss_ = guide.loss;
  const auto model = guide.reduced ? CapillaryMode::Model::reduced : CapillaryMode::Model::full;
  for (const std::string& mode : names_)
    modes_.push_back(std::make_shared<CapillaryMode>(parse_mode(mode), wall_of(guide.wall), model));
  know_material(guide.wall, "the index of the wall");
}

void Optics::take(const Antiresonant& guide) {
  take_gas(guide.gas);
  radius_ = guide.radius;
  loss_ = guide.loss;
  const Index wall = [material = guide.wall](double omega) {
    return material.glass ? wall_index(*material.glass, omega) : material.index;
  };
  for (const std::string& mode : names_) {
    if (guide.vincetti) {
      const VincettiMode::Tubes tubes{guide.tubes, guide.tube_radius, guide.wall_thickness};
      modes_.push_back(std::make_shared<VincettiMode>(parse_mode(mode), tubes, wall, omega0_));
    } else {
      modes_.push_back(std::make_shared<ZeisbergerMode>(parse_mode(mode), guide.wall_thickness, wall));
    }
  }
  know_material(guide.wall, "the index of the wall");
}

void Optics::take(const StepIndex& guide) {
  solid_ = guide.core;
  n2_ = guide.n2;
  if (!n2_ && guide.core.glass) n2_ = glass_n2(*guide.core.glass);
  radius_.value = {guide.radius};
  const double n = material_index(guide.core, omega0_);
  for (const std::string& mode : names_)
    modes_.push_back(
        std::make_shared<StepIndexMode>(parse_mode(mode), wall_of(guide.cladding), omega0_, n * n, guide.radius));
  know_material(guide.core, "the index of the core");
  know_material(guide.cladding, "the index of the cladding");
}

void Optics::take(const Rectangular& guide) {
  take_gas(guide.gas);
  radius_.value = {guide.half_width};
  loss_ = guide.loss;
  for (const std::string& mode : names_)
    modes_.push_back(
        std::make_shared<RectangularMode>(parse_mode(mode), guide.half_height / guide.half_width, wall_of(guide.wall)));
  know_material(guide.wall, "the index of the wall");
}

void Optics::take(const FreeGas& gas) { take_gas(gas.gas); }

void Optics::take(const Solid& solid) {
  solid_ = solid.material;
  n2_ = solid.n2;
  if (!n2_ && solid.material.glass) n2_ = glass_n2(*solid.material.glass);
  chi2_ = solid.chi2.value_or(0);
  poling_ = solid.poling_period;
  know_material(solid.material, "the index of the material");
}

Conditions Optics::at(double z) const { return with(pressure_at(z), radius_at(z)); }

double Optics::radius_at(double z) const {
  const std::vector<double>&at = radius_.z, &value = radius_.value;
  if (radius_.constant()) return value.empty() ? 0 : value.front();
  const auto above = std::upper_bound(at.begin() + 1, at.end() - 1, z);
  const auto i = static_cast<std::size_t>(above - at.begin()) - 1;
  const double f = std::clamp((z - at[i]) / (at[i + 1] - at[i]), 0.0, 1.0);
  return value[i] + f * (value[i + 1] - value[i]);
}

Conditions Optics::with(double pressure, double radius) const {
  Conditions conditions{pressure, radius, {}};
  for (const GasFill::Part& part : fill_.parts) {
    const double partial = part.share * pressure;
    conditions.gases.push_back(
        {part.gas, fit_of(fill_, part.gas), partial > 0 ? gas_density(part.gas, partial, fill_.temperature) : 0});
  }
  return conditions;
}

double Optics::density(const Conditions& conditions) const {
  double sum = 0;
  for (const GasPart& part : conditions.gases) sum += part.density;
  return sum;
}

double Optics::permittivity(double omega, const Conditions& conditions) const {
  if (solid_) {
    const double n = material_index(*solid_, omega);
    return n * n;
  }
  return gas_permittivity(conditions.gases, omega);
}

bool Optics::transparent(double omega) const {
  if (!(omega > 0)) return false;
  return std::all_of(at_corners_.begin(), at_corners_.end(), [&](const Conditions& conditions) {
    const double eps = permittivity(omega, conditions);
    return std::isfinite(eps) && eps > 0.25 && eps < 100;  // beyond, a formula is near its own resonance
  });
}

double Optics::index(double omega, const Conditions& conditions) const {
  return std::sqrt(permittivity(omega, conditions));
}

std::complex<double> Optics::wave_number(std::size_t mode, double omega, const Conditions& conditions) const {
  const GuideMode& m = *modes_[mode];
  const double eps = permittivity(omega, conditions);
  return {m.beta(omega, eps, conditions.radius), loss_ ? m.alpha(omega, eps, conditions.radius) / 2 : 0.0};
}

double Optics::reference_beta(double omega, const Conditions& conditions) const {
  if (guided()) return wave_number(0, omega, conditions).real();
  return index(omega, conditions) * omega / constants::c;
}

double Optics::area(std::size_t mode, const Conditions& conditions) const {
  return effective_area(*modes_[mode], conditions.radius);
}

double Optics::field_radius(double radius) const { return modes_.front()->field_radius(radius); }

double Optics::chi3(const Conditions& conditions) const {
  if (!solid_) return gas_chi3(conditions.gases);
  return n2_ ? chi3_of_n2(*n2_, material_index(*solid_, omega0_)) : 0;
}

}  // namespace lumarch
