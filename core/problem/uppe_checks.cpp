// SPDX-License-Identifier: Apache-2.0
// What of the model uppe fits what: media and routes, responses and media, statistics and routes, beams and windows.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "problem/parts.hpp"
#include "problem/text.hpp"
#include "problem/uppe.hpp"

namespace lumarch::problem {

namespace {

// A program may have cast any number into the route.
std::string route_word(const Geometry& geometry) {
  const auto index = static_cast<std::size_t>(geometry.route);
  return index < choices::route.words.size() ? choices::route.words[index] : "unknown";
}

bool has_gas(const Medium& medium) {
  const GasFill* gas = gas_of(medium);
  return gas != nullptr && !gas->parts.empty();
}

bool has_molecules(const GasFill& gas) {
  static constexpr auto kAtoms = {Gas::helium, Gas::neon, Gas::argon, Gas::krypton, Gas::xenon};
  return std::any_of(gas.parts.begin(), gas.parts.end(), [](const GasFill::Part& part) {
    return std::find(kAtoms.begin(), kAtoms.end(), part.gas) == kAtoms.end();
  });
}

// What is a response to in a medium that is not given by its name.
std::string refuse_without_n2(const Medium& medium) {
  const auto own = [](const Material& material, const std::optional<double>& n2) { return material.glass || n2; };
  const auto* step = std::get_if<StepIndex>(&medium);
  const auto* graded = std::get_if<GradedIndex>(&medium);
  const auto* solid = std::get_if<Solid>(&medium);
  if ((step && !own(step->core, step->n2)) || (graded && !own(graded->core, graded->n2)) ||
      (solid && !own(solid->material, solid->n2)))
    return "a material given by its refractive index or a table has no n2 of its own; write \"n2\": \"2.7e-20 m^2/W\" "
           "into /medium";
  const auto* tabulated = std::get_if<TabulatedGuide>(&medium);
  if (tabulated && !tabulated->n2 && tabulated->gas.parts.empty())
    return "a tabulated guide has no n2 of its own; write \"n2\": \"2.7e-20 m^2/W\" into /medium, or a gas";
  return "";
}

// Responses are to a field, and a tabulated guide says what field a power is by its area.
std::string refuse_without_area(const Problem& problem, const Sound& sound) {
  if (!sound.medium) return "";
  const auto* guide = std::get_if<TabulatedGuide>(&problem.uppe->medium);
  if (!guide || guide->effective_area || guide->effective_area_curve) return "";
  return "a tabulated guide responds to a field, which is its power over an area; write \"effective_area\": \"80 "
         "um^2\" "
         "into /medium";
}

std::string refuse_kerr(const Kerr& kerr, const Problem& problem, const Sound& sound) {
  const Uppe& uppe = *problem.uppe;
  if (sound.field && sound.time && uppe.field == FieldKind::envelope && kerr.third_harmonic && !problem.time.band)
    return "the third harmonic of an envelope needs a grid that reaches over it: write \"band\": [\"160 nm\", \"3000 "
           "nm\"] in place of \"points\" in /time, or \"thg\": false";
  if (kerr.third_harmonic && kerr.saturation_intensity)
    return "saturation_intensity is known for Kerr without the third harmonic; write \"thg\": false beside it";
  if (!sound.medium) return "";
  if (gas_of(uppe.medium) != nullptr && !has_gas(uppe.medium))
    return "there is no gas in /medium/gas that could respond; name one, or take kerr out";
  return refuse_without_n2(uppe.medium);
}

std::string refuse_molecules(const MolecularRaman& raman, const Problem& problem, const Sound& sound) {
  if (!raman.rotation && !raman.vibration)
    return "rotation and vibration are both false, and nothing is left of molecular raman; take it out";
  if (!sound.medium) return "";
  const GasFill* gas = gas_of(problem.uppe->medium);
  if (gas == nullptr) return "molecular raman is of gases; a glass has {\"type\": \"raman\", \"model\": \"blow-wood\"}";
  if (!has_molecules(*gas)) return "there are no molecules in /medium/gas that could turn or vibrate; take raman out";
  return "";
}

std::string refuse_plasma(const Plasma& plasma, const Problem& problem, const Sound& sound) {
  if (!(plasma.fraction >= 0 && plasma.fraction <= 1)) return "the fraction that is ionised before is 0 to 1";
  if (sound.field && problem.uppe->field != FieldKind::real)
    return "a plasma needs the field itself: write \"field\": \"real\", and a band in /time";
  if (sound.medium && !has_gas(problem.uppe->medium))
    return "a plasma is of a gas, and the medium (" + type_of_medium(problem.uppe->medium) + ") has none; take it out";
  return "";
}

std::string refuse_chi2(const Problem& problem, const Sound& sound) {
  const Uppe& uppe = *problem.uppe;
  const auto* solid = std::get_if<Solid>(&uppe.medium);
  if (sound.medium && solid == nullptr)
    return "chi2 is of the medium \"glass\", and this one is \"" + type_of_medium(uppe.medium) + "\"; take it out";
  if (sound.medium && !solid->chi2) return "the medium has no chi2; write \"chi2\": \"2 pm/V\" into /medium";
  if (sound.field && sound.time && uppe.field == FieldKind::envelope && !problem.time.band)
    return "the second harmonic of an envelope needs a grid that reaches over it: write \"band\": [\"160 nm\", "
           "\"3000 nm\"] in place of \"points\" in /time";
  return "";
}

// A plugin's kernel gets rows of envelopes, and no factor along z.
std::string refuse_own(const Problem& problem, const Sound& sound) {
  const Uppe& uppe = *problem.uppe;
  if (sound.field && uppe.field == FieldKind::real)
    return "a plugin's response takes an envelope; write \"field\": \"envelope\", or take the response out";
  if (!sound.medium) return "";
  const GasFill* gas = gas_of(uppe.medium);
  const Profile* radius = radius_of(uppe.medium);
  if ((gas && !gas->pressure.constant()) || (radius && !radius->constant()))
    return "a plugin's response in a medium that changes along z" + kNotBuilt +
           "; give one pressure and one radius, or take the response out";
  if (gas && !has_gas(uppe.medium))
    return "a plugin's response is in units of Kerr's, and there is no gas in /medium/gas that has one; name one, or "
           "take the response out";
  return refuse_without_n2(uppe.medium);
}

// Of the model gnlse: what only a program can ask for.
std::string refuse_in_gnlse(const Response& response) {
  const auto* kerr = std::get_if<Kerr>(&response);
  const bool other = std::holds_alternative<MolecularRaman>(response) || std::holds_alternative<Plasma>(response) ||
                     std::holds_alternative<Chi2>(response);
  if (other) return "this response" + kNotBuilt + " for the model gnlse; the model uppe has it";
  if (kerr && kerr->saturation_intensity)
    return "saturation_intensity" + kNotBuilt + " for the model gnlse; the model uppe has it";
  return "";
}

}  // namespace

bool is_guide(const Medium& medium) {
  return !std::holds_alternative<FreeGas>(medium) && !std::holds_alternative<Solid>(medium);
}

const GasFill* gas_of(const Medium& medium) {
  const auto* tabulated = std::get_if<TabulatedGuide>(&medium);
  if (tabulated && tabulated->gas.parts.empty()) return nullptr;  // it is of no gas, not of vacuum
  return std::visit(
      [](const auto& kind) -> const GasFill* {
        if constexpr (requires { kind.gas; }) return &kind.gas;
        return nullptr;
      },
      medium);
}

double birefringence_of(const Medium& medium) {
  return std::visit(
      [](const auto& kind) {
        if constexpr (requires { kind.birefringence; }) return kind.birefringence;
        return 0.0;
      },
      medium);
}

const Profile* radius_of(const Medium& medium) {
  if (const auto* capillary = std::get_if<Capillary>(&medium)) return &capillary->radius;
  if (const auto* fibre = std::get_if<Antiresonant>(&medium)) return &fibre->radius;
  return nullptr;
}

const std::string& type_of_medium(const Medium& medium) { return choices::medium.words[medium.index() + 1]; }

std::string response_refusal(const Response& response, const Problem& problem, const Sound& sound) {
  if (!problem.uppe) return refuse_in_gnlse(response);
  if (std::string why = refuse_without_area(problem, sound); !why.empty()) return why;
  if (const auto* kerr = std::get_if<Kerr>(&response)) return refuse_kerr(*kerr, problem, sound);
  if (std::holds_alternative<SelfSteepening>(response))
    return "self-steepening is always there in the model uppe; take it out of the list";
  if (std::holds_alternative<Raman>(response) && sound.medium && gas_of(problem.uppe->medium) != nullptr)
    return "this Raman response is of silica; in gases there is {\"type\": \"raman\", \"model\": \"molecular\"}";
  if (std::holds_alternative<Raman>(response)) return sound.medium ? refuse_without_n2(problem.uppe->medium) : "";
  if (std::holds_alternative<PluginResponse>(response)) return refuse_own(problem, sound);
  if (const auto* raman = std::get_if<MolecularRaman>(&response)) return refuse_molecules(*raman, problem, sound);
  if (const auto* plasma = std::get_if<Plasma>(&response)) return refuse_plasma(*plasma, problem, sound);
  return refuse_chi2(problem, sound);
}

std::string statistic_refusal(Quantity quantity, const Problem& problem, const Sound& sound) {
  if (!problem.uppe) return quantity > Quantity::energy_band ? "this is a statistic of the model uppe" : "";
  const Uppe& uppe = *problem.uppe;
  const Route route = uppe.geometry.route;
  const std::string here = "the route here is " + route_word(uppe.geometry);
  switch (quantity) {
    case Quantity::mode_energy:
      return route == Route::modal || !sound.geometry ? "" : "mode_energy is of the route modal; " + here;
    case Quantity::on_axis_intensity:
    case Quantity::on_axis_fluence:
    case Quantity::on_axis_spectrum:
    case Quantity::on_axis_time:
    case Quantity::beam_radius:
    case Quantity::fwhm_r:
      return in_free_space(route) || !sound.geometry
                 ? ""
                 : "this is of free space (the routes radial, line, cartesian); " + here;
    case Quantity::density:
    case Quantity::pressure:
      return has_gas(uppe.medium) || !sound.medium ? "" : "this is of a gas, and there is none in /medium";
    case Quantity::core_radius:
      if (sound.medium && std::holds_alternative<TabulatedGuide>(uppe.medium))
        return "core_radius is of a guide with a radius, and a tabulated one has none";
      return is_guide(uppe.medium) || !sound.medium ? "" : "core_radius is of a guide, and the medium is none";
    case Quantity::peak_intensity:
      return refuse_without_area(problem, sound);
    case Quantity::electron_density:
    case Quantity::peak_ionisation_rate: {
      const auto& all = problem.responses;
      const bool plasma =
          std::any_of(all.begin(), all.end(), [](const Response& one) { return std::holds_alternative<Plasma>(one); });
      return plasma ? "" : "there are electrons only with \"plasma\" in /responses";
    }
    default:
      return "";
  }
}

}  // namespace lumarch::problem
