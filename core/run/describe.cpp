// SPDX-License-Identifier: Apache-2.0
// What `lumarch check` prints: everything about a problem that can be said before it runs.
#include <lumarch/run.hpp>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

#include "march/march.hpp"
#include "media/constants.hpp"
#include "media/raman.hpp"
#include "problem/integrators.hpp"
#include "problem/keys.hpp"
#include "run/describe_uppe.hpp"
#include "run/memory.hpp"
#include "run/stored_launch.hpp"
#include "translate/launch.hpp"

namespace lumarch {

namespace {

constexpr double pi = constants::pi;

std::string format(const char* pattern, ...) {
  char text[300];
  va_list values;
  va_start(values, pattern);
  std::vsnprintf(text, sizeof(text), pattern, values);
  va_end(values);
  return text;
}

double nanometres(double omega) { return 2 * pi * constants::c / omega * 1e9; }

// Wavelengths in nm where beta_2 changes its sign inside the grid's band, by its second difference.
std::vector<double> zero_dispersion(const Problem& problem, const Grid& grid) {
  const auto beta = relative_beta(problem);
  const double low = std::max(grid.omega(grid.rising(0)), 0.1 * grid.omega0),
               high = grid.omega(grid.rising(grid.n - 1));
  constexpr int samples = 2000;
  const double step = (high - low) / samples;
  const auto beta2 = [&](double w) { return beta(w + step) - 2 * beta(w) + beta(w - step); };
  std::vector<double> found;
  double before = beta2(low);
  for (int i = 1; i <= samples; ++i) {
    const double w = low + i * step, now = beta2(w);
    if (before * now < 0) found.push_back(nanometres(w - step * now / (now - before)));
    before = now;
  }
  return found;
}

void describe_pulse(const Problem& problem, const Pulse& pulse, std::size_t index, std::string& text) {
  const double t0 = natural_width(pulse), power = peak_power(pulse);
  const double beta2 = local_dispersion(problem).beta2, gamma = nonlinear_coefficient(problem);
  text += format("pulse %zu\n", index);
  if (pulse.run) text += "  launched              " + describe_stored(pulse) + "\n";
  if (t0 > 0) text += format("  T0                    %.5g fs\n", t0 * 1e15);
  if (power > 0) text += format("  peak power            %.5g W\n", power);
  if (!pulse.plates.empty())
    text += format("  gdd                   %.5g fs^2, with its plates\n",
                   second_order_phase(pulse, problem.wavelength) * 1e30);
  const double ld = t0 > 0 && beta2 != 0 ? t0 * t0 / std::abs(beta2) : HUGE_VAL;
  const double lnl = gamma * power > 0 ? 1 / (gamma * power) : HUGE_VAL;
  if (std::isfinite(ld)) text += format("  dispersion length     %.5g m\n", ld);
  if (std::isfinite(lnl)) text += format("  nonlinear length      %.5g m\n", lnl);
  if (std::isfinite(ld) && std::isfinite(lnl) && beta2 < 0) {
    const double order = std::sqrt(ld / lnl);
    text += format("  soliton order         %.4f\n", order);
    if (order > 1.5) text += format("  fission length        %.5g m\n", ld / order);
  }
}

// Those of plugins with what the problem gives them: what else they take is known on the backend alone.
void describe_responses(const Problem& problem, std::string& text) {
  text += "responses\n";
  if (problem.responses.empty()) text += "  none: the fibre is linear\n";
  for (const Response& response : problem.responses) {
    if (std::holds_alternative<Kerr>(response)) text += "  kerr\n";
    if (std::holds_alternative<SelfSteepening>(response)) text += "  self-steepening\n";
    if (const auto* raman = std::get_if<Raman>(&response)) {
      text += format("  raman                 f_R %.4g\n", raman->fraction.value_or(raman_fraction(raman->model)));
    }
    const auto* own = std::get_if<PluginResponse>(&response);
    if (own == nullptr) continue;
    text += "  " + own->name + " (of a plugin: found and checked when the backend is opened)\n";
    for (const auto& [name, given] : own->parameters)
      text += "    " + name + std::string(name.size() < 20 ? 20 - name.size() : 1, ' ') +
              format("%.5g in SI\n", given.value);
  }
}

std::string word_of(Integrator integrator) {
  const auto& all = problem::integrators;
  const auto at = std::find(all.begin(), all.end(), integrator) - all.begin();
  return problem::choices::integrator.words.at(static_cast<std::size_t>(at));
}

}  // namespace

std::string describe(const Problem& problem, const BackendSearch& search) {
  refuse_unless_tables_fit(problem);
  if (problem.uppe) return describe_uppe(problem, search);
  const FibreTables tables = translate_fibre(problem);
  const Grid& grid = tables.grid;
  MarchOptions marching;
  marching.length = problem.medium.length;
  marching.schedule = problem.march.schedule;
  marching.planes = problem.planes;
  check_schedule(marching);
  check_stored(problem, {false, grid.rising_omega(), {}});
  std::vector<std::string> warnings = tables.warnings;
  std::string text = problem.title.empty() ? "" : problem.title + "\n";
  const double low = grid.omega(grid.rising(0)), high = grid.omega(grid.rising(grid.n - 1));
  text += format("grid\n  points                %lld\n  window                %.5g ps, dt %.5g fs\n",
                 static_cast<long long>(grid.n), grid.window * 1e12, grid.dt * 1e15);
  text += format("  band                  %.5g to %.5g THz", low / (2 * pi) * 1e-12, high / (2 * pi) * 1e-12);
  text += low > 0 ? format(" (%.5g to %.5g nm)\n", nanometres(high), nanometres(low))
                  : format(" (%.5g nm up; negative frequencies are part of the grid)\n", nanometres(high));
  const LocalDispersion local = local_dispersion(problem);
  describe_responses(problem, text);
  text += format("fibre\n  length                %.5g m\n  gamma                 %.5g 1/(W m)\n", problem.medium.length,
                 nonlinear_coefficient(problem));
  text += format("  beta2                 %.5g ps^2/km\n  beta3                 %.5g ps^3/km\n", local.beta2 * 1e27,
                 local.beta3 * 1e39);
  const std::vector<double> zeros = zero_dispersion(problem, grid);
  for (const double zero : zeros) text += format("  zero dispersion       %.5g nm\n", zero);
  for (std::size_t i = 0; i < problem.launch.size(); ++i) {
    const Pulse& pulse = problem.launch[i];
    describe_pulse(problem, pulse, i, text);
    if (const double t0 = natural_width(pulse); t0 > 0 && t0 < 2 * grid.dt)
      warnings.push_back(
          format("pulse %zu has T0 = %.3g fs and dt is %.3g fs: its spectrum does not fit the band; more "
                 "/time/points",
                 i, t0 * 1e15, grid.dt * 1e15));
  }
  // walk-off across the window: the group delay of the launched band edges is not known; the linear spread of each
  // pulse is
  for (std::size_t i = 0; i < problem.launch.size(); ++i) {
    const double t0 = natural_width(problem.launch[i]);
    if (t0 > 0 && std::abs(local.beta2) * problem.medium.length / t0 * 1.77 > grid.window / 2)
      warnings.push_back(format("pulse %zu spreads over more than half the window by dispersion alone", i));
  }
  text += format("march\n  integrator            %s\n  tolerance             %.3g\n  planes                %zu\n",
                 word_of(problem.march.integrator).c_str(), problem.march.tolerance, problem.planes.size());
  text += describe_memory(problem, search);
  if (problem.output.fields != Fields::none) {
    const std::size_t planes = problem.output.fields == Fields::all ? problem.planes.size() : 1;
    text += "  fields in the file            " +
            bytes_text(planes * static_cast<std::uint64_t>(grid.n) * sizeof(Complex)) + "\n";
  }
  for (const std::string& warning : warnings) text += "warning: " + warning + "\n";
  return text;
}

}  // namespace lumarch
