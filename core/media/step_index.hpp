// SPDX-License-Identifier: Apache-2.0
// Step-index fibres.
#pragma once

#include <optional>

#include "media/mode.hpp"
#include "media/quadrature.hpp"

namespace lumarch {

// The real index of a mode of a fibre with a round core in an unbounded cladding, from the exact (vector) equations: A.
// W. Snyder and J. D. Love, Optical Waveguide Theory, table 12-4. radius in m. None where the mode is not guided.
// Throws nothing.
[[nodiscard]] std::optional<double> step_index_n_eff(const ModeName& mode, double omega, double eps_core,
                                                     double eps_cladding, double radius);

// As a mode of a guide. n_eff is exact; below its cut-off the mode has the cladding's index and the largest loss. The
// shape is that of weak guidance, J_q(U r/a) in the core and K_q(W r/a) outside, taken at one frequency: good to the
// index step, (n_core - n_cladding)/n_core. It reaches out of the core: the field radius is extent() core radii, where
// the field is 1e-8 of that at the core's edge. Normalised with n = 1, as all shapes here: divide by sqrt(n_eff) in
// glass.
class StepIndexMode final : public GuideMode {
public:
  // omega, eps_core and radius are those at which the shape is taken. Throws Error(Fault::problem) where the mode is
  // not guided there.
  StepIndexMode(const ModeName& name, Permittivity cladding, double omega, double eps_core, double radius);

  [[nodiscard]] std::array<double, 2> shape(double r_over_field_radius, double theta) const override;
  [[nodiscard]] double field_radius(double radius) const override { return extent_ * radius; }
  [[nodiscard]] double relative_area() const override { return area_; }
  [[nodiscard]] double extent() const { return extent_; }

  // A rule that has the edge of the core between two nodes: `radial` within the core and as many outside.
  [[nodiscard]] Nodes nodes(int radial = 32) const;

private:
  [[nodiscard]] std::complex<double> index(double omega, double eps_core, double radius) const override;
  [[nodiscard]] double profile(double r_over_a) const;

  ModeName name_;
  int order_;
  Permittivity cladding_;
  double U_ = 0, W_ = 0, extent_ = 1, scale_ = 1, area_ = 0;
};

// The same rule for several modes: up to `extent` core radii, at so many angles.
[[nodiscard]] Nodes step_nodes(int radial, int angles, double extent);

}  // namespace lumarch
