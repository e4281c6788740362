// SPDX-License-Identifier: Apache-2.0
// Antiresonant hollow fibres.
#pragma once

#include <functional>

#include "media/mode.hpp"

namespace lumarch {

using Index = std::function<double(double omega)>;

// A hollow core with one thin wall: M. Zeisberger and M. A. Schmidt, Sci. Rep. 7, 11761 (2017), eq. 15, with the cubic
// and quartic coefficients of docs/media.md. The index is a series in 1/(k a); it holds between the resonances of the
// wall, 2 t sqrt(n_wall^2 - n_core^2) = m lambda, not at them. HE with n > 1 and EH have no resonant part in the
// quartic term. The wall keeps its thickness where the radius changes.
class ZeisbergerMode final : public HollowMode {
public:
  // thickness in m, > 0; the wall's index above the core's. Throws Error(Fault::problem) for a thickness that is not.
  ZeisbergerMode(const ModeName& name, double thickness, Index wall);

private:
  [[nodiscard]] std::complex<double> index(double omega, double eps_core, double radius) const override;

  double thickness_;
  Index wall_;
};

// A core within a ring of thin-walled tubes: L. Vincetti, Opt. Express 24, 10313 (2016); L. Vincetti and L. Rosa, Opt.
// Express 27, 5230 (2019); L. Vincetti et al., 2021, on the effective radius. The fundamental mode alone. Empirical
// formulas for silica-like tubes, fitted for r_ext from 5 to 20 um, t/r_ext up to 0.1; the tubes stay as they are where
// the radius changes.
class VincettiMode final : public HollowMode {
public:
  struct Tubes {
    int number;        // N >= 3
    double radius;     // outer, r_ext, m
    double thickness;  // of their wall, t, m; less than the radius
  };
  // HE11 (x or y). `omega` is where the field's radius is taken. Throws Error(Fault::problem) for another mode, and for
  // tubes that are none.
  VincettiMode(const ModeName& name, const Tubes& tubes, Index wall, double omega);

  // The core's radius that a capillary with the same dispersion between resonances has, m.
  [[nodiscard]] double effective_radius(double omega, double radius) const;
  [[nodiscard]] double field_radius(double radius) const override { return effective_radius(omega_, radius); }

private:
  [[nodiscard]] std::complex<double> index(double omega, double eps_core, double radius) const override;

  Tubes tubes_;
  Index wall_;
  double omega_;
};

}  // namespace lumarch
