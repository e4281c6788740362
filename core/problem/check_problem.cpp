// SPDX-License-Identifier: Apache-2.0
// Problems that a program made or changed: what the reader of problem files finds where the text stands is found here
// from the members.
#include <algorithm>
#include <numeric>
#include <set>

#include "problem/aperture.hpp"
#include "problem/check.hpp"
#include "problem/integrators.hpp"
#include "problem/parts.hpp"
#include "problem/plugin_names.hpp"
#include "problem/text.hpp"

namespace lumarch {

namespace {

using problem::Check;
using problem::Context;
using problem::in_quotes;
using problem::short_number;

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
  const bool has_width = pulse.shape < Shape::cw;
  if (has_width) check.one_of(pulse.fwhm.has_value(), pulse.t0.has_value(), place + "/fwhm", "fwhm and t0");
  check.positive(pulse.fwhm, place + "/fwhm", "the width");
  check.positive(pulse.t0, place + "/t0", "the width");
  if (pulse.shape < Shape::file || (pulse.peak_power && pulse.energy))
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
  if (pulse.spectral_phase) check.curve(*pulse.spectral_phase, place + "/spectral_phase");
  for (std::size_t i = 0; i < pulse.plates.size(); ++i) {
    const std::string plate = place + "/plates/" + std::to_string(i);
    check_material(pulse.plates[i].material, plate + "/material", check);
    check.positive(pulse.plates[i].thickness, plate + "/thickness", "the thickness");
  }
  if ((pulse.shape == Shape::file) != pulse.samples.has_value())
    return check.add(place + "/file", "samples belong to the shape file, and it needs them");
  if ((pulse.shape == Shape::run) != pulse.run.has_value())
    return check.add(place + "/file",
                     "the shape run needs the file and the plane of a run, and no other shape has them");
  if (pulse.run && pulse.run->file.empty()) check.add(place + "/file", "the output file of a run is needed here");
  if (!pulse.samples) return;
  if (pulse.samples->t.size() < 2 || pulse.samples->power.size() != pulse.samples->t.size() ||
      pulse.samples->phase.size() != pulse.samples->t.size())
    return check.add(place + "/file", "t, power and phase have the same length, of two at least");
  check.rising(pulse.samples->t, place + "/file", "t");
}

// A fibre has one mode of one polarisation.
void check_launch_of_fibre(const Problem& problem, Check& check) {
  for (std::size_t i = 0; i < problem.launch.size(); ++i) {
    const Pulse& pulse = problem.launch[i];
    for (const auto& [given, key] : {std::pair{pulse.beam.has_value(), "/beam"},
                                     {!pulse.modes.empty(), "/modes"},
                                     {pulse.polarisation != 0, "/polarisation"},
                                     {pulse.ellipticity != 0, "/ellipticity"}})
      if (given)
        check.add("/launch/" + std::to_string(i) + key,
                  std::string(key + 1) + problem::kNotBuilt + " for the model gnlse; the model uppe has it");
  }
}

void check_march(const Problem& problem, Check& check) {
  const March& march = problem.march;
  const double length = problem.medium.length;
  const std::string body = problem.uppe ? "medium" : "fibre";
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
              "the steps sum to " + short_number(sum) + " m, the " + body + " is " + short_number(length) + " m long");
  if (problem.planes.empty()) check.add("/planes", "one plane at least is needed, like {0.15}");
  for (std::size_t i = 0; i < problem.planes.size(); ++i)
    if (!(problem.planes[i] >= 0 && problem.planes[i] <= length))
      check.add("/planes/" + std::to_string(i), short_number(problem.planes[i]) + " m does not lie in the " + body +
                                                    " of " + short_number(length) + " m");
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
    const std::string refusal = problem::response_refusal(problem.responses[i], problem);
    if (!refusal.empty()) check.add(pointer, refusal);
  }
}

void check_aperture(const Aperture& aperture, const std::string& pointer, Check& check) {
  const bool half_plane = aperture.shape == Aperture::Shape::half_plane;
  for (const double value : {aperture.a, aperture.b, aperture.x, aperture.y, aperture.normal[0], aperture.normal[1]})
    if (!std::isfinite(value)) return check.add(pointer, "a number of its aperture is not finite");
  if (!half_plane && !(aperture.a > 0 && aperture.b > 0))
    check.add(pointer, "an aperture has sizes above 0, a circle the same in both directions");
  if (half_plane && aperture.normal[0] == 0 && aperture.normal[1] == 0)
    check.add(pointer, "the half-plane's normal [0, 0] has no direction");
}

void check_edge(const EdgeCheck& edge, Check& check) {
  if (!(edge.threshold > 0 && edge.threshold <= 1))
    check.add("/boundary/edge/threshold", problem::short_number(edge.threshold) + " is no share above 0, at most 1");
  if (!(edge.rim > 0 && edge.rim < 1))
    check.add("/boundary/edge/rim", problem::short_number(edge.rim) + " is no part of a half width between 0 and 1");
  check.choice(edge.on_exceed, EdgeCheck::OnExceed::refuse, "/boundary/edge/on_exceed");
}

void check_statistics(const Problem& problem, Check& check) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < problem.statistics.size(); ++i) {
    const StatisticRequest& request = problem.statistics[i];
    const std::string pointer = "/statistics/" + std::to_string(i);
    const bool odd = std::any_of(request.name.begin(), request.name.end(),
                                 [](unsigned char letter) { return letter < 32 || letter == 127 || letter == '/'; });
    if (request.name.empty() || odd || request.name[0] == '.')
      check.add(pointer, in_quotes(request.name) +
                             " is no name: it has to be one for a dataset in a file, without \"/\" and line breaks");
    if (!seen.insert(request.name).second)
      check.add(pointer, in_quotes(request.name) + " is in the list twice; take one out");
    if (request.quantity < Quantity::energy || request.quantity > Quantity::peak_ionisation_rate) {
      check.add(pointer, in_quotes(request.name) + " asks for a quantity that there is not");
    } else if (const auto refusal = problem::statistic_refusal(request.quantity, problem); !refusal.empty()) {
      check.add(pointer, in_quotes(request.name) + ": " + refusal);
    }
    if (const auto refusal = problem::aperture_refusal(request, problem); !refusal.empty())
      check.add(pointer, in_quotes(request.name) + ": " + refusal);
    if (request.aperture) check_aperture(*request.aperture, pointer, check);
    if (request.quantity == Quantity::energy_band && !(request.shortest > 0 && request.longest > request.shortest))
      check.add(pointer, in_quotes(request.name) + " needs a shortest wavelength above 0 and a longer one");
  }
}

void check_choices(const Problem& problem, Check& check) {
  for (std::size_t i = 0; i < problem.launch.size(); ++i)
    check.choice(problem.launch[i].shape, Shape::run, "/launch/" + std::to_string(i) + "/shape");
  for (std::size_t i = 0; i < problem.responses.size(); ++i)
    if (const auto* raman = std::get_if<Raman>(&problem.responses[i]))
      check.choice(raman->model, RamanModel::hollenbeck, "/responses/" + std::to_string(i) + "/model");
  // Which of them are built, the words of problem files say.
  const auto& integrators = problem::choices::integrator;
  const auto& all = problem::integrators;
  const auto integrator =
      static_cast<std::size_t>(std::find(all.begin(), all.end(), problem.march.integrator) - all.begin());
  if (integrator >= integrators.words.size() && integrator < integrators.words.size() + integrators.later.size()) {
    check.add("/march/integrator", integrators.later[integrator - integrators.words.size()] + problem::kNotBuilt +
                                       "; there is " + problem::listed(integrators.words));
  } else {
    check.choice(problem.march.integrator, Integrator::low_storage, "/march/integrator");
  }
  check.choice(problem.output.fields, Fields::none, "/output/fields");
  if (problem.noise) check.choice(problem.noise->enters, Noise::Enters::field, "/noise/enters");
}

// The time axis; the model gnlse has no band.
void check_time(const Problem& problem, Check& check) {
  check.positive(problem.time.window, "/time/window", "the window");
  if (problem.time.band && problem.uppe) {
    const Band& band = *problem.time.band;
    check.positive(band.shortest, "/time/band/0", "the shortest wavelength");
    check.positive(band.longest, "/time/band/1", "the longest wavelength");
    if (!(band.longest > band.shortest)) check.add("/time/band", "the shortest wavelength is below the longest");
    if (problem.time.points != 0) check.add("/time/points", "the band says how many points there are; leave them 0");
    return;
  }
  if (problem.time.band) check.add("/time/band", "a band" + problem::kNotBuilt + " for the model gnlse; give points");
  if (problem.time.points < 2 || problem.time.points > problem::kMostPoints)
    check.add("/time/points", std::to_string(problem.time.points) + " points are out of range: 2 to 67108864");
}

}  // namespace

void check_problem(const Problem& problem) {
  Context context(".");
  Check check(context);
  check.positive(problem.wavelength, "/wavelength", "the wavelength");
  check_time(problem, check);
  if (problem.uppe) {
    problem::check_uppe(problem, check);
  } else {
    check_fibre(problem, check);
    check_launch_of_fibre(problem, check);
  }
  for (std::size_t i = 0; i < problem.launch.size(); ++i)
    check_pulse(problem.launch[i], "/launch/" + std::to_string(i), check);
  check_choices(problem, check);
  check_responses(problem, check);
  check_statistics(problem, check);
  check_edge(problem.edge, check);
  for (const Response& response : problem.responses)
    if (const auto* raman = std::get_if<Raman>(&response); raman && raman->fraction)
      if (!(*raman->fraction >= 0 && *raman->fraction <= 1))
        check.add("/responses", "Raman's fraction is 0 to 1; it is " + short_number(*raman->fraction));
  check_march(problem, check);
  if (problem.output.compression < 0 || problem.output.compression > 9)
    check.add("/output/compression", "a deflate level is 0 to 9; it is " + std::to_string(problem.output.compression));
  if (const auto every = problem.output.checkpoint_every; every && !(*every > 0 && std::isfinite(*every)))
    check.add("/output/checkpoint/every", problem::short_number(*every) + " s is no time above 0");
  if (problem.backend.name.empty()) check.add("/backend/name", "the backend has no name, like \"cpu\"");
  if (problem.backend.device < 0) check.add("/backend/device", "devices count from 0");
  if (problem.backend.threads < 0) check.add("/backend/threads", "threads are 0 (all of the machine) or more");
  context.raise();  // what follows divides by what was looked at here
  check_whole(problem, context);
  check_light(problem, context);
  context.raise();
}

}  // namespace lumarch
