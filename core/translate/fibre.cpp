// SPDX-License-Identifier: Apache-2.0
#include "translate/fibre.hpp"

#include <cmath>
#include <cstdio>

#include "media/constants.hpp"
#include "media/raman.hpp"
#include "media/spline.hpp"
#include "translate/pulse_warnings.hpp"

namespace lumarch {

namespace {

template <class... Cases>
struct Visitor : Cases... {
  using Cases::operator()...;
};

double reference_omega(const Problem& problem) { return 2 * constants::pi * constants::c / problem.wavelength; }

// beta_2, beta_3 from D and its slope S at lambda.
std::vector<double> betas_of(const DispersionD& given, double lambda) {
  const double k = 2 * constants::pi * constants::c;
  return {-given.d * lambda * lambda / k, lambda * lambda * lambda / (k * k) * (lambda * given.slope + 2 * given.d)};
}

std::function<double(double)> series(std::vector<double> betas, double omega0) {
  return [betas = std::move(betas), omega0](double omega) {
    const double Omega = omega - omega0;
    double sum = 0;
    for (std::size_t i = betas.size(); i-- > 0;) sum = (sum + betas[i]) * Omega / static_cast<double>(i + 2);
    return sum * Omega;
  };
}

// beta as a spline less its tangent at omega0, so that the frame moves with the group at the reference.
std::function<double(double)> tabulated(const std::vector<double>& omega, std::vector<double> beta, double omega0) {
  const Spline spline(omega, std::move(beta));
  const double beta0 = spline(omega0), beta1 = spline.slope(omega0);
  return [=](double w) { return spline(w) - beta0 - beta1 * (w - omega0); };
}

const Curve* dispersion_curve(const Dispersion& dispersion) {
  if (const auto* index = std::get_if<IndexCurve>(&dispersion)) return &index->index;
  if (const auto* beta = std::get_if<PropagationCurve>(&dispersion)) return &beta->beta;
  return nullptr;
}

// Said once a table: where the grid goes beyond it.
void warn_outside(const Curve& curve, const char* what, const char* how, const Grid& grid, FibreTables& tables) {
  const double low = grid.omega(grid.rising(0)), high = grid.omega(grid.rising(grid.n - 1));
  if (low >= curve.x.front() && high <= curve.x.back()) return;
  const auto nm = [](double omega) { return 2 * constants::pi * constants::c / omega * 1e9; };
  char text[400];
  std::snprintf(text, sizeof(text), "%s is known from %.5g to %.5g nm only (%s); beyond it goes on %s", what,
                nm(curve.x.back()), nm(curve.x.front()), curve.file.c_str(), how);
  tables.warnings.emplace_back(text);
}

}  // namespace

std::function<double(double)> relative_beta(const Problem& problem) {
  const double omega0 = reference_omega(problem);
  return std::visit(Visitor{
                        [&](const BetaSeries& s) { return series(s.betas, omega0); },
                        [&](const DispersionD& d) { return series(betas_of(d, problem.wavelength), omega0); },
                        [&](const IndexCurve& i) {
                          std::vector<double> beta(i.index.x.size());
                          for (std::size_t k = 0; k < beta.size(); ++k)
                            beta[k] = i.index.y[k] * i.index.x[k] / constants::c;
                          return tabulated(i.index.x, std::move(beta), omega0);
                        },
                        [&](const PropagationCurve& p) { return tabulated(p.beta.x, p.beta.y, omega0); },
                    },
                    problem.medium.dispersion);
}

LocalDispersion local_dispersion(const Problem& problem) {
  std::vector<double> betas;
  if (const auto* s = std::get_if<BetaSeries>(&problem.medium.dispersion))
    betas = s->betas;
  else if (const auto* d = std::get_if<DispersionD>(&problem.medium.dispersion))
    betas = betas_of(*d, problem.wavelength);
  else {
    // central differences over 0.5 % of the frequency: a table carries no more
    const auto beta = relative_beta(problem);
    const double w = reference_omega(problem), step = 5e-3 * w;
    betas = {
        (beta(w + step) - 2 * beta(w) + beta(w - step)) / (step * step),
        (beta(w + 2 * step) - 2 * beta(w + step) + 2 * beta(w - step) - beta(w - 2 * step)) / (2 * step * step * step)};
  }
  betas.resize(2, 0.0);
  return {betas[0], betas[1]};
}

double nonlinear_coefficient(const Problem& problem) {
  const Fibre& fibre = problem.medium;
  if (fibre.gamma) return *fibre.gamma;
  if (!fibre.n2) return 0;  // a linear problem says neither
  const double omega0 = reference_omega(problem);
  const double area = fibre.effective_area
                          ? *fibre.effective_area
                          : Spline(fibre.effective_area_curve->x, fibre.effective_area_curve->y)(omega0);
  return *fibre.n2 * omega0 / (constants::c * area);
}

FibreTables translate_fibre(const Problem& problem) {
  FibreTables tables;
  tables.grid = Grid(problem);
  const Grid& grid = tables.grid;
  const auto n = static_cast<std::size_t>(grid.n);
  const Fibre& fibre = problem.medium;

  const auto beta = relative_beta(problem);
  if (const Curve* curve = dispersion_curve(fibre.dispersion))
    warn_outside(*curve, "the dispersion", "without group-velocity dispersion", grid, tables);
  std::optional<Spline> loss, area;
  if (fibre.loss_curve) {
    loss.emplace(fibre.loss_curve->x, fibre.loss_curve->y);
    warn_outside(*fibre.loss_curve, "the loss", "with its last value", grid, tables);
  }
  if (fibre.effective_area_curve) {
    area.emplace(fibre.effective_area_curve->x, fibre.effective_area_curve->y);
    warn_outside(*fibre.effective_area_curve, "the effective area", "with its last value", grid, tables);
  }
  const auto held = [](const Spline& s, double x) { return s(std::min(std::max(x, s.first()), s.last())); };

  bool kerr = false, shock = false;
  const Raman* raman = nullptr;
  for (const Response& response : problem.responses) {
    kerr = kerr || std::holds_alternative<Kerr>(response);
    shock = shock || std::holds_alternative<SelfSteepening>(response);
    if (const auto* r = std::get_if<Raman>(&response)) raman = r;
    if (const auto* own = std::get_if<PluginResponse>(&response)) {
      tables.own.push_back(*own);
      if (!kerr && !raman) ++tables.own_first;
    }
  }
  const double fraction = raman ? raman->fraction.value_or(raman_fraction(raman->model)) : 0;
  tables.kerr = kerr ? 1 - fraction : 0;

  std::vector<Complex> D(n), source(n);
  std::vector<double> pre(area ? n : 0);
  const double gamma = nonlinear_coefficient(problem);
  for (std::size_t k = 0; k < n; ++k) {
    const double omega = grid.omega(static_cast<std::int64_t>(k));
    const double alpha = loss ? std::max(0.0, held(*loss, omega)) : fibre.loss;
    D[k] = Complex(-alpha / 2, beta(omega));
    if (alpha != 0) tables.lossless = false;
    const double g = area ? std::pow(held(*area, grid.omega0) / held(*area, omega), 0.25) : 1;
    if (area) pre[k] = g;
    source[k] = Complex(0, gamma * (shock ? omega / grid.omega0 : 1) * g / static_cast<double>(n));
  }
  if (!tables.lossless && problem.noise && problem.noise->enters == Noise::Enters::nonlinear) {
    std::vector<Complex> unitary(n);
    for (std::size_t k = 0; k < n; ++k) unitary[k] = Complex(0, D[k].imag());
    tables.unitary = std::make_shared<const std::vector<Complex>>(std::move(unitary));
  }
  tables.D = std::make_shared<const std::vector<Complex>>(std::move(D));
  tables.source = std::make_shared<const std::vector<Complex>>(std::move(source));
  if (area) tables.pre = std::make_shared<const std::vector<double>>(std::move(pre));
  if (raman && fraction != 0) {
    std::vector<Complex> H(n / 2 + 1);
    for (std::size_t k = 0; k < H.size(); ++k)
      H[k] = fraction * std::conj(raman_response(raman->model, static_cast<double>(k) * grid.domega)) /
             static_cast<double>(n);
    tables.raman = std::make_shared<const std::vector<Complex>>(std::move(H));
  }
  const double reach = constants::pi / grid.dt;
  const auto of_pulses = pulse_warnings(problem, grid.window, grid.omega0 - reach, grid.omega0 + reach);
  tables.warnings.insert(tables.warnings.end(), of_pulses.begin(), of_pulses.end());
  return tables;
}

}  // namespace lumarch
