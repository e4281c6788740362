// SPDX-License-Identifier: Apache-2.0
// Problems that a program made or changed: what the reader of problem files finds where the text stands is found here
// from the members.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "problem/parts.hpp"
#include "problem/plugin_names.hpp"
#include "problem/text.hpp"

namespace lumarch {

namespace {

using problem::Context;
using problem::in_quotes;
using problem::short_number;

class Check {
public:
  explicit Check(Context& context) : context_(context) {}

  void positive(double value, const std::string& pointer, const char* what) {
    if (!(value > 0) || !std::isfinite(value)) find(pointer, value, what, "is above zero and finite");
  }
  void positive(const std::optional<double>& value, const std::string& pointer, const char* what) {
    if (value) positive(*value, pointer, what);
  }
  void not_negative(double value, const std::string& pointer, const char* what) {
    if (!(value >= 0) || !std::isfinite(value)) find(pointer, value, what, "is zero or above, and finite");
  }
  void finite(double value, const std::string& pointer, const char* what) {
    if (!std::isfinite(value)) find(pointer, value, what, "is finite");
  }
  void one_of(bool first, bool second, const std::string& pointer, const char* names) {
    if (first && second) context_.add(pointer, std::string("both of ") + names + " are given; give one");
    if (!first && !second) context_.add(pointer, std::string("neither of ") + names + " is given; give one");
  }
  void curve(const Curve& curve, const std::string& pointer) {
    if (curve.x.size() != curve.y.size() || curve.x.size() < 2)
      return context_.add(pointer, "a curve has two columns of the same length, of two points at least; here are " +
                                       std::to_string(curve.x.size()) + " and " + std::to_string(curve.y.size()));
    const auto wrong = [](double x) { return !std::isfinite(x); };
    if (std::any_of(curve.x.begin(), curve.x.end(), wrong) || std::any_of(curve.y.begin(), curve.y.end(), wrong))
      context_.add(pointer, "a curve's numbers are finite");
    rising(curve.x, pointer, "the curve's x");
  }
  void rising(const std::vector<double>& values, const std::string& pointer, const char* what) {
    const auto at = std::adjacent_find(values.begin(), values.end(), [](double a, double b) { return !(b > a); });
    if (at != values.end())
      context_.add(pointer,
                   std::string(what) + " rises strictly; " + short_number(*(at + 1)) + " follows " + short_number(*at));
  }
  void add(const std::string& pointer, const std::string& text) { context_.add(pointer, text); }

private:
  void find(const std::string& pointer, double value, const char* what, const char* rule) {
    context_.add(pointer, std::string(what) + " " + rule + ", in SI; it is " + short_number(value));
  }
  Context& context_;
};

void check_fibre(const Problem& problem, Check& check) {
  const Fibre& fibre = problem.medium;
  check.positive(fibre.length, "/medium/length", "the length");
  if (fibre.gamma) check.finite(*fibre.gamma, "/medium/gamma", "gamma");
  if (fibre.n2) check.finite(*fibre.n2, "/medium/n2", "n2");
  check.positive(fibre.effective_area, "/medium/effective_area", "the effective area");
  if (fibre.effective_area_curve) check.curve(*fibre.effective_area_curve, "/medium/effective_area");
  const bool area = fibre.effective_area || fibre.effective_area_curve;
  if (!problem.responses.empty() || fibre.gamma || fibre.n2 || area) {
    check.one_of(fibre.gamma.has_value(), fibre.n2.has_value(), "/medium/gamma", "gamma and n2");
    if (fibre.n2.has_value() != area) check.add("/medium/n2", "n2 and an effective area belong together; give both");
  }
  if (const auto* series = std::get_if<BetaSeries>(&fibre.dispersion)) {
    for (std::size_t i = 0; i < series->betas.size(); ++i)
      check.finite(series->betas[i], "/medium/dispersion/betas/" + std::to_string(i), "a beta");
  } else if (const auto* d = std::get_if<DispersionD>(&fibre.dispersion)) {
    check.finite(d->d, "/medium/dispersion/D", "D");
    check.finite(d->slope, "/medium/dispersion/S", "the slope");
  } else if (const auto* index = std::get_if<IndexCurve>(&fibre.dispersion)) {
    check.curve(index->index, "/medium/dispersion/index");
  } else {
    check.curve(std::get<PropagationCurve>(fibre.dispersion).beta, "/medium/dispersion/propagation_constant");
  }
  check.not_negative(fibre.loss, "/medium/loss", "the loss");
  if (fibre.loss_curve) check.curve(*fibre.loss_curve, "/medium/loss");
}

void check_pulse(const Pulse& pulse, const std::string& place, Check& check) {
  const bool has_width = pulse.shape != Shape::cw && pulse.shape != Shape::file;
  if (has_width) check.one_of(pulse.fwhm.has_value(), pulse.t0.has_value(), place + "/fwhm", "fwhm and t0");
  check.positive(pulse.fwhm, place + "/fwhm", "the width");
  check.positive(pulse.t0, place + "/t0", "the width");
  if (pulse.shape != Shape::file || (pulse.peak_power && pulse.energy))
    check.one_of(pulse.peak_power.has_value(), pulse.energy.has_value(), place + "/peak_power",
                 "peak_power and energy");
  if (pulse.peak_power) check.not_negative(*pulse.peak_power, place + "/peak_power", "the power");
  if (pulse.energy) check.not_negative(*pulse.energy, place + "/energy", "the energy");
  check.positive(pulse.wavelength, place + "/wavelength", "the wavelength");
  if (pulse.order < 1) check.add(place + "/order", "the order of a super-Gaussian is 1 or more");
  for (const auto& [value, key] : {std::pair{pulse.delay, "/delay"},
                                   {pulse.chirp, "/chirp"},
                                   {pulse.gdd, "/gdd"},
                                   {pulse.tod, "/tod"},
                                   {pulse.cep, "/cep"}})
    check.finite(value, place + key, key + 1);
  if ((pulse.shape == Shape::file) != pulse.samples.has_value())
    return check.add(place + "/file", "samples belong to the shape file, and it needs them");
  if (!pulse.samples) return;
  if (pulse.samples->t.size() < 2 || pulse.samples->power.size() != pulse.samples->t.size() ||
      pulse.samples->phase.size() != pulse.samples->t.size())
    return check.add(place + "/file", "t, power and phase have the same length, of two at least");
  check.rising(pulse.samples->t, place + "/file", "t");
}

void check_march(const Problem& problem, Check& check) {
  const March& march = problem.march;
  const double length = problem.medium.length;
  if (!(march.tolerance > 0 && march.tolerance <= 0.01))
    check.add("/march/tolerance",
              short_number(march.tolerance) + " is out of range: above 0 and at most 0.01, like 1e-7");
  check.positive(march.first_step, "/march/first_step", "a step");
  check.positive(march.max_step, "/march/max_step", "a step");
  check.positive(march.min_step, "/march/min_step", "a step");
  for (std::size_t i = 0; i < march.schedule.size(); ++i)
    check.positive(march.schedule[i], "/march/schedule/" + std::to_string(i), "a step");
  const double sum = std::accumulate(march.schedule.begin(), march.schedule.end(), 0.0);
  if (!march.schedule.empty() && !(std::abs(sum - length) <= 1e-9 * length))
    check.add("/march/schedule",
              "the steps sum to " + short_number(sum) + " m, the fibre is " + short_number(length) + " m long");
  if (problem.planes.empty()) check.add("/planes", "one plane at least is needed, like {0.15}");
  for (std::size_t i = 0; i < problem.planes.size(); ++i)
    if (!(problem.planes[i] >= 0 && problem.planes[i] <= length))
      check.add("/planes/" + std::to_string(i),
                short_number(problem.planes[i]) + " m does not lie in the fibre of " + short_number(length) + " m");
  check.rising(problem.planes, "/planes", "the list of planes");
}

// Each response once: twice the same is a slip, and some would count once and others twice.
void check_responses(const Problem& problem, Check& check) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < problem.responses.size(); ++i) {
    const std::string pointer = "/responses/" + std::to_string(i);
    const auto* own = std::get_if<PluginResponse>(&problem.responses[i]);
    if (own && !problem::is_plugin_response_name(own->name))
      check.add(pointer, in_quotes(own->name) + " is no name of a plugin's response: response.<reverse domain>.<name>");
    if (!seen.insert(own ? own->name : std::to_string(problem.responses[i].index())).second)
      check.add(pointer, "this response is in the list twice; take one out");
  }
}

void check_statistics(const Problem& problem, Check& check) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < problem.statistics.size(); ++i) {
    const StatisticRequest& request = problem.statistics[i];
    const std::string pointer = "/statistics/" + std::to_string(i);
    if (request.name.empty() || request.name.find('/') != std::string::npos || request.name[0] == '.')
      check.add(pointer,
                in_quotes(request.name) + " is no name: it has to be one for a dataset in a file, without \"/\"");
    if (!seen.insert(request.name).second)
      check.add(pointer, in_quotes(request.name) + " is in the list twice; take one out");
    if (request.quantity < Quantity::energy || request.quantity > Quantity::energy_band)
      check.add(pointer, in_quotes(request.name) + " asks for a quantity that there is not");
    if (request.quantity == Quantity::energy_band && !(request.shortest > 0 && request.longest > request.shortest))
      check.add(pointer, in_quotes(request.name) + " needs a shortest wavelength above 0 and a longer one");
  }
}

// Enumerations hold any number once a program casts one into them.
void check_choices(const Problem& problem, Check& check) {
  const auto choice = [&](auto value, auto last, const std::string& pointer) {
    if (static_cast<int>(value) < 0 || value > last)
      check.add(pointer, std::to_string(static_cast<int>(value)) + " is none of the choices that there are");
  };
  for (std::size_t i = 0; i < problem.launch.size(); ++i)
    choice(problem.launch[i].shape, Shape::file, "/launch/" + std::to_string(i) + "/shape");
  for (std::size_t i = 0; i < problem.responses.size(); ++i)
    if (const auto* raman = std::get_if<Raman>(&problem.responses[i]))
      choice(raman->model, RamanModel::hollenbeck, "/responses/" + std::to_string(i) + "/model");
  choice(problem.march.integrator, Integrator::dp54, "/march/integrator");
  choice(problem.output.fields, Fields::none, "/output/fields");
  if (problem.noise) choice(problem.noise->enters, Noise::Enters::field, "/noise/enters");
}

}  // namespace

void check_problem(const Problem& problem) {
  Context context(".");
  Check check(context);
  constexpr std::int64_t most_points = std::int64_t{1} << 26;
  check.positive(problem.wavelength, "/wavelength", "the wavelength");
  check.positive(problem.time.window, "/time/window", "the window");
  if (problem.time.points < 2 || problem.time.points > most_points)
    check.add("/time/points", std::to_string(problem.time.points) + " points are out of range: 2 to 67108864");
  check_fibre(problem, check);
  for (std::size_t i = 0; i < problem.launch.size(); ++i)
    check_pulse(problem.launch[i], "/launch/" + std::to_string(i), check);
  check_choices(problem, check);
  check_responses(problem, check);
  check_statistics(problem, check);
  for (const Response& response : problem.responses)
    if (const auto* raman = std::get_if<Raman>(&response); raman && raman->fraction)
      if (!(*raman->fraction >= 0 && *raman->fraction <= 1))
        check.add("/responses", "Raman's fraction is 0 to 1; it is " + short_number(*raman->fraction));
  check_march(problem, check);
  if (problem.output.compression < 0 || problem.output.compression > 9)
    check.add("/output/compression", "a deflate level is 0 to 9; it is " + std::to_string(problem.output.compression));
  if (problem.backend.name.empty()) check.add("/backend/name", "the backend has no name, like \"cpu\"");
  if (problem.backend.device < 0) check.add("/backend/device", "devices count from 0");
  if (problem.backend.threads < 0) check.add("/backend/threads", "threads are 0 (all of the machine) or more");
  context.raise();  // what follows divides by what was looked at here
  check_whole(problem, context);
  check_light(problem, context);
  context.raise();
}

}  // namespace lumarch
