// SPDX-License-Identifier: Apache-2.0
// Derivatives of a propagation constant.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace lumarch {

// A propagation constant, 1/m of rad/s. One that is interpolated in a table is only as smooth as that: it names the
// table's ends, rad/s, and beyond them it is not looked at.
class Beta {
public:
  struct Table {
    double low, high;
  };
  template <class Function>
  requires(!std::is_same_v<std::remove_cvref_t<Function>, Beta> && std::is_invocable_r_v<double, Function, double>)
      Beta(Function function, std::optional<Table> table = std::nullopt)  // NOLINT: a function is a beta
      : value_(std::move(function)), table_(table) {}

  double operator()(double omega) const { return value_(omega); }
  [[nodiscard]] const std::optional<Table>& table() const { return table_; }

private:
  std::function<double(double omega)> value_;
  std::optional<Table> table_;
};

// beta and its first five derivatives at omega: element k in s^k/m. From Chebyshev polynomials on up to omega +- 25 %,
// narrower where beta is not smooth on that. Exact but for the rounding of beta: with a relative error of 1e-16 there,
// 1e-7 of beta2 and 1e-4 of beta5 of a capillary with gas, less of a glass. Throws Error(Fault::problem) where
// beta is not smooth within +-0.1 %: where it is not finite, or at a resonance. Of a table they are those of the series
// up to the roughness of its interpolation, on up to omega +- 12 % within the table: of one in steps of 1 nm about 1e-7
// of beta2 (fused silica at 800 nm).
[[nodiscard]] std::array<double, 6> beta_derivatives(const Beta& beta, double omega);

// The k-th alone, 0 to 5; k = 1 is the inverse group velocity, s/m.
[[nodiscard]] double beta_derivative(const Beta& beta, double omega, int k);

// c d beta/d omega.
[[nodiscard]] double group_index(const Beta& beta, double omega);

}  // namespace lumarch
