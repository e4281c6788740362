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
#include "media/graded_index.hpp"
#include "media/rectangular.hpp"
#include "media/step_index.hpp"
#include "media/tabulated.hpp"

namespace lumarch {

namespace {

constexpr double pi = constants::pi;

GasFit fit_of(const GasFill& fill, Gas gas) {
  return fill.ermolov && has_fit(gas, GasFit::ermolov) ? GasFit::ermolov : GasFit::standard;
}

constexpr const char* as_it_is = "its formula is used as it is";
constexpr const char* the_nearer_end = "it keeps the value of the nearer end";
constexpr const char* nothing = "nothing is propagated";

void narrow(std::optional<Beta::Table>& within, const Beta::Table& table) {
  if (within)
    within = {std::max(within->low, table.low), std::min(within->high, table.high)};
  else
    within = table;
}

// The modes that a problem asks for; those of the first `count` HE_1m where it names none.
std::vector<std::string> mode_names_of(const Geometry& geometry) {
  return geometry.modes.empty() ? std::vector<std::string>{"HE11"} : geometry.modes;
}

}  // namespace

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
    known_.push_back({"the index of " + std::string(name(part.gas)), range.shortest, range.longest, as_it_is, false});
  }
}

// Light goes through a table's material as far as the table reaches; a wall keeps the index of the nearer end.
MaterialIndex Optics::know_material(const Material& material, std::string what, Beyond beyond) {
  MaterialIndex index(material);
  const bool held = beyond == Beyond::held;
  if (!index.file().empty()) what += " (" + index.file() + ")";
  if (const auto range = index.known())
    known_.push_back({std::move(what), range->shortest, range->longest,
                      held            ? the_nearer_end
                      : index.table() ? nothing
                                      : as_it_is,
                      held});
  if (index.table()) {
    if (!held) narrow(within_, *index.table());
    narrow(rough_, *index.table());
  }
  return index;
}

HeldCurve Optics::know_curve(const Curve& curve, std::string what) {
  HeldCurve held(curve);
  const Range range = held.wavelengths();
  known_.push_back({std::move(what) + " (" + curve.file + ")", range.shortest, range.longest, the_nearer_end, false});
  return held;
}

Permittivity Optics::wall_of(const Material& wall, const char* what) {
  return [index = know_material(wall, what, Beyond::held)](double omega) -> std::complex<double> {
    const double n = index.held(omega);
    return n * n;
  };
}

void Optics::take(const Capillary& guide) {
  take_gas(guide.gas);
  radius_ = guide.radius;
  loss_ = guide.loss;
  const auto model = guide.reduced ? CapillaryMode::Model::reduced : CapillaryMode::Model::full;
  const Permittivity wall = wall_of(guide.wall, "the index of the wall");
  for (const std::string& mode : names_)
    modes_.push_back(std::make_shared<CapillaryMode>(parse_mode(mode), wall, model));
}

void Optics::take(const Antiresonant& guide) {
  take_gas(guide.gas);
  radius_ = guide.radius;
  loss_ = guide.loss;
  birefringence_ = guide.birefringence;
  const Index wall = [index = know_material(guide.wall, "the index of the wall", Beyond::held)](double omega) {
    return index.held(omega);
  };
  for (const std::string& mode : names_) {
    if (guide.vincetti) {
      const VincettiMode::Tubes tubes{guide.tubes, guide.tube_radius, guide.wall_thickness};
      modes_.push_back(std::make_shared<VincettiMode>(parse_mode(mode), tubes, wall, omega0_));
    } else {
      modes_.push_back(std::make_shared<ZeisbergerMode>(parse_mode(mode), guide.wall_thickness, wall));
    }
  }
}

// make(name, cladding, eps of the core at the reference)
template <class Fibre, class Make>
void Optics::take_solid_fibre(const Fibre& guide, Make make) {
  solid_ = know_material(guide.core, "the index of the core", Beyond::formula);
  n2_ = guide.n2;
  if (!n2_ && guide.core.glass) n2_ = glass_n2(*guide.core.glass);
  birefringence_ = guide.birefringence;
  radius_.value = {guide.radius};
  const Permittivity cladding = wall_of(guide.cladding, "the index of the cladding");
  const double n = (*solid_)(omega0_);
  for (const std::string& mode : names_) modes_.push_back(make(parse_mode(mode), cladding, n * n));
}

void Optics::take(const StepIndex& guide) {
  take_solid_fibre(guide, [&](const ModeName& mode, const Permittivity& cladding, double eps) {
    return std::make_shared<StepIndexMode>(mode, cladding, omega0_, eps, guide.radius);
  });
}

void Optics::take(const GradedIndex& guide) {
  take_solid_fibre(guide, [&](const ModeName& mode, const Permittivity& cladding, double eps) {
    auto made = std::make_shared<GradedIndexMode>(mode, cladding, omega0_, eps);
    if (made->n_eff(omega0_, eps, guide.radius).imag() > 0)  // it has a loss where it is not guided alone
      throw Error(Fault::problem, "mode " + text(mode) + " is not guided at " +
                                      std::to_string(2 * constants::pi * constants::c / omega0_ * 1e9) +
                                      " nm; choose a shorter wavelength, a larger core or a lower mode");
    return made;
  });
}

void Optics::take(const TabulatedGuide& guide) {
  if (guide.gas.parts.empty())
    n2_ = guide.n2;
  else
    take_gas(guide.gas);
  known_.clear();  // the gas is in the table
  Material index;
  index.table = guide.index;
  const MaterialIndex n = know_material(index, "the index of the guide", Beyond::formula);
  if (guide.gas.parts.empty()) solid_ = n;
  std::function<double(double)> loss = [constant = guide.loss](double) { return constant; };
  if (guide.loss_curve) {
    loss = [curve = know_curve(*guide.loss_curve, "the loss of the guide")](double omega) {
      return std::max(0.0, curve(omega));
    };
  }
  double area = guide.effective_area.value_or(1);  // without one nothing asks for it
  if (guide.effective_area_curve) {
    area_ = know_curve(*guide.effective_area_curve, "the effective area of the guide");
    area = (*area_)(omega0_);
  }
  for (std::size_t i = 0; i < names_.size(); ++i) modes_.push_back(std::make_shared<TabulatedMode>(n, loss, area));
}

void Optics::take(const Rectangular& guide) {
  take_gas(guide.gas);
  radius_.value = {guide.half_width};
  loss_ = guide.loss;
  const Permittivity wall = wall_of(guide.wall, "the index of the wall");
  for (const std::string& mode : names_)
    modes_.push_back(std::make_shared<RectangularMode>(parse_mode(mode), guide.half_height / guide.half_width, wall));
}

void Optics::take(const FreeGas& gas) { take_gas(gas.gas); }

void Optics::take(const Solid& solid) {
  const bool two = solid.material_x.has_value();
  solid_ = know_material(solid.material, two ? "the index of y" : "the index of the material", Beyond::formula);
  if (two) solid_x_ = know_material(*solid.material_x, "the index of x", Beyond::formula);
  cut_ = solid.cut;
  birefringence_ = solid.birefringence;
  n2_ = solid.n2;
  if (!n2_ && solid.material.glass) n2_ = glass_n2(*solid.material.glass);
  chi2_ = solid.chi2.value_or(0);
  poling_ = solid.poling_period;
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
    const double n = (*solid_)(omega);
    return n * n;
  }
  return gas_permittivity(conditions.gases, omega);
}

bool Optics::transparent(double omega) const {
  if (!(omega > 0)) return false;
  if (within_ && !(omega >= within_->low && omega <= within_->high)) return false;
  const auto sound = [](double eps) { return std::isfinite(eps) && eps > 0.25 && eps < 100; };
  if (solid_x_ && !sound((*solid_x_)(omega) * (*solid_x_)(omega))) return false;
  return std::all_of(at_corners_.begin(), at_corners_.end(), [&](const Conditions& conditions) {
    return sound(permittivity(omega, conditions));  // beyond, a formula is near its own resonance
  });
}

double Optics::index(double omega, const Conditions& conditions) const {
  return std::sqrt(permittivity(omega, conditions));
}

std::complex<double> Optics::wave_number(std::size_t mode, double omega, const Conditions& conditions) const {
  const GuideMode& m = *modes_[mode];
  const double eps = permittivity(omega, conditions);
  std::complex<double> k = {m.beta(omega, eps, conditions.radius),
                            loss_ ? m.alpha(omega, eps, conditions.radius) / 2 : 0.0};
  if (birefringence_ != 0) {
    const double half = parse_mode(names_[mode]).axis == ModeName::Axis::x ? 0.5 : -0.5;
    k += half * birefringence_ * omega / constants::c;
  }
  if (solid_ && solid_->absorbs()) {  // to first order: what n_eff changes with the core's permittivity
    const double step = 1e-5 * eps;
    const auto n = [&](double at) { return m.n_eff(omega, at, conditions.radius).real(); };
    const double slope = (n(eps + step) - n(eps - step)) / (2 * step);
    k += std::complex(0.0, slope * 2 * std::sqrt(eps) * solid_->extinction(omega) * omega / constants::c);
  }
  return k;
}

double Optics::reference_beta(double omega, const Conditions& conditions) const {
  if (guided()) return wave_number(0, omega, conditions).real();
  return index(omega, conditions) * omega / constants::c;
}

Beta Optics::dispersion(const Conditions& conditions) const {
  return {[this, conditions](double omega) { return reference_beta(omega, conditions); }, rough_};
}

WaveSurface Optics::surface(int component, double omega, const Conditions& conditions) const {
  const double n = index(omega, conditions), k = solid_ ? solid_->extinction(omega) : 0;
  if (component != 0 || !two_indices()) return {omega, two_indices() ? n - birefringence_ / 2 : n, k};
  if (!solid_x_) return {omega, n + birefringence_ / 2, k};
  const double n_x = (*solid_x_)(omega), k_x = solid_x_->extinction(omega);
  if (!cut_) return {omega, n_x, k_x};
  return WaveSurface::extraordinary(omega, n, n_x, *cut_, k_x);
}

double Optics::area_factor(double omega) const {
  return area_ ? std::pow((*area_)(omega0_) / (*area_)(omega), 0.25) : 1;
}

double Optics::area(std::size_t mode, const Conditions& conditions) const {
  return effective_area(*modes_[mode], conditions.radius);
}

double Optics::field_radius(std::size_t mode, double radius) const { return modes_[mode]->field_radius(radius); }

double Optics::field_radius(double radius) const {
  double most = 0;
  for (const auto& mode : modes_) most = std::max(most, mode->field_radius(radius));
  return most;
}

double Optics::chi3(const Conditions& conditions) const {
  if (!solid_) return gas_chi3(conditions.gases);
  return n2_ ? chi3_of_n2(*n2_, (*solid_)(omega0_)) : 0;
}

}  // namespace lumarch
