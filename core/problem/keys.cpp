// SPDX-License-Identifier: Apache-2.0
#include "problem/keys.hpp"

namespace lumarch::problem {

namespace kinds {
const Kind problem{"",
                   {"lumarch", "title", "model", "field", "wavelength", "time", "medium", "responses", "launch",
                    "noise", "march", "boundary", "planes", "statistics", "output", "backend"},
                   {"geometry", "scan", "kernel", "samples", "uniforms", "max_steps", "precision", "pins"}};
const Kind time{"time", {"window", "points"}, {"band"}};
const Kind medium{"medium",
                  {"type", "length", "gamma", "n2", "effective_area", "dispersion", "loss"},
                  {"radius", "gas", "glass", "pressure", "gradient", "wall", "taper", "thickness", "mixture", "cells"}};
const Kind dispersion{"dispersion", {"betas", "D", "S", "index", "propagation_constant"}, {}};
const Kind table{"table", {"file", "columns", "units"}, {}};
const Kind response{"response", {"type", "model", "fraction"}, {"thg"}};
const Kind pulse{"pulse",
                 {"shape", "fwhm", "t0", "peak_power", "energy", "wavelength", "order", "delay", "chirp", "gdd", "tod",
                  "cep", "file", "columns", "units"},
                 {"waist", "focus", "mode", "modes", "weights", "polarisation", "run"}};
const Kind noise{"noise", {"model", "seed", "enters"}, {}};
const Kind march{"march", {"integrator", "tolerance", "first_step", "max_step", "min_step", "schedule"}, {}};
const Kind replay{"replay", {"run"}, {}};
const Kind boundary{"boundary", {"edge"}, {"time", "space", "band"}};
const Kind output{"output", {"file", "fields", "compression"}, {}};
const Kind backend{"backend", {"name", "device", "threads", "plan"}, {}};
}  // namespace kinds

namespace choices {
const Choice model{"", "model", {"gnlse"}, {"uppe", "samples"}};
const Choice field{"", "field", {"envelope"}, {"real"}};
const Choice medium{
    "medium", "type", {"fibre"}, {"capillary", "antiresonant", "step-index", "rectangular", "gas", "glass"}};
const Choice response{"response", "type", {"kerr", "self-steepening", "raman"}, {"plasma", "chi2"}};
const Choice raman{"response", "model", {"blow-wood", "lin-agrawal", "hollenbeck"}, {"molecular"}};
const Choice shape{"pulse", "shape", {"gauss", "sech", "supergauss", "cw", "file"}, {"run", "output", "spectrum"}};
const Choice noise{"noise", "model", {"one-photon-per-mode"}, {}};
const Choice enters{"noise", "enters", {"nonlinear", "field"}, {}};
const Choice integrator{"march", "integrator", {"erk43", "dp54"}, {"adams", "low-storage"}};
const Choice fields{"output", "fields", {"all", "last", "none"}, {}};
const Choice plan{"backend", "plan", {"estimate", "measure", "patient"}, {}};
// In the order of the enumeration Quantity; energy_band is read apart.
const Choice statistics{"",
                        "statistics",
                        {"energy", "peak_power", "fwhm_time", "fwhm_time_widest", "rms_time", "centroid_time",
                         "centroid_omega", "rms_omega", "width_20db", "photon_number"},
                        {"mode_energy", "electron_density", "peak_ionisation_rate", "density", "pressure",
                         "core_radius", "zdw", "mode_reconstruction_error", "beam_radius", "fwhm_r",
                         "on_axis_intensity", "on_axis_fluence", "on_axis_spectrum", "on_axis_time", "peak_intensity"}};
}  // namespace choices

const std::vector<const Kind*>& all_kinds() {
  using namespace kinds;
  static const std::vector<const Kind*> all{&problem, &time,  &medium, &dispersion, &table,  &response, &pulse,
                                            &noise,   &march, &replay, &boundary,   &output, &backend};
  return all;
}

const std::vector<const Choice*>& all_choices() {
  using namespace choices;
  static const std::vector<const Choice*> all{&model, &field,  &medium,     &response, &raman, &shape,
                                              &noise, &enters, &integrator, &fields,   &plan,  &statistics};
  return all;
}

}  // namespace lumarch::problem
