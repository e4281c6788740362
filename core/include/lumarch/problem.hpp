// SPDX-License-Identifier: Apache-2.0
// A problem: typed, validated, in SI. What a problem file says; no grids and no tables of numbers derived from it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <lumarch/dimension.hpp>
#include <lumarch/error.hpp>
#include <lumarch/substances.hpp>

namespace lumarch {

// A curve read from a file: x rises strictly; both columns in SI (omega in rad/s whatever the file's unit was).
struct Curve {
  std::string file;
  std::vector<double> x, y;
};

enum class FieldKind { envelope, real };

// The shortest and the longest wavelength that are propagated, m; the grid follows (physics.md, 2).
struct Band {
  double shortest = 0, longest = 0;
};

struct TimeAxis {
  double window = 0;         // s, the whole width n dt; with a band it is at least this
  std::int64_t points = 0;   // any n >= 2; 0 with a band
  std::optional<Band> band;  // uppe alone; a real field needs one
};

// ---- geometry (uppe) ----

enum class Route { mode_averaged, modal, radial, line, cartesian };

struct Geometry {
  Route route = Route::mode_averaged;
  std::vector<std::string> modes;  // modal: "HE11", "HE12", ...; mode-averaged: one, HE11 where it is empty
  int polarisations = 1;           // components of the field, 1 (y) or 2
  double radius = 0;               // radial: the aperture R, m, where the field is 0
  double half_width = 0;           // line, Cartesian: half of the window along x, m
  double half_height = 0;          // Cartesian: along y, m
  std::int64_t points = 0;         // radial: zeros of J0; line, Cartesian: along x
  std::int64_t points_y = 0;       // Cartesian
  int radial_nodes = 64;           // modal: of the overlap integrals
};

// ---- media and guides (uppe) ----

// What a constant pressure or radius of a guide is to give, in place of its number: the smallest that does is taken.
struct Pin {
  // A wavelength where beta2 is 0; one that is phase-matched to the first pulse (without its nonlinear phase); the
  // soliton order of the first pulse.
  enum class Of { zero_dispersion, dispersive_wave, soliton_order } of = Of::zero_dispersion;
  double value = 0;  // m, m, 1
};

// A quantity along z: constant (one value, no z), or values at rising z from 0 to the length. Pressures go as
// p(z) = sqrt(p0^2 + (z/L)(p1^2 - p0^2)) from one to the next, radii and others linearly.
struct Profile {
  std::vector<double> z, value;
  std::optional<Pin> pin = std::nullopt;  // of the pressure or the radius; then there are no values
  [[nodiscard]] bool constant() const { return value.size() < 2; }
};

struct GasFill {
  struct Part {
    Gas gas = Gas::argon;
    double share = 1;  // of the pressure
  };
  std::vector<Part> parts;      // empty: vacuum
  Profile pressure;             // Pa
  double temperature = 293.15;  // K
  bool ermolov = false;         // the other fit of helium and argon
};

// A material by its name, by a table, or by a constant refractive index.
struct Material {
  std::optional<Glass> glass;
  double index = 1;
  std::optional<Curve> table = std::nullopt;       // omega -> n
  std::optional<Curve> extinction = std::nullopt;  // omega -> k, beside the table: the field falls as exp(-k omega z/c)
};
inline const Material kFusedSilica{Glass::fused_silica, 1};

struct Capillary {
  GasFill gas;
  Profile radius;  // m
  Material wall = kFusedSilica;
  bool reduced = false;  // Marcatili and Schmeltzer's reduced model (physics.md, 4)
  bool loss = true;
};
struct Antiresonant {
  GasFill gas;
  Profile radius;  // of the core, m
  Material wall = kFusedSilica;
  double wall_thickness = 0;  // m
  bool vincetti = false;      // else Zeisberger's model
  int tubes = 0;              // vincetti
  double tube_radius = 0;     // external, m; vincetti
  bool loss = true;
  double birefringence = 0;  // n_x - n_y of a mode's two orientations, here and below
};
struct StepIndex {
  Material core, cladding;
  double radius = 0;         // m
  std::optional<double> n2;  // m^2/W; the core's own where absent
  double birefringence = 0;
};
struct Rectangular {
  GasFill gas;
  double half_width = 0, half_height = 0;  // m
  Material wall = kFusedSilica;
  bool loss = true;
};
struct FreeGas {
  GasFill gas;
};
// With two polarisations x may have an index of its own: `material_x`, or a constant `birefringence`. With `cut` the
// crystal is uniaxial, its optic axis in the plane of x and z at this angle from z: `material_x` is the extraordinary
// principal index, `material` the ordinary one.
struct Solid {
  Material material;
  std::optional<double> n2;    // m^2/W; the material's own where absent
  std::optional<double> chi2;  // m/V; needed by the response chi2
  double poling_period = 0;    // m; 0: not poled
  std::optional<Material> material_x = std::nullopt;
  std::optional<double> cut = std::nullopt;  // rad, 0 to pi/2
  double birefringence = 0;
};
// eps(r) = eps_core - (eps_core - eps_cladding) (r/a)^2.
struct GradedIndex {
  Material core, cladding;
  double radius = 0;         // a, m
  std::optional<double> n2;  // m^2/W; the core's own where absent
  double birefringence = 0;
};
// One mode of a guide of any kind, by its measured or computed numbers.
struct TabulatedGuide {
  Curve index;                                // omega -> n_eff
  double loss = 0;                            // power, 1/m
  std::optional<Curve> loss_curve;            // omega -> 1/m
  std::optional<double> effective_area;       // m^2, constant
  std::optional<Curve> effective_area_curve;  // omega -> m^2
  std::optional<double> n2;                   // m^2/W
  GasFill gas;                                // what responds; n_eff has its index already
};
using Medium =
    std::variant<Capillary, Antiresonant, StepIndex, Rectangular, FreeGas, Solid, GradedIndex, TabulatedGuide>;

// ---- boundary (uppe) ----

// Absorbers with a rate (physics.md, 9): which of them are there.
struct Boundary {
  bool time = false, space = false, band = false;
  std::optional<double> length;  // ell, m; a twentieth of the medium's where absent
};

// ---- medium: fibre ----

struct BetaSeries {
  std::vector<double> betas;  // beta_2, beta_3, ... in s^k/m, about the problem's wavelength; may be empty
};
struct DispersionD {  // D and its slope at the problem's wavelength
  double d = 0;       // s/m^2
  double slope = 0;   // s/m^3
};
struct IndexCurve {
  Curve index;
};  // omega -> n_eff
struct PropagationCurve {
  Curve beta;
};  // omega -> beta, 1/m
using Dispersion = std::variant<BetaSeries, DispersionD, IndexCurve, PropagationCurve>;

struct Fibre {
  double length = 0;                          // m
  std::optional<double> gamma;                // 1/(W m); either this ...
  std::optional<double> n2;                   // m^2/W;   ... or n2 with an effective area
  std::optional<double> effective_area;       // m^2, constant
  std::optional<Curve> effective_area_curve;  // omega -> m^2 (physics: g = (A_eff(omega0)/A_eff(omega))^(1/4))
  Dispersion dispersion = BetaSeries{};
  double loss = 0;                  // power, 1/m (a file says dB/m or 1/m)
  std::optional<Curve> loss_curve;  // omega -> 1/m
};

// ---- responses ----

struct Kerr {
  bool third_harmonic = true;                  // uppe; a real field has it unless it is taken out
  std::optional<double> saturation_intensity;  // W/m^2 (uppe)
};
struct SelfSteepening {};  // gnlse; uppe always has it
enum class RamanModel { blow_wood, lin_agrawal, hollenbeck };
struct Raman {
  RamanModel model = RamanModel::blow_wood;
  std::optional<double> fraction;  // f_R; the model's own where absent (0.18, 0.245, 0.20)
};
// One that a plugin registers for the backend. Whether there is one of this name, and what it takes, is known once the
// backend is open: what does not fit ends the run before anything is written.
struct PluginResponse {
  struct Parameter {
    double value = 0;                    // SI
    std::optional<Dimension> dimension;  // of the unit that was written; none: a plain number, SI whatever it is
    std::string pointer;                 // where it stands in the problem file, for messages; may be empty
  };
  std::string name;  // "response.org.example.saturable_kerr"
  std::map<std::string, Parameter> parameters;
  std::string pointer;
};
// uppe, in gases: rotation and vibration of molecules (physics.md, 8).
struct MolecularRaman {
  bool rotation = true, vibration = true;  // those that the gas has
};
// uppe, real fields in gases (physics.md, 7).
struct Plasma {
  enum class Rate { adk, ppt } rate = Rate::ppt;
  double fraction = 0;  // ionised before the pulse, 0 to 1
};
struct Chi2 {};  // uppe, in a solid with chi2
using Response = std::variant<Kerr, SelfSteepening, Raman, PluginResponse, MolecularRaman, Plasma, Chi2>;

// ---- launch ----

// A Gaussian beam (radial, line, Cartesian routes; modal ones take its overlap with their modes).
struct Beam {
  double waist = 0;               // w0 (1/e^2 of the intensity), m
  std::optional<double> waist_y;  // line has none; where absent the waist is round
  double focus = 0;               // m behind the launch: where the waist lies, in vacuum; negative: it diverges
  double x = 0, y = 0;            // m: where its axis meets the launch plane
  double tilt_x = 0, tilt_y = 0;  // rad, towards +x, +y
  std::optional<double> lens;     // m: a thin lens of this focal length in the launch plane
};

// What a pulse goes through before the launch: its phase, less its delay. Without reflections and absorption.
struct Plate {
  Material material;
  double thickness = 0;  // m
};

enum class Shape { gauss, sech, supergauss, cw, file, run };
struct Pulse {
  Shape shape = Shape::sech;
  std::optional<double> fwhm, t0;            // s, of the power; exactly one (none for cw, file and run)
  std::optional<double> peak_power, energy;  // W (after the phases), J; exactly one; a file may have none (as read)
  std::optional<double> wavelength;          // m; the problem's where absent
  int order = 2;                             // supergauss: m in exp(-ln 2 (2 t/FWHM)^(2 m))
  double delay = 0;                          // s, later is positive
  double chirp = 0;                          // C in exp(-(1 + i C) t^2/(2 T0^2))
  double gdd = 0, tod = 0;                   // s^2, s^3, about the pulse's own wavelength
  double cep = 0;                            // rad
  std::optional<Curve> spectral_phase;       // omega -> rad, added to the others; stays as it is beyond its ends
  std::vector<Plate> plates;                 // in any order
  struct Samples {                           // shape file: a field in time
    std::string file;
    std::vector<double> t, power, phase;  // s, W (or any unit where peak_power or energy scales it), rad
  };
  std::optional<Samples> samples;
  struct Run {         // shape run: the field of an output file, as it is there; nothing else of the pulse counts
    std::string file;  // its path
    std::int64_t plane = -1;  // from 0; negative: from the end, -1 the last that has a field
  };
  std::optional<Run> run;
  // uppe. Power and energy are those of the whole pulse; a line's are per metre of y.
  std::optional<Beam> beam;                           // free space needs one
  std::vector<std::pair<std::string, double>> modes;  // modal: share of the power by mode; the first mode where empty
  double polarisation = 0;  // rad from y towards x, with two components; modal routes by their modes
  double ellipticity = 0;   // -1 to 1: 0 linear, 1 and -1 circular
};

struct Noise {
  std::uint64_t seed = 0;
  // nonlinear: the noise field enters the nonlinear operator only (Chen and Wise 2024); field: it is added at launch.
  enum class Enters { nonlinear, field } enters = Enters::nonlinear;
};

// ---- march, planes, output ----

enum class Integrator { erk43, dp54, adams, low_storage };
struct March {
  Integrator integrator = Integrator::erk43;
  double tolerance = 1e-7;           // of the relative 2-norm of the field, an attempt
  std::optional<double> first_step;  // m
  std::optional<double> max_step;    // m; half the length where absent
  std::optional<double> min_step;    // m; 1e-12 of the length where absent
  std::vector<double> schedule;      // m; fixed step lengths whose sum is the length; empty = adaptive
  std::string schedule_run;          // path of an output file whose accepted steps are replayed; empty: none
};

enum class Quantity {
  energy,
  peak_power,
  fwhm_time,
  fwhm_time_widest,
  rms_time,
  centroid_time,
  centroid_omega,
  rms_omega,
  width_20db,
  photon_number,
  energy_band,
  // uppe
  mode_energy,
  peak_intensity,
  on_axis_intensity,
  on_axis_fluence,
  beam_radius,
  fwhm_r,
  density,
  pressure,
  core_radius,
  electron_density,
  zdw,
  on_axis_spectrum,
  on_axis_time,
  peak_ionisation_rate
};
// A part of a plane of free space, its edge included: of the far field in k (1/m), of the near field in space (m).
struct Aperture {
  enum class Plane { far_field, near_field };
  enum class Shape { circle, ellipse, rectangle, half_plane };
  Plane plane = Plane::far_field;
  Shape shape = Shape::circle;
  double a = 0, b = 0;             // radii, half widths; of a half-plane a: normal . (x, y) >= a
  double x = 0, y = 0;             // centre
  std::array<double, 2> normal{};  // half-plane
  bool operator==(const Aperture&) const = default;
};
struct StatisticRequest {
  std::string name;  // as the file names it: "energy_band:200nm-300nm"
  Quantity quantity = Quantity::energy;
  double shortest = 0, longest = 0;    // m, energy_band
  std::optional<Aperture> aperture{};  // what passes it; of quantities of the spectrum and of the power
};

enum class Fields { all, last, none };
struct OutputRequest {
  std::string file;  // as written in the problem; empty: the problem file's name with .h5
  Fields fields = Fields::all;
  int compression = 0;  // deflate level, 0 = none
  // s: a checkpoint at the first step after so long, where no plane has come meanwhile; none: no checkpoints.
  std::optional<double> checkpoint_every = 600;
};

struct BackendRequest {
  std::string name = "cpu";
  int device = 0;
  int threads = 0;   // 0: as many as the machine has
  std::string plan;  // estimate | measure | patient; empty: the backend's own
};

// What a problem of the model uppe has beside the rest.
struct Uppe {
  FieldKind field = FieldKind::envelope;
  Geometry geometry;
  Medium medium;
  Boundary boundary;
};

// Whether light stands at the rims of the grid's windows: looked at at each plane, and at least 20 times a run.
struct EdgeCheck {
  enum class OnExceed { warn, stop, refuse };
  bool on = true;
  double threshold = 1e-3;  // the share of the energy in a rim from which it exceeds
  double rim = 0.05;        // width of a rim, in half widths of its window
  bool strip = false;       // a reading also holds what each node of a rim has
  OnExceed on_exceed = OnExceed::warn;
};

// A file that a problem names.
struct InputFile {
  std::string name;    // as it is written there
  std::string sha256;  // of what it held, hex
};

struct Problem {
  std::string title;
  double wavelength = 0;  // m, the reference: omega0 = 2 pi c/wavelength
  TimeAxis time;
  std::optional<Uppe> uppe;  // given: the model is uppe, and of `medium` only the length counts
  Fibre medium;
  std::vector<Response> responses;
  std::vector<Pulse> launch;
  std::optional<Noise> noise;
  March march;
  std::vector<double> planes;  // m, rising, first 0, last the length or less
  std::vector<StatisticRequest> statistics;
  EdgeCheck edge;
  OutputRequest output;
  BackendRequest backend;
  std::vector<std::string> files;  // what it was read from: the problem file, where there is one, and each it names
  std::vector<InputFile> inputs;   // those that it names
  std::string folder;              // where relative names start from, absolute; empty for a problem made in code
  std::string text;                // the problem as JSON text, with --set applied, without comments
  std::string digest;              // sha256 of the canonical text and of every file it names, hex
};

// Looks at the members of a problem that a program made or changed, as the reader looks at a file; pointers are those
// of a problem file. Throws ProblemError with all that is wrong. run() asks it of every problem.
void check_problem(const Problem& problem);

// One --set /pointer=value: value is JSON where it parses as JSON, else a string.
struct Override {
  std::string pointer, value;
};

// Takes "/pointer=value" apart at the first '='. Throws ProblemError.
[[nodiscard]] Override parse_override(const std::string& text);

// Reads a problem file (JSON with // comments). Files it names are relative to its folder. Throws ProblemError with all
// that is wrong; a file that is missing or unreadable too. Touches nothing.
[[nodiscard]] Problem read_problem(const std::filesystem::path& file, const std::vector<Override>& overrides = {});

// The same from text; `folder` is what relative file names start from.
[[nodiscard]] Problem parse_problem(const std::string& text, const std::vector<Override>& overrides = {},
                                    const std::filesystem::path& folder = ".");

}  // namespace lumarch
