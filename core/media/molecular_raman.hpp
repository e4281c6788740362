// SPDX-License-Identifier: Apache-2.0
// Delayed responses of gas molecules as sums of damped oscillations: of the bond's length (vibration) and of the
// molecules' alignment (rotation).
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "media/molecules.hpp"

namespace lumarch {

// One line of a response: h(t) = strength sin(omega t) exp(-t/tau) for t > 0, 0 before. The polarisation of molecules
// of density rho is P(t) = rho E(t) integral h(t') s(t - t') dt', s = E^2 of a real field.
struct RamanLine {
  double omega;     // rad/s
  double strength;  // K, C m^4/(V^3 s)
  double tau;       // dephasing time tau2, s
};

// The dephasing time tau2 in s at a density in amagat. Throws Error(Fault::problem) for a density that is not positive.
[[nodiscard]] double dephasing_time(const Dephasing& dephasing, double amagat);

// K = (4 pi eps0)^2 (dalpha/dQ)^2/(4 mu Omega). Derived from the oscillator driven by (1/2) dalpha/dQ E^2 the 4 would
// be a 2; with the tabled dalpha/dQ the 4 is a calibration to the measured gain of hydrogen, 2.42e-9 cm/W for 532 nm at
// 10 amagat. Throws as dephasing_time.
[[nodiscard]] RamanLine vibration_line(const Vibration& vibration, double amagat);

// Lines J -> J + 2 of a rotor with centrifugal stretching: E_J = h c (B J(J+1) - D (J(J+1))^2), p_J = g_J (2J + 1)
// exp(-E_J/(k T)) normalised over all levels,
//   K_J = (4 pi eps0)^2 (2/15) dalpha^2/hbar (J+1)(J+2)/(2J+3) (p_J/(2J+1) - p_(J+2)/(2J+5)).
// C. H. Lin, J. P. Heritage, T. K. Gustafson, R. Y. Chiao and J. P. McTague, Phys. Rev. A 13, 813 (1976). All levels
// with exp(-E_J/(k T)) above 1e-12 are taken, whatever their number: at room temperature 52 lines of nitrogen, 9 of
// hydrogen, whose E_J would fall again at J = 24 and below 0 at J = 34, and 116 of nitrous oxide. T in K, > 0; amagat
// > 0. Throws Error(Fault::problem) where they are not, and where E_J falls again below levels that are populated.
[[nodiscard]] std::vector<RamanLine> rotation_lines(const Rotation& rotation, double amagat,
                                                    double temperature = room_temperature);

// h at t in s: the sum over lines; 0 for t <= 0.
[[nodiscard]] double response(const std::vector<RamanLine>& lines, double t);

// H(Omega) = integral h(t) exp(+i Omega t) dt, Omega in rad/s; Im H > 0 at Omega > 0.
[[nodiscard]] std::complex<double> response_spectrum(const std::vector<RamanLine>& lines, double Omega);

// h(t_j) dt at t_j = j dt for j = 0..n-1, faded by a Planck taper over the last 30 % of n dt. For a convolution on a
// time grid of n points: pad this and the signal with n zeros each, and the first n points of the circular convolution
// of 2n are the causal one. dt in s, > 0. Throws Error(Fault::problem) where dt is not positive or too long for the
// fastest line (more than half a period), and for n = 0.
[[nodiscard]] std::vector<double> sampled_response(const std::vector<RamanLine>& lines, double dt, std::size_t n);

// Steady-state gain of a plane wave: dI_s/dz = g I_p I_s, both waves polarised alike, g in m/W:
//   g = omega_s rho Im H(omega_p - omega_s)/(n_p n_s eps0^2 c^2).
// It follows from s = E^2 with E = Re[A_p exp(-i omega_p t) + A_s exp(-i omega_s t)], whose slow part
// (1/2) A_p conj(A_s) exp(-i Omega t) makes P_s = rho conj(H) |A_p|^2 A_s/2, and dA_s/dz = i omega_s P_s/(2 n_s eps0
// c), I = n eps0 c |A|^2/2. density in 1/m^3, omega_stokes and Omega in rad/s, index2 = n_p n_s.
[[nodiscard]] double raman_gain(const std::vector<RamanLine>& lines, double density, double omega_stokes, double Omega,
                                double index2 = 1);

}  // namespace lumarch
