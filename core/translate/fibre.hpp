// SPDX-License-Identifier: Apache-2.0
// A fibre problem as tables of numbers for the kernels (docs/kernels.md; physics.md, 16: GNLSE). Rows are in FFT order.
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <lumarch/problem.hpp>

#include "translate/grid.hpp"

namespace lumarch {

using Complex = std::complex<double>;
template <class T>
using SharedRow = std::shared_ptr<const std::vector<T>>;  // the same pointer in two members: one row for both

struct FibreTables {
  Grid grid;
  SharedRow<Complex> D;             // 1/m: i (beta - beta0 - beta1 Omega) - alpha/2
  bool lossless = true;             // Re D = 0
  SharedRow<Complex> unitary;       // i Im D, under which noise evolves; NULL where D is that already, or without noise
  SharedRow<Complex> source;        // i gamma (omega/omega0) g/n, 1/(W m)
  SharedRow<double> pre;            // g of a frequency-dependent A_eff; NULL where it is 1
  SharedRow<Complex> raman;         // f_R conj(H)/n, n/2 + 1 of them; NULL without Raman
  double kerr = 0;                  // 1 - f_R, 1, or 0 without Kerr
  std::vector<PluginResponse> own;  // responses of plugins, in the order of the list
  std::size_t own_first = 0;        // so many of them stand in it before kerr and raman
  std::vector<std::string> warnings;
};

[[nodiscard]] FibreTables translate_fibre(const Problem& problem);

// beta_2, beta_3 about the reference, for people (check). beta_2 may be 0.
struct LocalDispersion {
  double beta2 = 0, beta3 = 0;
};
[[nodiscard]] LocalDispersion local_dispersion(const Problem& problem);
// beta(omega) - beta0 - beta1 (omega - omega0), 1/m.
[[nodiscard]] std::function<double(double)> relative_beta(const Problem& problem);
// gamma at the reference, 1/(W m).
[[nodiscard]] double nonlinear_coefficient(const Problem& problem);

}  // namespace lumarch
