// SPDX-License-Identifier: Apache-2.0
#include "media/photon_sum.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

namespace lumarch {

namespace {

constexpr int kinds = highest_l + 1;

// phi_m by Taylor polynomials about nodes 1/8 apart up to x = 8. All coefficients follow from the first, as
// phi_0' = 1 - 2 x phi_0 and phi_m' = 2 x (m phi_(m-1) - phi_m).
constexpr int order = 10, nodes = 65;
constexpr double per_unit = 8, far = (nodes - 1) / per_unit;
using Polynomial = std::array<double, order + 1>;
using Tables = std::array<std::array<Polynomial, nodes>, kinds>;

// The power series of x^(2m+1) exp(-x^2) 1F1(...): every term is positive, so nothing cancels.
double phi_series(int m, double x) {
  double first = x;  // integral_0^x (x^2 - y^2)^m dy
  for (int j = 1; j <= m; ++j) first *= x * x * 2 * j / (2 * j + 1);
  double term = 1, sum = 1;
  for (int k = 0; term > 1e-18 * sum; ++k) {
    term *= (0.5 + k) / (m + 1.5 + k) * x * x / (k + 1);
    sum += term;
  }
  return first * std::exp(-x * x) * sum;
}

Tables make_tables() {
  Tables tables{};
  for (std::size_t m = 0; m < kinds; ++m) {
    for (std::size_t i = 0; i < nodes; ++i) {
      const double x = static_cast<double>(i) / per_unit, dm = static_cast<double>(m);
      Polynomial& a = tables[m][i];
      a[0] = phi_series(static_cast<int>(m), x);
      // source = what is multiplied by 2 x in the derivative
      const auto source = [&](std::size_t k) { return (m > 0 ? dm * tables[m - 1][i][k] : 0.0) - a[k]; };
      for (std::size_t k = 0; k < order; ++k) {
        const double slope = 2 * (x * source(k) + (k > 0 ? source(k - 1) : 0.0)) + (m == 0 && k == 0 ? 1 : 0);
        a[k + 1] = slope / static_cast<double>(k + 1);
      }
    }
  }
  return tables;
}

// For x > 8, where what it leaves out is below exp(-64).
double phi_far(int m, double x) {
  double first = 0.5 / x;
  for (int j = 1; j <= m; ++j) first *= j;
  double term = 1, sum = 1;
  for (int k = 0; k < 40 && term > 1e-17; ++k) {
    const double ratio = (m + 1.0 + k) * (0.5 + k) / ((k + 1) * x * x);
    if (ratio > 1) break;
    term *= ratio;
    sum += term;
  }
  return first * sum;
}

double phi_of(const Tables& tables, std::size_t m, double x) {
  if (!(x <= far)) return std::isnan(x) ? x : phi_far(static_cast<int>(m), x);
  const auto i = static_cast<std::size_t>(x * per_unit + 0.5);
  const double s = x - static_cast<double>(i) / per_unit;
  const Polynomial& a = tables[m][i];
  double value = a[order];
  for (std::size_t k = order; k-- > 0;) value = value * s + a[k];
  return value;
}

const Tables& phi_tables() {
  static const Tables tables = make_tables();
  return tables;
}

constexpr int taken = 24;          // terms that are summed one by one before Euler and Maclaurin's formula
constexpr double long_sum = 0.6;   // the alpha below which it is used: else exp(-alpha) ends the sum earlier
constexpr std::size_t slopes = 6;  // derivatives 0 to 5

// What follows the terms k < taken: the integral from t on, and the corrections of the end t = taken + delta.
void add_rest(PhotonSums& sums, std::size_t l, double alpha, double beta, double t) {
  const Tables& tables = phi_tables();
  using Gauss = boost::math::quadrature::gauss<double, 30>;
  const PhotonSums whole = photon_integrals(static_cast<int>(l), alpha, beta);
  PhotonSums head{};  // the integral from 0 to t, over u = sqrt(time): the integrand is then smooth at 0
  const double half = std::sqrt(t) / 2, root = std::sqrt(beta);
  for (std::size_t i = 0; i < Gauss::abscissa().size(); ++i) {
    for (const double side : {-1.0, 1.0}) {
      const double u = half * (1 + side * Gauss::abscissa()[i]);
      const double weight = Gauss::weights()[i] * half * 2 * u * std::exp(-alpha * u * u);
      for (std::size_t m = 0; m <= l; ++m) head[m] += weight * phi_of(tables, m, root * u);
    }
  }
  // Derivatives of g_m(X) = phi_m(sqrt(X)): g_0' = 1/(2 sqrt X) - g_0, g_m' = m g_(m-1) - g_m.
  const double X = beta * t, decay = std::exp(-alpha * t);
  std::array<double, slopes> before{}, g{};
  for (std::size_t m = 0; m <= l; ++m) {
    g[0] = phi_of(tables, m, std::sqrt(X));
    double inhomogeneous = 0.5 / std::sqrt(X);
    for (std::size_t k = 0; k + 1 < slopes; ++k) {
      g[k + 1] = (m > 0 ? static_cast<double>(m) * before[k] : inhomogeneous) - g[k];
      inhomogeneous *= -(static_cast<double>(k) + 0.5) / X;
    }
    before = g;
    const auto derivative = [&](std::size_t k) {  // of exp(-alpha t) g(beta t), by Leibniz
      double sum = 0, binomial = 1;
      for (std::size_t j = 0; j <= k; ++j) {
        sum += binomial * std::pow(-alpha, static_cast<double>(k - j)) * std::pow(beta, static_cast<double>(j)) * g[j];
        binomial *= static_cast<double>(k - j) / static_cast<double>(j + 1);
      }
      return decay * sum;
    };
    sums[m] +=
        whole[m] - head[m] + derivative(0) / 2 - derivative(1) / 12 + derivative(3) / 720 - derivative(5) / 30240;
  }
}

}  // namespace

double phi(int m, double x) { return phi_of(phi_tables(), static_cast<std::size_t>(m), x); }

PhotonSums photon_integrals(int l, double alpha, double beta) {
  PhotonSums result{};
  double value = std::sqrt(std::numbers::pi * beta / alpha) / 2 / (alpha + beta);
  for (int m = 0; m <= l; ++m) {
    result[static_cast<std::size_t>(m)] = value;
    value *= (m + 1) * beta / (alpha + beta);
  }
  return result;
}

PhotonSums photon_sums(int l, double alpha, double beta, double delta) {
  const Tables& tables = phi_tables();
  const auto top = static_cast<std::size_t>(l);
  PhotonSums sums{};
  const bool go_on = alpha < long_sum;
  // without the formula: to exp(-36), which is 2e-16, of the terms' common factor and 8 terms for their growth
  const int terms = go_on ? taken : static_cast<int>(36 / std::min(alpha, 36.0)) + 8;
  const double ratio = std::exp(-alpha);
  double decay = std::exp(-alpha * delta);
  for (int k = 0; k < terms; ++k, decay *= ratio) {
    const double x = std::sqrt(beta * (k + delta));
    for (std::size_t m = 0; m <= top; ++m) sums[m] += decay * phi_of(tables, m, x);
  }
  if (go_on) add_rest(sums, top, alpha, beta, taken + delta);
  return sums;
}

}  // namespace lumarch
