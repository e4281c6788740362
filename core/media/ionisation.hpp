// SPDX-License-Identifier: Apache-2.0
// Rates of ionisation of atoms by a strong field, and their tables for the march. A rate is in 1/s for each atom, the
// field E in V/m; its sign does not matter.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace lumarch {

// The field at which the barrier is gone and both formulas end: Z^3/(16 n*^4) = I_p^2/(4 Z) in atomic units; V/m.
// potential: I_p in J, > 0; charge: Z of the ion that is left, in units of e, > 0.
[[nodiscard]] double barrier_suppression_field(double potential, double charge);

// Ammosov, Delone and Krainov: tunnelling out of an s state. M. V. Ammosov, N. B. Delone and V. P. Krainov, Sov. Phys.
// JETP 64, 1191 (1986), with n* = sqrt(I_H/I_p), I_H half a hartree:
//   W = w_p C^2 (4 w_p/w_t)^(2 n* - 1) exp(-4 w_p/(3 w_t)), w_p = I_p/hbar, w_t = e E/sqrt(2 m I_p),
//   C^2 = 2^(2 n*)/(n* Gamma(n* + 1) Gamma(n*)).
// cycle_average: over a cycle whose peak is E, W sqrt(3 E/(pi F0)), F0 = (2 I_p)^(3/2) in atomic units; for fields that
// are envelopes. It is the first term of an expansion in E/F0, 5 % right below half the barrier-suppression field.
class Adk {
public:
  // potential: I_p in J. Throws Error(Fault::problem) where it is not positive and finite.
  explicit Adk(double potential, bool cycle_average = false);
  [[nodiscard]] double log_rate(double field) const;  // ln(W s); -infinity at E = 0
  [[nodiscard]] double rate(double field) const;      // 0 where W is below the smallest normal double
  [[nodiscard]] double barrier_field() const { return barrier_; }

private:
  double barrier_, constant_, power_, slope_;  // ln W = constant + power ln E - slope/E
};

// What the PPT rate needs to know of an atom.
struct AtomicShell {
  struct Polarisability {  // static, C m^2/V
    double neutral, ion;
  };
  double potential;      // I_p, J
  int l = 0;             // angular momentum of the electron that leaves, 0..3
  double charge = 1;     // Z, in units of e
  double occupancy = 2;  // electrons for each m
  std::optional<Polarisability> polarisability{};
};

struct PptSettings {
  enum class Sum {
    channels,  // over the photon numbers: a square-root cusp where a channel closes
    integral,  // an integral in its place: smooth, right on average over the closings
  };
  double wavelength;               // m, of the field's carrier
  bool stark_shift = false;        // I_p + (alpha_neutral - alpha_ion) E^2/2 in place of I_p; needs the polarisability
  bool dipole_correction = false;  // a factor exp(-2 alpha_ion E), in atomic units; needs the polarisability
  bool cycle_average = false;      // over a cycle whose peak is E, for envelopes; without it W at the instant
  Sum sum = Sum::channels;
};

// Perelomov, Popov and Terent'ev: from multiphoton ionisation to tunnelling, for linear polarisation. In the form of L.
// Berge et al., Rep. Prog. Phys. 70, 1633 (2007), appendix A, after F. A. Ilkov, J. E. Decker and S. L. Chin, J. Phys.
// B 25, 4005 (1992), with C^2 = 2^(2 n*)/(n* Gamma(2 n*)), n* = Z/sqrt(2 I_p). In atomic units, gamma Keldysh's
// parameter, v = (I_p + E^2/(4 omega^2))/omega, f_lm = (2l + 1)(l + |m|)!/(2^|m| |m|! (l - |m|)!):
//   W = sum over m of occupancy (4 sqrt 2/pi) C^2 (2 F0/(E sqrt(1 + gamma^2)))^(2 n* - |m| - 3/2) f_lm/|m|!
//       exp(-2 v (asinh gamma - gamma sqrt(1 + gamma^2)/(1 + 2 gamma^2))) I_p gamma^2/(1 + gamma^2) S_m,
// S_m of photon_sum.hpp with alpha = 2 (asinh gamma - gamma/sqrt(1 + gamma^2)), beta = 2 gamma/sqrt(1 + gamma^2). This
// is the average over a cycle; at an instant it is sqrt(pi F0/(3 E)) larger.
class Ppt {
public:
  // Throws Error(Fault::problem) where a value is out of its range, or a setting needs a polarisability that is not
  // there.
  Ppt(const AtomicShell& shell, const PptSettings& settings);
  [[nodiscard]] double log_rate(double field) const;  // ln(W s); -infinity at E = 0
  [[nodiscard]] double rate(double field) const;      // 0 where W is below the smallest normal double
  [[nodiscard]] double barrier_field() const { return barrier_; }

private:
  double barrier_, potential_, omega_;  // the last two in atomic units
  int l_;
  double charge_, occupancy_;
  double stark_ = 0, ion_ = 0;  // alpha_neutral - alpha_ion and alpha_ion where they act, atomic units
  bool cycle_average_, channels_;
};

// Keldysh's parameter omega sqrt(2 m I_p)/(e E): below 1 the electron tunnels, above 1 it absorbs photons. omega in
// rad/s, potential in J, field in V/m, all > 0.
[[nodiscard]] double keldysh_parameter(double omega, double potential, double field);

// ln W at fields field_min + i step, and the second derivatives of its natural cubic spline where the distance of two
// nodes is 1: at field_min + (i + f) step
//   ln W = (1 - f) y_i + f y_(i+1) + ((1 - f)^3 - (1 - f)) s_i/6 + (f^3 - f) s_(i+1)/6.
struct RateTable {
  double field_min, field_max, step;  // V/m
  std::vector<double> log_rate, second;
};

// From 2 barrier/5000 to 2 barrier on `points` fields. barrier: V/m, > 0; points >= 4. Throws Error(Fault::problem)
// where these are out of range or ln W is not finite somewhere.
//
// How far the table is from the formula, measured (tests/core/rates holds it to this). ADK, and PPT with Sum::integral:
// 3e-8 relative wherever W > 1e-290/s, but for the first 32 nodes, which stand too far apart for E^(2n): up to 2e-2
// there, where a rate is 1e-40 of the last one and less. PPT with Sum::channels: ln W has a cusp where a channel
// closes, W falling as a square root of the distance just before it. At 800 nm the table is up to 0.3 off within a node
// of it (where W matters 0.04), 1e-3 at four nodes, 1e-6 at sixteen, and 2e-6 on the mean over all fields. Beyond 3 um
// the closings lie so close that most nodes are near one: take Sum::integral there.
[[nodiscard]] RateTable tabulate(const std::function<double(double)>& log_rate, double barrier,
                                 std::size_t points = std::size_t{1} << 16);

// W out of the table, 1/s: 0 below field_min, the last value above field_max (who marches counts that), NaN for NaN.
[[nodiscard]] double rate(const RateTable& table, double field);

}  // namespace lumarch
