// SPDX-License-Identifier: Apache-2.0
// The linear and nonlinear optics of a uppe problem's medium along z: index, modes, density, susceptibility.
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <lumarch/problem.hpp>

#include "media/gas.hpp"
#include "media/mode.hpp"
#include "media/pressure.hpp"
#include "translate/material.hpp"
#include "translate/wave_surface.hpp"

namespace lumarch {

// A medium at one place.
struct Conditions {
  double pressure = 0;         // Pa
  double radius = 0;           // m, of a guide
  std::vector<GasPart> gases;  // with their densities there; none in a solid
};

class Optics {
public:
  // Throws ProblemError-like Error(Fault::problem) where the medium cannot be: a gas that condenses, a mode that is not
  // guided.
  explicit Optics(const Problem& problem);

  [[nodiscard]] bool guided() const { return !modes_.empty(); }
  [[nodiscard]] const std::vector<std::shared_ptr<const GuideMode>>& modes() const { return modes_; }
  [[nodiscard]] const std::vector<std::string>& mode_names() const { return names_; }

  [[nodiscard]] Conditions at(double z) const;
  [[nodiscard]] Conditions with(double pressure, double radius) const;
  [[nodiscard]] double pressure_at(double z) const { return pressure_.at(z); }
  [[nodiscard]] double radius_at(double z) const;  // linear from corner to corner
  [[nodiscard]] const Profile& pressure() const { return fill_.pressure; }
  [[nodiscard]] const Profile& radius() const { return radius_; }
  [[nodiscard]] bool uniform() const { return uniform_; }
  // Where profiles have corners: 0, ..., the length.
  [[nodiscard]] const std::vector<double>& corners() const { return corners_; }

  // Whether light of this frequency can be propagated: the material has a real index there.
  [[nodiscard]] bool transparent(double omega) const;
  // n of the bulk medium (of a guide's core; where x and y differ, y's or their mean); n_eff of a mode with its loss as
  // beta + i alpha/2, 1/m.
  [[nodiscard]] double index(double omega, const Conditions& conditions) const;
  [[nodiscard]] std::complex<double> wave_number(std::size_t mode, double omega, const Conditions& conditions) const;
  // beta of the reference, the first mode or the medium itself: the frame moves with its group velocity.
  [[nodiscard]] double reference_beta(double omega, const Conditions& conditions) const;
  // The same as a function that lives as long as this, and knows where it is a table's.
  [[nodiscard]] Beta dispersion(const Conditions& conditions) const;

  // Whether x and y have an index of their own in free space, and its surface for one of them (0 is x).
  [[nodiscard]] bool two_indices() const { return solid_x_.has_value() || (!guided() && birefringence_ != 0); }
  [[nodiscard]] WaveSurface surface(int component, double omega, const Conditions& conditions) const;
  [[nodiscard]] double birefringence() const { return birefringence_; }  // the constant one
  // The core or the medium is solid, with an index of its own.
  [[nodiscard]] bool solid() const { return solid_.has_value(); }
  // Effective area of a mode, m^2, and the radius that shapes are in units of; that of a tabulated guide over
  // frequency, over its value at the reference, to the power -1/4 (physics.md, 16).
  [[nodiscard]] double area(std::size_t mode, const Conditions& conditions) const;
  [[nodiscard]] double area_factor(double omega) const;
  [[nodiscard]] double field_radius(double radius) const;  // of the mode that reaches furthest
  [[nodiscard]] double field_radius(std::size_t mode, double radius) const;

  [[nodiscard]] double chi3(const Conditions& conditions) const;     // m^2/V^2
  [[nodiscard]] double chi2() const { return chi2_; }                // m/V
  [[nodiscard]] double poling_period() const { return poling_; }     // m; 0: none
  [[nodiscard]] double density(const Conditions& conditions) const;  // of all gases, 1/m^3
  [[nodiscard]] double temperature() const { return fill_.temperature; }

  // Wavelengths that the data hold for, m, and whose they are; for a warning where a band goes beyond, with what is
  // done there.
  struct Known {
    std::string what;
    double shortest, longest;
    const char* beyond;
    bool kinked;  // the index has a kink where the data end
  };
  [[nodiscard]] const std::vector<Known>& known() const { return known_; }

private:
  void take_gas(const GasFill& fill);
  enum class Beyond { formula, held };
  MaterialIndex know_material(const Material& material, std::string what, Beyond beyond);
  HeldCurve know_curve(const Curve& curve, std::string what);
  Permittivity wall_of(const Material& wall, const char* what);
  template <class Fibre, class Make>
  void take_solid_fibre(const Fibre& guide, Make make);
  void take(const Capillary& guide);
  void take(const Antiresonant& guide);
  void take(const StepIndex& guide);
  void take(const Rectangular& guide);
  void take(const FreeGas& gas);
  void take(const Solid& solid);
  void take(const GradedIndex& guide);
  void take(const TabulatedGuide& guide);
  [[nodiscard]] double permittivity(double omega, const Conditions& conditions) const;

  double omega0_, length_;
  std::vector<std::shared_ptr<const GuideMode>> modes_;
  std::vector<std::string> names_;
  GasFill fill_;
  std::optional<MaterialIndex> solid_, solid_x_;
  std::optional<double> cut_, n2_;
  double birefringence_ = 0;
  std::optional<HeldCurve> area_;
  std::optional<Beta::Table> within_;  // of the tables that light is propagated in
  std::optional<Beta::Table> rough_;   // of all tables that the index depends on
  PressureProfile pressure_{0};
  Profile radius_;
  double chi2_ = 0, poling_ = 0;
  bool loss_ = true, uniform_ = true;
  std::vector<double> corners_;
  std::vector<Conditions> at_corners_;
  std::vector<Known> known_;
};

}  // namespace lumarch
