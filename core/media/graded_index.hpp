// SPDX-License-Identifier: Apache-2.0
// Graded-index fibres with a parabolic core.
#pragma once

#include "media/mode.hpp"

namespace lumarch {

// Weak guidance in eps(r) = eps_core - (eps_core - eps_cladding) (r/a)^2, as if the parabola went on for ever (D.
// Marcuse, Theory of Dielectric Optical Waveguides, section 7.3): with NA^2 = eps_core - eps_cladding and g = 2 (m - 1)
// + q + 1,
//   n^2 = eps_core - 2 NA g/(k a),   w^2 = 2 a/(k NA),   f = (r/w)^q L_(m-1)^q(2 r^2/w^2) exp(-r^2/w^2),
// q the azimuthal order of the mode's name (HE11 is the Gaussian beam of waist w). Modes of one g have one index. Below
// its cut-off, n^2 < eps_cladding, a mode has the cladding's index and the largest loss.
class GradedIndexMode final : public GuideMode {
public:
  // omega and eps_core are those at which the shape is taken. Throws Error(Fault::problem) where the core's
  // permittivity is not above the cladding's there.
  GradedIndexMode(const ModeName& name, Permittivity cladding, double omega, double eps_core);

  // In units of the field radius, at which the field is below 1e-8 of its peak; normalised with n = 1: divide by
  // sqrt(n_eff) in glass.
  [[nodiscard]] std::array<double, 2> shape(double r_over_field_radius, double theta) const override;
  [[nodiscard]] double field_radius(double radius) const override;
  [[nodiscard]] double relative_area() const override { return area_; }

  // w in m for a core of this radius, at the shape's frequency.
  [[nodiscard]] double waist(double radius) const;

private:
  [[nodiscard]] std::complex<double> index(double omega, double eps_core, double radius) const override;
  [[nodiscard]] double profile(double r_over_w) const;

  ModeName name_;
  int order_;
  Permittivity cladding_;
  double waist_of_metre_, extent_, scale_ = 1, area_ = 0;  // w for a radius of 1 m; field radius over w
};

}  // namespace lumarch
