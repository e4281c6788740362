// SPDX-License-Identifier: Apache-2.0
#include "media/ionisation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

#include <lumarch/error.hpp>

#include "media/constants.hpp"
#include "media/photon_sum.hpp"

namespace lumarch {

namespace {

using constants::pi;

constexpr double field_au = 5.14220674763e11;                     // V/m
constexpr double time_au = constants::hbar / constants::hartree;  // s

constexpr double smallest = -708;  // ln of the smallest normal double, rounded up: rates below it are 0

double exp_or_zero(double log_rate) { return log_rate < smallest ? 0 : std::exp(log_rate); }

void require(bool good, const char* what, double value, const char* remedy) {
  if (good) return;
  std::ostringstream text;
  text << "ionisation: " << what << " is " << value << "; " << remedy;
  throw Error(Fault::problem, text.str());
}

bool positive(double x) { return x > 0 && std::isfinite(x); }

void check_potential(double potential) {
  require(positive(potential), "the ionisation potential", potential, "give one above 0 J");
}

}  // namespace

double barrier_suppression_field(double potential, double charge) {
  check_potential(potential);
  require(positive(charge), "the effective charge", charge, "give one above 0");
  const double Ip = potential / constants::hartree;
  return Ip * Ip / (4 * charge) * field_au;
}

double keldysh_parameter(double omega, double potential, double field) {
  return omega * std::sqrt(2 * constants::m_e * potential) / (constants::e * field);
}

Adk::Adk(double potential, bool cycle_average) : barrier_(barrier_suppression_field(potential, 1)) {
  const double n = std::sqrt(0.5 * constants::hartree / potential);
  const double omega_p = potential / constants::hbar;
  // 4 omega_p/omega_t times the field
  const double ratio = 4 * omega_p * std::sqrt(2 * constants::m_e * potential) / constants::e;
  const double log_c2 = 2 * n * std::log(2.0) - std::log(n * std::tgamma(n + 1) * std::tgamma(n));
  constant_ = std::log(omega_p) + log_c2 + (2 * n - 1) * std::log(ratio);
  power_ = 1 - 2 * n;
  slope_ = ratio / 3;
  if (cycle_average) {
    const double F0 = std::pow(2 * potential / constants::hartree, 1.5) * field_au;
    constant_ += 0.5 * std::log(3 / (pi * F0));
    power_ += 0.5;
  }
}

double Adk::log_rate(double field) const {
  const double E = std::abs(field);
  if (E == 0) return -std::numeric_limits<double>::infinity();
  return constant_ + power_ * std::log(E) - slope_ / E;
}

double Adk::rate(double field) const { return exp_or_zero(log_rate(field)); }

Ppt::Ppt(const AtomicShell& shell, const PptSettings& settings)
    : barrier_(barrier_suppression_field(shell.potential, shell.charge)),
      potential_(shell.potential / constants::hartree),
      omega_(2 * pi * constants::c / settings.wavelength * time_au),
      l_(shell.l),
      charge_(shell.charge),
      occupancy_(shell.occupancy),
      cycle_average_(settings.cycle_average),
      channels_(settings.sum == PptSettings::Sum::channels) {
  require(positive(settings.wavelength), "the wavelength", settings.wavelength, "give one above 0 m");
  require(l_ >= 0 && l_ <= highest_l, "the angular momentum l", l_, "give 0 (s), 1 (p), 2 (d) or 3 (f)");
  require(positive(occupancy_), "the number of electrons for each m", occupancy_, "give one above 0");
  if (!settings.stark_shift && !settings.dipole_correction) return;
  if (!shell.polarisability)
    throw Error(
        Fault::problem,
        "ionisation: the Stark shift and the dipole correction need the polarisabilities of atom and ion, which are "
        "not known here; switch both off");
  const double neutral = shell.polarisability->neutral / constants::polarisability_au;
  const double ion = shell.polarisability->ion / constants::polarisability_au;
  require(positive(ion), "the polarisability of the ion", shell.polarisability->ion, "give one above 0 C m^2/V");
  require(std::isfinite(neutral) && neutral >= ion, "the polarisability of the atom", shell.polarisability->neutral,
          "give one not below the ion's, C m^2/V");
  if (settings.stark_shift) stark_ = neutral - ion;
  if (settings.dipole_correction) ion_ = ion;
}

double Ppt::log_rate(double field) const {
  const double E = std::abs(field) / field_au;
  if (E == 0) return -std::numeric_limits<double>::infinity();
  const double Ip = potential_ + stark_ * E * E / 2, kappa = std::sqrt(2 * Ip), F0 = kappa * kappa * kappa;
  const double n = charge_ / kappa;
  const double gamma = omega_ * kappa / E, g2 = gamma * gamma, root = std::sqrt(1 + g2), as = std::asinh(gamma);
  const double v = (Ip + E * E / (4 * omega_ * omega_)) / omega_;
  const double alpha = 2 * (as - gamma / root), beta = 2 * gamma / root;
  const PhotonSums S = channels_ ? photon_sums(l_, alpha, beta, std::ceil(v) - v) : photon_integrals(l_, alpha, beta);

  const double base = 2 * F0 / (E * root);
  double sum = 0;              // over m, both signs
  double factor = 2 * l_ + 1;  // f_lm/|m|! of base^-|m|, from m to m + 1: (l + m + 1)(l - m)/(2 (m + 1)^2)
  for (int m = 0; m <= l_; ++m) {
    sum += (m == 0 ? 1 : 2) * factor * S[static_cast<std::size_t>(m)];
    factor *= (l_ + m + 1) * (l_ - m) / (2.0 * (m + 1) * (m + 1)) / base;
  }
  const double log_c2 = 2 * n * std::log(2.0) - std::log(n * std::tgamma(2 * n));
  double log_w = std::log(occupancy_ * 4 * std::numbers::sqrt2 / pi * Ip * g2 / (1 + g2) * sum) + log_c2 +
                 (2 * n - 1.5) * std::log(base) - 2 * v * (as - gamma * root / (1 + 2 * g2)) - 2 * ion_ * E;
  if (!cycle_average_) log_w += 0.5 * std::log(pi * F0 / (3 * E));
  return log_w - std::log(time_au);
}

double Ppt::rate(double field) const { return exp_or_zero(log_rate(field)); }

RateTable tabulate(const std::function<double(double)>& log_rate, double barrier, std::size_t points) {
  require(positive(barrier), "the barrier-suppression field", barrier, "give one above 0 V/m");
  require(points >= 4, "the number of fields of a table", static_cast<double>(points), "give 4 or more");
  RateTable table{2 * barrier / 5000, 2 * barrier, 0, std::vector<double>(points), std::vector<double>(points, 0.0)};
  table.step = (table.field_max - table.field_min) / static_cast<double>(points - 1);
  std::vector<double>& y = table.log_rate;
  for (std::size_t i = 0; i < points; ++i) {
    const double field = i + 1 < points ? table.field_min + static_cast<double>(i) * table.step : table.field_max;
    y[i] = log_rate(field);
    require(std::isfinite(y[i]), "the logarithm of the rate", y[i],
            "the formula has no finite value at a table's field");
  }
  // s_(i-1) + 4 s_i + s_(i+1) = 6 (y_(i-1) - 2 y_i + y_(i+1)), 0 at both ends
  std::vector<double>& s = table.second;
  std::vector<double> upper(points, 0.0);
  for (std::size_t i = 1; i + 1 < points; ++i) {
    const double pivot = 4 - upper[i - 1];
    upper[i] = 1 / pivot;
    s[i] = (6 * (y[i - 1] - 2 * y[i] + y[i + 1]) - s[i - 1]) / pivot;
  }
  for (std::size_t i = points - 1; i-- > 1;) s[i] -= upper[i] * s[i + 1];
  return table;
}

double rate(const RateTable& table, double field) {
  const double E = std::abs(field);
  if (E < table.field_min) return 0;
  if (E >= table.field_max) return exp_or_zero(table.log_rate.back());
  const double x = (E - table.field_min) / table.step;
  if (std::isnan(x)) return x;
  const std::size_t i = std::min(static_cast<std::size_t>(x), table.log_rate.size() - 2);
  const double f = x - static_cast<double>(i), g = 1 - f;
  return exp_or_zero(g * table.log_rate[i] + f * table.log_rate[i + 1] + (g * g * g - g) * table.second[i] / 6 +
                     (f * f * f - f) * table.second[i + 1] / 6);
}

}  // namespace lumarch
