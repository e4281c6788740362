// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "problem/parts.hpp"
#include "problem/tables.hpp"
#include "problem/text.hpp"
#include "problem/uppe.hpp"

namespace lumarch::problem {

namespace {

// What a shape has no use for would be ignored, so it is refused.
void refuse_useless(const Object& object, Shape shape) {
  std::vector<const char*> useless;
  if (shape == Shape::cw)
    useless = {"fwhm", "t0", "energy", "order", "delay", "chirp", "gdd", "tod", "spectral_phase", "plates"};
  if (shape == Shape::file) useless = {"fwhm", "t0", "order", "chirp"};
  if (shape == Shape::gauss || shape == Shape::sech) useless = {"order"};
  if (shape == Shape::run)  // the field is launched as it stands in the file
    useless = {"fwhm", "t0",  "peak_power",     "energy", "wavelength", "order", "delay",        "chirp",      "gdd",
               "tod",  "cep", "spectral_phase", "plates", "beam",       "modes", "polarisation", "ellipticity"};
  if (shape != Shape::file && shape != Shape::run) useless.push_back("file");
  if (shape != Shape::file) useless.insert(useless.end(), {"columns", "units"});
  if (shape != Shape::run) useless.push_back("plane");
  for (const char* key : useless) {
    if (!object.has(key)) continue;
    const std::string& name = choices::shape.words[static_cast<std::size_t>(shape)];
    object.node().context->add(object.pointer_of(key), "the key \"" + std::string(key) +
                                                           "\" has no meaning for the shape " + name + "; take it out");
  }
}

void one_of(const Object& object, const char* first, const char* second, const char* example, bool needed) {
  if (object.has(first) && object.has(second)) {
    object.node().context->add(object.pointer_of(second),
                               std::string(first) + " and " + second + " say the same thing; give one of them");
  } else if (needed && !object.has(first) && !object.has(second)) {
    object.node().context->add(object.pointer_of(first), "the key \"" + std::string(first) + "\" (or \"" + second +
                                                             "\") is missing; write for example " + example);
  }
}

std::vector<Plate> read_plates(const Node& node) {
  std::vector<Plate> plates;
  if (!is_list(node, R"([{"material": "fused-silica", "thickness": "1 mm"}])")) return plates;
  for (std::size_t i = 0; i < node.value->size(); ++i) {
    const Object object(node.item(i), kinds::plate);
    if (!object.valid()) continue;
    Plate plate;
    if (const auto material = object.need("material", "\"fused-silica\"")) plate.material = read_material(*material);
    plate.thickness = quantity(object.need("thickness", "\"1 mm\""), {kLength, "1 mm"}, Sign::positive).value_or(0);
    plates.push_back(plate);
  }
  return plates;
}

void read_phases(const Object& object, Pulse& pulse) {
  pulse.delay = quantity(object.get("delay"), {kTime, "100 fs"}).value_or(0);
  pulse.chirp = quantity(object.get("chirp"), {kNumber, "2"}).value_or(0);
  pulse.gdd = quantity(object.get("gdd"), {{.time = 2}, "100 fs^2"}).value_or(0);
  pulse.tod = quantity(object.get("tod"), {{.time = 3}, "100 fs^3"}).value_or(0);
  pulse.cep = quantity(object.get("cep"), {kAngle, "0.5 rad"}).value_or(0);
  if (const auto table = object.get("spectral_phase"))
    pulse.spectral_phase = read_curve(*table, {kAngle, "rad"}, Sign::any);
  if (const auto plates = object.get("plates")) pulse.plates = read_plates(*plates);
}

void read_file(const Object& object, Pulse& pulse, bool line) {
  bool relative = false;
  pulse.samples = read_samples(object, relative);
  if (!pulse.samples) return;
  const auto& power = pulse.samples->power;
  const bool dark = std::none_of(power.begin(), power.end(), [](double value) { return value > 0; });
  const bool scaled = object.has("peak_power") || object.has("energy");
  if (relative && !scaled) {
    object.node().context->add(object.pointer_of("peak_power"),
                               "the file's power has the unit \"1\", so peak_power or energy has to scale it");
  }
  if (line && !relative) {
    object.node().context->add(
        object.pointer_of("units"),
        "the power of a line is one per metre of y and the file's is in W; give it the unit \"1\" "
        "and scale it by peak_power, like \"10 kW/mm\", or energy");
  }
  if (dark && scaled) {
    object.node().context->add(object.pointer_of("file"),
                               printable(pulse.samples->file) + " holds no power above zero that could be scaled");
  }
}

void read_run(const Object& object, Pulse& pulse) {
  Pulse::Run run;
  if (const auto file = object.need("file", "\"before.h5\"")) run.file = note_file(*file).value_or("");
  if (const auto plane = object.get("plane"))
    run.plane = integer(*plane, -kMostPlanes, kMostPlanes - 1).value_or(run.plane);
  pulse.run = run;
}

// How it lies in space and which way it swings (uppe).
void read_space(const Object& object, Pulse& pulse) {
  if (const auto beam = object.get("beam")) read_beam(*beam, pulse);
  if (const auto modes = object.get("modes")) read_mode_shares(*modes, pulse);
  pulse.polarisation = quantity(object.get("polarisation"), {kAngle, "45 deg"}).value_or(0);
  const auto ellipticity = object.get("ellipticity");
  pulse.ellipticity = quantity(ellipticity, {kNumber, "1"}).value_or(0);
  if (!(std::abs(pulse.ellipticity) <= 1)) {
    ellipticity->find(shown(*ellipticity->value) + " is out of range: an ellipticity is -1 to 1; 0 is linear");
    pulse.ellipticity = 0;
  }
}

Pulse read_pulse(const Node& node, const Problem& problem) {
  Pulse pulse;
  const bool uppe = problem.uppe.has_value();
  const bool line = uppe && problem.uppe->geometry.route == Route::line;  // its power is one per metre of y
  const Need power = line ? Need{kPowerPerLength, "10 kW/mm"} : Need{kPower, "10 kW"};
  const Need energy = line ? Need{kEnergyPerLength, "1 uJ/mm"} : Need{kEnergy, "500 pJ"};
  const Object object(node, uppe ? kinds::pulse : kinds::gnlse::pulse);
  if (!object.valid()) return pulse;
  const auto shape = object.need("shape", "\"sech\"");
  const auto index = shape ? choose(*shape, choices::shape) : std::nullopt;
  pulse.fwhm = quantity(object.get("fwhm"), {kTime, "50 fs"}, Sign::positive);
  pulse.t0 = quantity(object.get("t0"), {kTime, "28.4 fs"}, Sign::positive);
  pulse.peak_power = quantity(object.get("peak_power"), power, Sign::not_negative);
  pulse.energy = quantity(object.get("energy"), energy, Sign::not_negative);
  if (const auto wavelength = object.get("wavelength")) pulse.wavelength = read_wavelength(*wavelength);
  if (const auto order = object.get("order")) pulse.order = static_cast<int>(integer(*order, 1, 100).value_or(2));
  read_phases(object, pulse);
  if (uppe) read_space(object, pulse);
  if (!index) return pulse;
  pulse.shape = static_cast<Shape>(*index);
  refuse_useless(object, pulse.shape);
  if (pulse.shape == Shape::cw) {
    (void)object.need("peak_power", "\"10 W\"");
  } else if (pulse.shape == Shape::file) {
    one_of(object, "peak_power", "energy", "", false);
    read_file(object, pulse, line);
  } else if (pulse.shape == Shape::run) {
    read_run(object, pulse);
  } else {
    one_of(object, "fwhm", "t0", "\"fwhm\": \"50 fs\"", true);
    one_of(object, "peak_power", "energy", "\"peak_power\": \"10 kW\"", true);
  }
  return pulse;
}

}  // namespace

std::optional<double> read_wavelength(const Node& node) {
  const auto value = quantity(node, {kLength, "835 nm"}, Sign::positive);
  if (!value || (*value >= 1e-9 && *value <= 1e-3)) return value;
  node.find(shown(*node.value) + " is " + short_number(*value) +
            " m, out of range (1 nm to 1 mm); a plain number is in metres, write \"835 nm\"");
  return std::nullopt;
}

std::vector<Pulse> read_launch(const Node& node, const Problem& problem) {
  std::vector<Pulse> pulses;
  if (!is_list(node, R"([{"shape": "sech", "fwhm": "50 fs", "peak_power": "10 kW"}])")) return pulses;
  for (std::size_t i = 0; i < node.value->size(); ++i) pulses.push_back(read_pulse(node.item(i), problem));
  return pulses;
}

Noise read_noise(const Node& node) {
  Noise noise;
  const Object object(node, kinds::noise);
  if (!object.valid()) return noise;
  if (const auto model = object.need("model", "\"one-photon-per-mode\"")) (void)choose(*model, choices::noise);
  if (const auto seed = object.get("seed")) {
    // The seed has all 64 bits, more than integer() knows.
    if (seed->value->is_number_unsigned()) {
      noise.seed = seed->value->get<std::uint64_t>();
    } else {
      seed->find("the seed is a whole number from 0 to 18446744073709551615, not " + shown(*seed->value));
    }
  }
  if (const auto enters = object.get("enters")) {
    if (const auto index = choose(*enters, choices::enters)) noise.enters = static_cast<Noise::Enters>(*index);
  }
  return noise;
}

}  // namespace lumarch::problem
