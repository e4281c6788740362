// SPDX-License-Identifier: Apache-2.0
// The parts of a problem of the model uppe against each other.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "problem/absorber_places.hpp"
#include "problem/parts.hpp"
#include "problem/text.hpp"
#include "problem/uppe.hpp"

namespace lumarch::problem {

namespace {

using std::numbers::pi;

void check_medium_in_route(const Uppe& uppe, Context& context) {
  const std::string& type = type_of_medium(uppe.medium);
  const std::string& route = choices::route.words[static_cast<std::size_t>(uppe.geometry.route)];
  const bool guide = is_guide(uppe.medium);
  if (std::holds_alternative<TabulatedGuide>(uppe.medium) && uppe.geometry.route == Route::modal)
    context.add("/geometry/route",
                "the route modal takes overlaps of shapes, and a tabulated guide has an index, a loss and an area "
                "alone; take the route mode-averaged, or a guide whose shapes are known");
  if (std::holds_alternative<GradedIndex>(uppe.medium) && in_free_space(uppe.geometry.route))
    context.add("/geometry/route",
                "the index of a graded core changes across the beam, and the route " + route +
                    " has one index for each wave number; take the route modal with several modes, like \"modes\": 8");
  else if (guide && in_free_space(uppe.geometry.route))
    context.add("/geometry/route",
                "the medium " + type + " guides the light in modes, and the route " + route +
                    " is free space: take the route mode-averaged or modal, or the medium gas or glass");
  if (!guide && !in_free_space(uppe.geometry.route))
    context.add("/geometry/route", "the medium " + type + " has no modes, and the route " + route +
                                       " needs them: take the route radial, line or cartesian, or a guide as medium");
}

// Names that the guide does not have, or that one component cannot hold.
void check_modes(const Uppe& uppe, bool medium_known, Context& context) {
  const Geometry& geometry = uppe.geometry;
  const bool averaged = geometry.route == Route::mode_averaged;
  const bool rectangular = medium_known && std::holds_alternative<Rectangular>(uppe.medium);
  const auto* tubes = medium_known ? std::get_if<Antiresonant>(&uppe.medium) : nullptr;
  for (std::size_t i = 0; i < geometry.modes.size(); ++i) {
    const std::string& mode = geometry.modes[i];
    const std::string place = averaged ? "/geometry/mode" : "/geometry/modes/" + std::to_string(i);
    if (!mode_refusal(mode).empty()) continue;  // found elsewhere
    const auto here = geometry.modes.begin() + static_cast<std::ptrdiff_t>(i);
    const auto same = [&](const std::string& other) { return short_mode(other) == short_mode(mode); };
    if (std::any_of(geometry.modes.begin(), here, same))
      context.add(place, in_quotes(mode) + " stands twice in the list; take one out");
    if (tubes && tubes->vincetti && short_mode(mode) != "HE11" && mode != "HE11x")
      context.add(place, in_quotes(mode) +
                             " has no formula in the model vincetti, which is of HE11; take it out, or "
                             "the model zeisberger");
    if (rectangular) {
      if (!mode.starts_with("HE"))
        context.add(place, in_quotes(mode) + " is no mode of a rectangular guide; its modes are HE and two digits");
    } else if (!mode.starts_with("HE1") && geometry.polarisations == 1 && !averaged) {
      context.add(place,
                  in_quotes(mode) + " swings in two directions, and the field has one; write \"polarisations\": 2");
    }
    if (mode.ends_with("x") && geometry.polarisations == 1 && !averaged)
      context.add(place, in_quotes(mode) +
                             " swings along x, and a field with one polarisation along y; write "
                             "\"polarisations\": 2, or " +
                             in_quotes(mode.substr(0, mode.size() - 1)));
  }
}

// The modes of hollow guides are known where these are many wavelengths wide.
void check_hollow(const Medium& medium, double wavelength, Context& context) {
  const auto refuse = [&](double width, const std::string& key) {
    if (!(width > 0) || !(wavelength > 0) || width > wavelength) return;
    context.add("/medium/" + key, "the " + key + " " + short_number(width) + " m is not above the wavelength " +
                                      short_number(wavelength) +
                                      " m, and the formulas of a hollow guide's modes are of one that is many "
                                      "wavelengths wide; make it wider, like \"50 um\"");
  };
  if (const Profile* radius = radius_of(medium); radius && !radius->value.empty())
    refuse(*std::min_element(radius->value.begin(), radius->value.end()), "radius");
  if (const auto* box = std::get_if<Rectangular>(&medium)) {
    refuse(box->half_width, "half_width");
    refuse(box->half_height, "half_height");
  }
}

// The index of x and y: guides have it of their modes, free space of its polarisations.
void check_birefringence(const Uppe& uppe, bool geometry_known, Context& context) {
  const double value = birefringence_of(uppe.medium);
  const auto* solid = std::get_if<Solid>(&uppe.medium);
  const bool axes = solid && solid->material_x, wanted = value != 0 || axes;
  const std::string place = axes ? "/medium/material" : "/medium/birefringence";
  if (solid && solid->cut && !axes)
    context.add("/medium/cut",
                "a cut is of a crystal with two indices; write \"material\": {\"x\": \"bbo-e\", \"y\": \"bbo-o\"}, x "
                "the extraordinary one");
  if (axes && value != 0)
    context.add("/medium/birefringence", "/medium/material says the index of x and y already; give one of them");
  if (!wanted || !geometry_known) return;
  const Geometry& geometry = uppe.geometry;
  if (geometry.route == Route::mode_averaged || geometry.polarisations == 1)
    context.add(place, std::string("one polarisation does not see two indices; write \"polarisations\": 2 into "
                                   "/geometry") +
                           (geometry.route == Route::mode_averaged ? ", on the route modal" : ""));
  if (solid && solid->cut && geometry.route == Route::radial)
    context.add("/medium/cut",
                "a cut crystal is not round about the axis; take the route line or cartesian, or leave the cut out");
  if (geometry.route != Route::modal) return;
  for (std::size_t i = 0; i < geometry.modes.size(); ++i) {
    const std::string& mode = geometry.modes[i];
    if (!mode_refusal(mode).empty() || mode.starts_with("HE1")) continue;
    context.add("/geometry/modes/" + std::to_string(i),
                in_quotes(mode) +
                    " is not polarised along x or y, so that birefringence would couple it to others, "
                    "which" +
                    kNotBuilt + "; take HE1m modes alone");
  }
}

void check_extinction(const Material& material, const char* place, Context& context) {
  if (material.extinction)
    context.add(place,
                "an extinction counts in the material of a glass or the core of a fibre alone; name two columns "
                "of the table, like \"columns\": [0, 1]");
}

void check_tabulated(const TabulatedGuide& guide, Context& context) {
  if (!guide.gas.pressure.constant() || guide.gas.pressure.pin)
    context.add("/medium/pressure",
                "the table of a guide's index is of one pressure; give that, like \"pressure\": \"2 bar\"");
}

void check_medium(const Uppe& uppe, double wavelength, Context& context) {
  const auto wall = [&](const Material& material) {
    check_extinction(material, "/medium/wall", context);
    if (!material.glass && !material.table && !(material.index > 1))
      context.add("/medium/wall", "the wall's index is " + short_number(material.index) +
                                      "; it has to be above 1, like 1.45, or a name like \"fused-silica\"");
  };
  if (const auto* capillary = std::get_if<Capillary>(&uppe.medium)) wall(capillary->wall);
  if (const auto* guide = std::get_if<Rectangular>(&uppe.medium)) wall(guide->wall);
  const auto solid_core = [&](const auto& guide, const char* what) {
    check_extinction(guide.cladding, "/medium/cladding", context);
    const auto number = [](const Material& material) { return !material.glass && !material.table; };
    if (number(guide.core) && number(guide.cladding) && !(guide.core.index > guide.cladding.index))
      context.add("/medium/core", "the core's index " + short_number(guide.core.index) +
                                      " is not above the cladding's " + short_number(guide.cladding.index) + "; " +
                                      what + " guides where it is");
  };
  if (const auto* step = std::get_if<StepIndex>(&uppe.medium)) solid_core(*step, "a step");
  if (const auto* graded = std::get_if<GradedIndex>(&uppe.medium)) solid_core(*graded, "a graded core");
  if (const auto* guide = std::get_if<TabulatedGuide>(&uppe.medium)) check_tabulated(*guide, context);
  check_hollow(uppe.medium, wavelength, context);
  const auto* fibre = std::get_if<Antiresonant>(&uppe.medium);
  if (fibre == nullptr) return;
  wall(fibre->wall);
  const auto& radii = fibre->radius.value;
  const double core = radii.empty() ? 0 : *std::min_element(radii.begin(), radii.end());
  if (core > 0 && fibre->wall_thickness >= core)
    context.add("/medium/wall_thickness", "the wall (" + short_number(fibre->wall_thickness) +
                                              " m) is as thick as the core (" + short_number(core) + " m)");
  if (!fibre->vincetti || fibre->tubes < kLeastTubes || !(fibre->tube_radius > 0)) return;
  if (fibre->wall_thickness >= fibre->tube_radius)
    context.add("/medium/wall_thickness", "the wall (" + short_number(fibre->wall_thickness) +
                                              " m) is as thick as its tube (" + short_number(fibre->tube_radius) +
                                              " m)");
  const double gap = 2 * (std::sin(pi / fibre->tubes) * (core + fibre->tube_radius) - fibre->tube_radius);
  if (core > 0 && !(gap >= 0))
    context.add("/medium/tube_radius", std::to_string(fibre->tubes) + " tubes of radius " +
                                           short_number(fibre->tube_radius) + " m overlap about a core of " +
                                           short_number(core) + " m; take fewer or thinner ones");
}

// 1/e^2 radius in the launch plane, a distance behind or before the waist.
double radius_at_launch(double waist, double focus, double wavelength) {
  return waist * std::hypot(1, focus * wavelength / (pi * waist * waist));
}

void check_beam_along(const std::string& place, const char* axis, double radius, double off, double half,
                      Context& context) {
  if (!(radius > 0) || !(half > 0)) return;
  if (!(2 * radius < half)) {
    context.add(place + "/waist", "the beam's radius in the launch plane along " + std::string(axis) + " is " +
                                      short_number(radius) + " m, and half of the window " + short_number(half) +
                                      " m; make it more than twice the radius, above " + short_number(2 * radius) +
                                      " m");
  } else if (!(std::abs(off) + radius < half)) {
    context.add(place + "/" + axis, "the beam's axis at " + short_number(off) + " m is too near the window's edge at " +
                                        short_number(half) + " m; it has to be a beam radius (" + short_number(radius) +
                                        " m) inside");
  }
}

// A tilt is a frequency in space: the grid holds two nodes a period.
void check_tilt(const std::string& place, double tilt, double half, std::int64_t points, double wavelength,
                Context& context) {
  if (!(half > 0) || points < 2 || !(wavelength > 0)) return;
  const double most = wavelength * static_cast<double>(points) / (4 * half);
  if (std::abs(std::sin(tilt)) < most) return;
  context.add(place, "the tilt " + short_number(tilt) + " rad is more than the nodes across the beam resolve (" +
                         short_number(std::asin(std::min(1.0, most))) + " rad); take more /geometry/points");
}

void check_beam(const Beam& beam, const std::string& place, const Geometry& geometry, double wavelength,
                Context& context) {
  const bool line = geometry.route == Route::line, cartesian = geometry.route == Route::cartesian;
  const auto refuse = [&](bool given, const char* key, const std::string& why) {
    if (given) context.add(place + "/" + key, std::string(key) + " " + why + "; take it out");
  };
  if (line) {
    refuse(beam.waist_y.has_value(), "waist", "has one value on the route line, where nothing changes along y");
    refuse(beam.y != 0, "y", "has no meaning on the route line, where nothing changes along y");
    refuse(beam.tilt_y != 0, "tilt_y", "has no meaning on the route line, where nothing changes along y");
  } else if (!cartesian) {
    const std::string why = geometry.route == Route::radial
                                ? "has no meaning on the route radial, where the beam is round about the axis"
                                : "on the route modal" + kNotBuilt + ": the beam is round about the axis";
    refuse(beam.waist_y.has_value(), "waist", "as a list " + why);
    refuse(beam.x != 0, "x", why);
    refuse(beam.y != 0, "y", why);
    refuse(beam.tilt_x != 0, "tilt_x", why);
    refuse(beam.tilt_y != 0, "tilt_y", why);
  }
  if (beam.lens && beam.focus != 0)
    context.add(place + "/lens", "a beam has a lens or a focus, not both, and the focus here is " +
                                     short_number(beam.focus) +
                                     " m; the lens makes a focus of its own, so take one of them out");
  if (geometry.route == Route::modal) {
    const std::string why = "on the route modal" + kNotBuilt + ": the modes get the beam in its waist";
    refuse(beam.focus != 0, "focus", why);
    refuse(beam.lens.has_value(), "lens", why);
  }
  if (!(beam.waist > 0) || !(wavelength > 0)) return;
  const double radius = radius_at_launch(beam.waist, beam.focus, wavelength);
  const double other = beam.waist_y.value_or(beam.waist);
  if (line || cartesian) {
    check_beam_along(place, "x", radius, beam.x, geometry.half_width, context);
    check_tilt(place + "/tilt_x", beam.tilt_x, geometry.half_width, geometry.points, wavelength, context);
  }
  if (cartesian && other > 0) {
    check_beam_along(place, "y", radius_at_launch(other, beam.focus, wavelength), beam.y, geometry.half_height,
                     context);
    check_tilt(place + "/tilt_y", beam.tilt_y, geometry.half_height, geometry.points_y, wavelength, context);
  }
  if (geometry.route == Route::radial && geometry.radius > 0 && !(radius < geometry.radius))
    context.add(place + "/waist", "the beam's radius in the launch plane is " + short_number(radius) +
                                      " m and does not fit into /geometry/radius (" + short_number(geometry.radius) +
                                      " m); make that several times larger");
}

void check_pulse(const Pulse& pulse, const std::string& place, const Problem& problem, Context& context) {
  const Geometry& geometry = problem.uppe->geometry;
  const bool modal = geometry.route == Route::modal, free = in_free_space(geometry.route);
  if (free && !pulse.beam && pulse.shape != Shape::run)
    context.add(place + "/beam", R"(free space needs a beam; write for example "beam": {"waist": "50 um"})");
  if (!free && !modal && pulse.beam)
    context.add(place + "/beam",
                "there is one mode on the route mode-averaged, and all power is in it; take the beam out");
  if (!modal && !pulse.modes.empty())
    context.add(place + "/modes", "modes share the power on the route modal alone; take them out");
  if (modal && pulse.beam && !pulse.modes.empty())
    context.add(place + "/modes", "the beam says already how the modes share the power; give one of them");
  if (modal) {
    for (const auto& [mode, share] : pulse.modes) {
      const auto same = [&, &name = mode](const std::string& one) { return short_mode(one) == short_mode(name); };
      if (std::any_of(geometry.modes.begin(), geometry.modes.end(), same)) continue;
      context.add(place + "/modes/" + printable(mode),
                  in_quotes(mode) + " is not among /geometry/modes: " + listed(geometry.modes));
    }
  }
  for (const auto& [value, key] : {std::pair{pulse.polarisation, "polarisation"}, {pulse.ellipticity, "ellipticity"}}) {
    if (value == 0) continue;
    if (modal)
      context.add(place + "/" + key, std::string(key) +
                                         " on the route modal is that of its modes; share the power "
                                         "among them, like \"modes\": {\"HE11x\": 0.5, \"HE11y\": 0.5}");
    else if (geometry.polarisations == 1)
      context.add(place + "/" + key,
                  free ? "the field has one polarisation; write \"polarisations\": 2 into /geometry, or "
                         "take " +
                             std::string(key) + " out"
                       : "the route mode-averaged has one polarisation; take " + std::string(key) +
                             " out, or take the route modal");
  }
  if (pulse.beam)
    check_beam(*pulse.beam, place + "/beam", geometry, pulse.wavelength.value_or(problem.wavelength), context);
}

void check_edges(const Problem& problem, const Sound& sound, Context& context) {
  const Uppe& uppe = *problem.uppe;
  const Boundary& boundary = uppe.boundary;
  const double length = problem.medium.length;
  if (boundary.band && sound.time && !problem.time.band)
    context.add("/boundary/band",
                "an absorber in band acts beyond the ends of /time/band, and a grid of \"points\" has none; write "
                "\"band\": [\"500 nm\", \"1500 nm\"] in place of \"points\" in /time, or false here");
  if (boundary.space && sound.geometry && !in_free_space(uppe.geometry.route))
    context.add("/boundary/space", "an absorber in space is of the routes radial, line and cartesian; write false");
  if (boundary.length && length > 0 && *boundary.length > length)
    context.add("/boundary/length", short_number(*boundary.length) +
                                        " m is out of range: an absorber acts within the medium's length (" +
                                        short_number(length) + " m)");
  const double places = boundary.length && length > 0 ? kPlacesALength * length / *boundary.length : 0;
  if ((boundary.time || boundary.space) && places > kMostPlacesOfAbsorbers)
    context.add("/boundary/length", short_number(*boundary.length) + " m makes " + short_number(std::ceil(places)) +
                                        " places where the absorbers act, and the march stops at each; write " +
                                        short_number(kPlacesALength * length / kMostPlacesOfAbsorbers) +
                                        " m or more, or leave it out for a twentieth of the length");
}

}  // namespace

void check_uppe_whole(const Problem& problem, Context& context, const Sound& sound) {
  const Uppe& uppe = *problem.uppe;
  if (sound.geometry && sound.medium) check_medium_in_route(uppe, context);
  if (sound.medium) check_medium(uppe, problem.wavelength, context);
  if (sound.medium) check_birefringence(uppe, sound.geometry, context);
  if (sound.medium) check_pins(problem, context);
  if (sound.geometry) check_modes(uppe, sound.medium, context);
  if (sound.time && sound.field && uppe.field == FieldKind::real && !problem.time.band)
    context.add("/time/band",
                "a real field needs the band that is propagated; write \"band\": [\"160 nm\", \"3000 nm\"] "
                "in place of \"points\"");
  if (problem.time.band && problem.time.window > 0) {
    const double points = 6 * problem.time.window * kSpeedOfLight / problem.time.band->shortest;
    if (points > static_cast<double>(kMostPoints))
      context.add("/time/band", "the window at six samples a period of the shortest wavelength has " +
                                    short_number(points) + " points, above 67108864; take a shorter window or band");
  }
  if (sound.geometry) {
    for (std::size_t i = 0; i < problem.launch.size(); ++i)
      check_pulse(problem.launch[i], "/launch/" + std::to_string(i), problem, context);
  }
  if (sound.field && uppe.field == FieldKind::real) {
    for (std::size_t i = 0; i < problem.launch.size(); ++i) {
      if (problem.launch[i].shape == Shape::cw)
        context.add("/launch/" + std::to_string(i) + "/shape",
                    "cw in a real field" + kNotBuilt + "; write \"field\": \"envelope\", or a long supergauss");
    }
  }
  check_edges(problem, sound, context);
}

}  // namespace lumarch::problem
