// SPDX-License-Identifier: Apache-2.0
#include "problem/keys.hpp"

namespace lumarch::problem {

namespace {

const std::vector<std::string> kGasFill{"gas", "pressure", "temperature", "fit"};
const std::vector<std::string> kPins{"zero_dispersion", "dispersive_wave", "soliton_order"};

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

namespace kinds {
const Kind problem{"",
                   {"lumarch", "title", "model", "field", "wavelength", "time", "geometry", "medium", "responses",
                    "launch", "noise", "march", "boundary", "planes", "statistics", "output", "backend", "scan"},
                   {"kernel", "samples", "uniforms", "max_steps", "precision"}};
const Kind time{"time", {"window", "points", "band"}, {}};
const Kind geometry{
    "geometry", {"route", "mode", "modes", "radial_nodes", "radius", "half_width", "points", "polarisations"}, {}};
const Kind medium{"medium",
                  {"type", "length", "gamma", "n2", "effective_area", "dispersion", "loss"},
                  {"radius", "gas", "glass", "pressure", "gradient", "wall", "taper", "thickness", "mixture", "cells"}};
const Kind capillary{"capillary", joined({"type", "length", "radius", "wall", "model", "loss"}, kGasFill), {}};
const Kind antiresonant{"antiresonant",
                        joined({"type", "length", "radius", "wall", "wall_thickness", "model", "tubes", "tube_radius",
                                "loss", "birefringence"},
                               kGasFill),
                        {}};
const Kind step_index{"step-index", {"type", "length", "radius", "core", "cladding", "n2", "birefringence"}, {}};
const Kind graded_index{"graded-index", {"type", "length", "radius", "core", "cladding", "n2", "birefringence"}, {}};
const Kind tabulated{
    "tabulated", {"type", "length", "index", "loss", "effective_area", "n2", "gas", "pressure", "temperature"}, {}};
const Kind rectangular{
    "rectangular", joined({"type", "length", "half_width", "half_height", "wall", "loss"}, kGasFill), {}};
const Kind gas{"gas", joined({"type", "length"}, kGasFill), {}};
const Kind glass{"glass", {"type", "length", "material", "cut", "birefringence", "n2", "chi2", "poling_period"}, {}};
const Kind pressure{"pressure", joined({"from", "to", "z", "pressure"}, kPins), {}};
const Kind taper{"taper", joined({"z", "radius"}, kPins), {}};
const Kind dispersion{"dispersion", {"betas", "D", "S", "index", "propagation_constant"}, {}};
const Kind table{"table", {"file", "columns", "units"}, {}};
const Kind material_table{"material_table", {"file", "columns", "units"}, {}};
const Kind axes{"axes", {"x", "y"}, {}};
const Kind response{
    "response", {"type", "model", "fraction", "thg", "saturation_intensity", "rate", "rotation", "vibration"}, {}};
const Kind pulse{"pulse",
                 {"shape",        "fwhm",        "t0",   "peak_power", "energy",         "wavelength", "order", "delay",
                  "chirp",        "gdd",         "tod",  "cep",        "spectral_phase", "plates",     "beam",  "modes",
                  "polarisation", "ellipticity", "file", "columns",    "units",          "plane"},
                 {}};
const Kind plate{"plate", {"material", "thickness"}, {}};
const Kind beam{"beam", {"waist", "focus", "x", "y", "tilt_x", "tilt_y", "lens"}, {}};
const Kind noise{"noise", {"model", "seed", "enters"}, {}};
const Kind march{"march", {"integrator", "tolerance", "first_step", "max_step", "min_step", "schedule"}, {}};
const Kind replay{"replay", {"run"}, {}};
const Kind boundary{"boundary", {"edge", "time", "space", "band", "length"}, {}};
const Kind edge{"edge", {"threshold", "rim", "on_exceed", "strip"}, {}};
const Kind statistic{"statistic", {"quantity", "name", "far_field", "near_field"}, {}};
const Kind aperture{"aperture", {"type", "radius", "radii", "half_widths", "centre", "normal", "edge"}, {}};
const Kind output{"output", {"file", "fields", "compression", "checkpoint"}, {}};
const Kind checkpoint{"checkpoint", {"every"}, {}};
const Kind backend{"backend", {"name", "device", "threads", "plan"}, {}};
const Kind scan{"scan", {"axes", "mode", "layout", "executor"}, {}};
const Kind scan_axis{"scan_axis", {"path", "values", "linspace", "geomspace"}, {}};
const Kind executor{"executor", {"type", "parallel"}, {}};

namespace gnlse {
const Kind problem{"",
                   {"lumarch", "title", "model", "field", "wavelength", "time", "medium", "responses", "launch",
                    "noise", "march", "boundary", "planes", "statistics", "output", "backend", "scan"},
                   {"geometry", "kernel", "samples", "uniforms", "max_steps", "precision"}};
const Kind time{"time", {"window", "points"}, {"band"}};
const Kind response{
    "response", {"type", "model", "fraction"}, {"thg", "saturation_intensity", "rate", "rotation", "vibration"}};
const Kind pulse{"pulse",
                 {"shape", "fwhm", "t0", "peak_power", "energy", "wavelength", "order", "delay", "chirp", "gdd", "tod",
                  "cep", "spectral_phase", "plates", "file", "columns", "units", "plane"},
                 {"beam", "waist", "focus", "mode", "modes", "weights", "polarisation", "ellipticity"}};
const Kind boundary{"boundary", {"edge"}, {"time", "space", "band", "length"}};
}  // namespace gnlse
}  // namespace kinds

namespace choices {
const Choice model{"", "model", {"gnlse", "uppe"}, {"samples"}};
const Choice field{"", "field", {"envelope", "real"}, {}};
const Choice route{"geometry", "route", {"mode-averaged", "modal", "radial", "line", "cartesian"}, {}};
// The first is gnlse's, the others are uppe's in the order of the variant Medium.
const Choice medium{
    "",
    "medium",
    {"fibre", "capillary", "antiresonant", "step-index", "rectangular", "gas", "glass", "graded-index", "tabulated"},
    {}};
const Choice capillary_model{"capillary", "model", {"full", "reduced"}, {}};
const Choice antiresonant_model{"antiresonant", "model", {"zeisberger", "vincetti"}, {}};
const Choice fit{"capillary", "fit", {"standard", "ermolov"}, {"peck-fisher"}};
const Choice response{"response", "type", {"kerr", "self-steepening", "raman", "plasma", "chi2"}, {}};
const Choice raman{"response", "model", {"blow-wood", "lin-agrawal", "hollenbeck", "molecular"}, {}};
const Choice rate{"response", "rate", {"adk", "ppt"}, {}};
const Choice shape{"pulse", "shape", {"gauss", "sech", "supergauss", "cw", "file", "run"}, {"spectrum"}};
const Choice noise{"noise", "model", {"one-photon-per-mode"}, {}};
const Choice enters{"noise", "enters", {"nonlinear", "field"}, {}};
// The integrators that can march. Moving a word to the front list opens it, for files and for problems made in code.
const Choice integrator{"march", "integrator", {"erk43", "dp54", "low-storage", "adams"}, {}};
const Choice fields{"output", "fields", {"all", "last", "none"}, {}};
const Choice plan{"backend", "plan", {"estimate", "measure", "patient"}, {}};
const Choice aperture{"aperture", "type", {"circle", "ellipse", "rectangle", "half-plane"}, {}};
const Choice scan_mode{"scan", "mode", {"grid", "zip"}, {}};
const Choice scan_layout{"scan", "layout", {"arrays"}, {"groups"}};
const Choice executor{"executor", "type", {"local", "mpi"}, {"batch"}};
const Choice on_exceed{"edge", "on_exceed", {"warn", "stop", "refuse"}, {}};
// In the order of the enumeration Quantity without energy_band, which is read apart.
const Choice statistics{
    "",
    "statistics",
    {"energy",        "peak_power",       "fwhm_time",         "fwhm_time_widest",    "rms_time",
     "centroid_time", "centroid_omega",   "rms_omega",         "width_20db",          "photon_number",
     "mode_energy",   "peak_intensity",   "on_axis_intensity", "on_axis_fluence",     "beam_radius",
     "fwhm_r",        "density",          "pressure",          "core_radius",         "electron_density",
     "zdw",           "on_axis_spectrum", "on_axis_time",      "peak_ionisation_rate"},
    {}};

namespace gnlse {
const Choice field{"", "field", {"envelope"}, {"real"}};
const Choice medium{
    "medium",
    "type",
    {"fibre"},
    {"capillary", "antiresonant", "step-index", "rectangular", "gas", "glass", "graded-index", "tabulated"}};
const Choice response{"response", "type", {"kerr", "self-steepening", "raman"}, {"plasma", "chi2"}};
const Choice raman{"response", "model", {"blow-wood", "lin-agrawal", "hollenbeck"}, {"molecular"}};
const Choice statistics{"",
                        "statistics",
                        {"energy", "peak_power", "fwhm_time", "fwhm_time_widest", "rms_time", "centroid_time",
                         "centroid_omega", "rms_omega", "width_20db", "photon_number"},
                        {"mode_energy", "electron_density", "peak_ionisation_rate", "density", "pressure",
                         "core_radius", "zdw", "beam_radius", "fwhm_r", "on_axis_intensity", "on_axis_fluence",
                         "on_axis_spectrum", "on_axis_time", "peak_intensity"}};
}  // namespace gnlse
}  // namespace choices

const std::vector<const Kind*>& all_kinds() {
  using namespace kinds;
  static const std::vector<const Kind*> all{
      &problem,   &time,     &geometry, &medium,     &capillary, &antiresonant, &step_index, &rectangular,    &gas,
      &glass,     &pressure, &taper,    &dispersion, &table,     &graded_index, &tabulated,  &material_table, &axes,
      &response,  &pulse,    &plate,    &beam,       &noise,     &march,        &replay,     &boundary,       &edge,
      &statistic, &aperture, &output,   &checkpoint, &backend,   &scan,         &scan_axis,  &executor};
  return all;
}

const std::vector<const Choice*>& all_choices() {
  using namespace choices;
  static const std::vector<const Choice*> all{
      &model,     &field,      &route,       &medium,  &capillary_model, &antiresonant_model,
      &fit,       &response,   &raman,       &rate,    &shape,           &noise,
      &enters,    &integrator, &fields,      &plan,    &statistics,      &aperture,
      &on_exceed, &scan_mode,  &scan_layout, &executor};
  return all;
}

}  // namespace lumarch::problem
