// SPDX-License-Identifier: Apache-2.0
// The linear operator (physics.md, 3 and 5), and its integral along z where the medium changes.
//
// Where pressure or radius change, L(omega; p, a) is taken at a few Chebyshev points of each and interpolated between:
// L is smooth in both, so that a handful of points is exact to rounding of a phase. What is left to integrate along z
// are the interpolation's own polynomials, which Gauss' rule does exactly: p^2 and a are linear in z.
#include <algorithm>
#include <cmath>

#include <lumarch/error.hpp>

#include "media/constants.hpp"
#include "media/dispersion.hpp"
#include "media/quadrature.hpp"
#include "translate/uppe.hpp"

namespace lumarch {

namespace {

using Complex = std::complex<double>;

// Chebyshev points of the second kind on [low, high], and Lagrange's polynomials through them.
class Points {
public:
  Points(double low, double high, std::size_t n) {
    if (n == 1 || low == high) {
      x_ = {(low + high) / 2};
      return;
    }
    for (std::size_t i = 0; i < n; ++i)
      x_.push_back((low + high) / 2 -
                   (high - low) / 2 * std::cos(constants::pi * static_cast<double>(i) / static_cast<double>(n - 1)));
  }
  [[nodiscard]] std::size_t size() const { return x_.size(); }
  [[nodiscard]] double operator[](std::size_t i) const { return x_[i]; }
  [[nodiscard]] double polynomial(std::size_t i, double x) const {
    double product = 1;
    for (std::size_t j = 0; j < x_.size(); ++j)
      if (j != i) product *= (x - x_[j]) / (x_[i] - x_[j]);
    return product;
  }

private:
  std::vector<double> x_;
};

// L at one place of the medium, for every node and frequency.
class OperatorAt {
public:
  OperatorAt(const Problem& problem, const UppeTables& tables, Conditions conditions)
      : tables_(tables), conditions_(std::move(conditions)), ell_(absorption_length(problem)) {
    const Optics& optics = *tables.optics;
    const double omega0 = tables.grid.omega0;
    const Beta beta = optics.dispersion(conditions_);
    beta1_ = beta_derivative(beta, omega0, 1);
    // with the carrier's own phase in the response (a real field, or third harmonics) the frame has group velocity
    // alone
    bool absolute = tables.grid.half();
    for (const UppeResponse& response : tables.responses)
      if (const auto* kerr = std::get_if<lm_p_kerr>(&response.params))
        absolute = absolute || kerr->flags & LM_RESPONSE_THIRD_HARMONIC || response.kernel == "response.chi2";
    frame_ = absolute ? 0 : beta(omega0) - beta1_ * omega0;
  }

  [[nodiscard]] Complex guided(std::size_t mode, double omega) const {
    const Complex k = tables_.optics->wave_number(mode, omega, conditions_);
    return {-k.imag(), k.real() - frame(omega)};
  }
  [[nodiscard]] WaveSurface surface(int component, double omega) const {
    return tables_.optics->surface(component, omega, conditions_);
  }
  [[nodiscard]] Complex free(const WaveSurface& surface, double omega, double kx, double ky) const {
    const WaveSurface::Roots roots = surface.at(kx, ky);
    if (!(roots.square > 0)) return {-std::min(roots.size, most_decay / ell_), roots.shift - frame(omega)};
    const Complex k = surface.k_z(kx, ky);
    return {-k.imag(), k.real() - frame(omega)};
  }

private:
  [[nodiscard]] double frame(double omega) const { return frame_ + beta1_ * omega; }
  const UppeTables& tables_;
  const Conditions conditions_;
  double ell_, beta1_ = 0, frame_ = 0;
};

// An absorber as a loss of the operator, 1/m of the amplitude.
double rate(bool wanted, double weight, double ell) { return wanted ? -std::log(absorbed(weight, ell, ell)) / ell : 0; }

std::vector<Complex> operator_rows(const Problem& problem, const UppeTables& tables, const Conditions& conditions) {
  const OperatorAt at(problem, tables, conditions);
  const BandGrid& grid = tables.grid;
  const Boundary& boundary = problem.uppe->boundary;
  const double ell = absorption_length(problem);
  std::vector<double> losses;  // of k, a node
  for (std::int64_t y = 0; tables.transverse && y < tables.outer; ++y)
    for (std::int64_t x = 0; x < tables.inner; ++x)
      losses.push_back(rate(boundary.space, k_window(*tables.transverse, y, x), ell));
  const auto plane = static_cast<std::size_t>(tables.outer * tables.inner * grid.samples);
  std::vector<Complex> D(static_cast<std::size_t>(tables.own_components) * plane);
  for (std::int64_t k = 0; k < grid.samples; ++k) {
    const double omega = grid.omega(k), weight = grid.weight[static_cast<std::size_t>(k)];
    if (weight == 0) continue;
    const double loss = rate(boundary.band, weight, ell);
    if (tables.optics->guided()) {
      for (std::int64_t j = 0; j < tables.inner; ++j)
        D[tables.at(0, j, k)] = at.guided(static_cast<std::size_t>(j), omega) - loss;
      continue;
    }
    const Transverse& nodes = *tables.transverse;
    for (std::int64_t component = 0; component < tables.own_components; ++component) {
      const WaveSurface surface = at.surface(static_cast<int>(component), omega);
      Complex* const own = D.data() + static_cast<std::size_t>(component) * plane;
      for (std::int64_t y = 0; y < tables.outer; ++y)
        for (std::int64_t x = 0; x < tables.inner; ++x)
          own[tables.at(y, x, k)] = at.free(surface, omega, nodes.kx(x), nodes.ky(y)) - loss -
                                    losses[static_cast<std::size_t>(y * tables.inner + x)];
    }
  }
  return D;
}

// How far an interpolation through these points is from L itself, in rad over the whole length.
double interpolation_error(const Problem& problem, const UppeTables& tables, const Points& pressures,
                           const Points& radii, const Conditions& middle) {
  const Optics& optics = *tables.optics;
  std::vector<double> probes;
  const std::int64_t step = std::max<std::int64_t>(1, tables.grid.samples / 24);
  for (std::int64_t k = 0; k < tables.grid.samples; k += step)
    if (tables.grid.weight[static_cast<std::size_t>(k)] > 0) probes.push_back(tables.grid.omega(k));
  const std::size_t last = optics.guided() ? optics.modes().size() - 1 : 0;
  const auto value = [&](const OperatorAt& at, double omega) {
    return optics.guided() ? at.guided(last, omega) : at.free(at.surface(0, omega), omega, 0, 0);
  };
  std::vector<OperatorAt> nodes;
  for (std::size_t i = 0; i < pressures.size(); ++i)
    for (std::size_t j = 0; j < radii.size(); ++j)
      nodes.emplace_back(problem, tables, optics.with(pressures[i], radii[j]));
  const OperatorAt here(problem, tables, middle);
  double worst = 0;
  for (const double omega : probes) {
    Complex sum = 0;
    for (std::size_t i = 0; i < pressures.size(); ++i)
      for (std::size_t j = 0; j < radii.size(); ++j)
        sum += pressures.polynomial(i, middle.pressure) * radii.polynomial(j, middle.radius) *
               value(nodes[i * radii.size() + j], omega);
    worst = std::max(worst, std::abs(sum - value(here, omega)));
  }
  return worst * problem.medium.length;
}

struct Extremes {
  double low, high;
};
Extremes extremes(const Profile& profile) {
  if (profile.value.empty()) return {0, 0};
  const auto [low, high] = std::minmax_element(profile.value.begin(), profile.value.end());
  return {*low, *high};
}

// Integrals of the products of Lagrange's polynomials from one place to another, section by section.
std::function<void(double, double, double*)> integrals(std::shared_ptr<const Optics> optics, Points pressures,
                                                       Points radii) {
  return [optics = std::move(optics), pressures = std::move(pressures), radii = std::move(radii),
          rule = gauss_legendre(16)](double from, double to, double* weights) {
    std::fill_n(weights, pressures.size() * radii.size(), 0.0);
    const auto& corners = optics->corners();
    for (std::size_t s = 0; s + 1 < corners.size(); ++s) {
      // the last section goes on beyond the medium: a step's last place may lie there by a rounding
      const double a = s == 0 ? from : std::max(from, corners[s]);
      const double b = s + 2 == corners.size() ? to : std::min(to, corners[s + 1]);
      if (!(b > a)) continue;
      const double pa = optics->pressure_at(a), pb = optics->pressure_at(b);
      for (std::size_t q = 0; q < rule.node.size(); ++q) {
        // z is quadratic in p where p^2 is linear in z: with p as the variable the integrand is a polynomial
        double z = a + (b - a) * rule.node[q], dz = (b - a) * rule.weight[q], p = pa;
        if (pa != pb) {
          p = pa + (pb - pa) * rule.node[q];
          z = a + (b - a) * (p * p - pa * pa) / (pb * pb - pa * pa);
          dz = (b - a) * 2 * p * rule.weight[q] / (pa + pb);
        }
        const double radius = optics->radius_at(z);
        for (std::size_t i = 0; i < pressures.size(); ++i)
          for (std::size_t j = 0; j < radii.size(); ++j)
            weights[i * radii.size() + j] += dz * pressures.polynomial(i, p) * radii.polynomial(j, radius);
      }
    }
  };
}

}  // namespace

void translate_operator(const Problem& problem, UppeTables& tables) {
  const Optics& optics = *tables.optics;
  UppeOperator& op = tables.op;
  op.uniform = optics.uniform();
  if (op.uniform) {
    op.D.push_back(operator_rows(problem, tables, optics.at(0)));
    op.weights = [](double from, double to, double* weights) { *weights = to - from; };
  } else {
    constexpr double precise = 1e-7;  // rad
    constexpr std::size_t most = 8;
    const Extremes p = extremes(optics.pressure()), a = extremes(optics.radius());
    std::size_t np = p.low == p.high ? 1 : 3, na = a.low == a.high ? 1 : 3;
    const auto off = [](Extremes e) { return e.low + 0.29 * (e.high - e.low); };
    const double still_p = off(p), still_a = off(a);
    while (np > 1 && np < most &&
           interpolation_error(problem, tables, Points(p.low, p.high, np), Points(still_a, still_a, 1),
                               optics.with(still_p, still_a)) > precise)
      ++np;
    while (na > 1 && na < most &&
           interpolation_error(problem, tables, Points(still_p, still_p, 1), Points(a.low, a.high, na),
                               optics.with(still_p, still_a)) > precise)
      ++na;
    const Points pressures(p.low, p.high, np), radii(a.low, a.high, na);
    for (std::size_t i = 0; i < pressures.size(); ++i)
      for (std::size_t j = 0; j < radii.size(); ++j)
        op.D.push_back(operator_rows(problem, tables, optics.with(pressures[i], radii[j])));
    op.weights = integrals(tables.optics, pressures, radii);
  }
  for (const auto& D : op.D)
    op.lossy = op.lossy || std::any_of(D.begin(), D.end(), [](Complex d) { return d.real() != 0; });
}

}  // namespace lumarch
