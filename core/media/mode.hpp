// SPDX-License-Identifier: Apache-2.0
// Modes of guides. A mode is a name, an index as a function of frequency, core and radius, and a transverse shape that
// depends on none of these.
#pragma once

#include <array>
#include <complex>
#include <functional>
#include <string>
#include <string_view>

namespace lumarch {

// "HE11", "EH11", "TE01", "TM01", with a suffix for the polarisation of HE and EH: "HE11x", "HE12y"; y without one. The
// first digit is the azimuthal number n, the rest the radial number m, from 1: "HE112" is HE_1,12. In hollow guides the
// field of HE_nm goes as J_(n-1), of EH_nm as J_(n+1), of TE_0m and TM_0m as J_1. The two polarisations differ by a
// turn of the whole mode by a quarter of its period in angle; HE_1m is polarised along the axis of its suffix.
struct ModeName {
  enum class Family { HE, EH, TE, TM };
  enum class Axis { x, y };
  Family family = Family::HE;
  int n = 1, m = 1;
  Axis axis = Axis::y;  // HE and EH

  [[nodiscard]] bool operator==(const ModeName&) const = default;
};

// Throws Error(Fault::problem) that quotes a text that is none.
[[nodiscard]] ModeName parse_mode(std::string_view text);
[[nodiscard]] std::string text(const ModeName& mode);  // the shortest that parses to it

// The order q of the Bessel function of its field: n - 1, n + 1 or 1.
[[nodiscard]] int azimuthal_order(const ModeName& mode);

// The unit vector (x, y) of its field at an angle; HE: (sin(q theta), cos(q theta)) in the y orientation.
[[nodiscard]] std::array<double, 2> field_direction(const ModeName& mode, double theta);

// The m-th positive zero of J_q: the u_nm of hollow guides.
[[nodiscard]] double bessel_zero(const ModeName& mode);

using Permittivity = std::function<std::complex<double>(double omega)>;

class GuideMode {
public:
  virtual ~GuideMode() = default;

  // n + i k at omega in rad/s; eps_core the core's permittivity there, radius the core's in m (half width along x of a
  // rectangle). Field goes as exp(i omega n_eff z/c). The real part is at least 1e-3, the imaginary part
  // at least 0; where the model gives no number, 1e-3 and the largest loss.
  [[nodiscard]] std::complex<double> n_eff(double omega, double eps_core, double radius) const;

  // Propagation constant, 1/m, and loss of power, 1/m, held within [0, 3000] (13 dB/mm).
  [[nodiscard]] double beta(double omega, double eps_core, double radius) const;
  [[nodiscard]] double alpha(double omega, double eps_core, double radius) const;

  // (e_x, e_y) times the field radius, in V/sqrt(W), at (r over the field radius, angle from x) or, of a rectangle, at
  // (x/a, y/b) times a; such that (n c eps0/2) integral |e|^2 dS = 1 with n = 1. 0 on and outside of the wall.
  [[nodiscard]] virtual std::array<double, 2> shape(double first, double second) const = 0;

  // The radius that `shape` is in units of, m: the core's, but for guides whose mode reaches further.
  [[nodiscard]] virtual double field_radius(double radius) const { return radius; }

  // (integral |e|^2 dS)^2/integral |e|^4 dS over the square of the field radius.
  [[nodiscard]] virtual double relative_area() const = 0;

protected:
  GuideMode() = default;
  GuideMode(const GuideMode&) = default;
  GuideMode& operator=(const GuideMode&) = default;

private:
  [[nodiscard]] virtual std::complex<double> index(double omega, double eps_core, double radius) const = 0;
};

// The effective area in m^2.
[[nodiscard]] double effective_area(const GuideMode& mode, double radius);

// The shapes of round hollow guides: J_q(u r/a) times a unit vector that turns with the angle.
class HollowMode : public GuideMode {
public:
  explicit HollowMode(const ModeName& name);

  [[nodiscard]] std::array<double, 2> shape(double r_over_a, double theta) const override;
  [[nodiscard]] double relative_area() const override { return area_; }
  [[nodiscard]] const ModeName& name() const { return name_; }

protected:
  [[nodiscard]] double u() const { return u_; }

private:
  ModeName name_;
  int order_;
  double u_, scale_, area_;
};

}  // namespace lumarch
