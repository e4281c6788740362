// SPDX-License-Identifier: Apache-2.0
#include "run/describe_uppe.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

#include "march/march.hpp"
#include "media/constants.hpp"
#include "media/design.hpp"
#include "problem/integrators.hpp"
#include "problem/keys.hpp"
#include "run/memory.hpp"
#include "run/stored_launch.hpp"
#include "translate/uppe.hpp"
#include "translate/uppe_launch.hpp"

namespace lumarch {

namespace {

constexpr double pi = constants::pi, c = constants::c;

class Lines {
public:
  void head(const std::string& words) { text_ += words + "\n"; }
  void lines(const std::string& whole) { text_ += whole; }
  void line(const char* name, const char* pattern, ...) {
    va_list values;
    va_start(values, pattern);
    const std::string value = formatted(pattern, values), key = name;
    va_end(values);
    text_ += "  " + key + std::string(key.size() < 21 ? 21 - key.size() : 0, ' ') + " " + value + "\n";
  }
  void warn(const char* pattern, ...) {
    va_list values;
    va_start(values, pattern);
    warnings_.push_back(formatted(pattern, values));
    va_end(values);
  }
  void warn(const std::vector<std::string>& all) { warnings_.insert(warnings_.end(), all.begin(), all.end()); }
  [[nodiscard]] std::string text() const {
    std::string all = text_;
    for (const std::string& warning : warnings_) all += "warning: " + warning + "\n";
    return all;
  }

private:
  static std::string formatted(const char* pattern, va_list values) {
    char text[400];
    std::vsnprintf(text, sizeof text, pattern, values);
    return text;
  }
  std::string text_;
  std::vector<std::string> warnings_;
};

const char* words(Route route) {
  switch (route) {
    case Route::mode_averaged:
      return "mode-averaged";
    case Route::modal:
      return "modal";
    case Route::radial:
      return "radial";
    case Route::line:
      return "line";
    case Route::cartesian:
      return "Cartesian";
  }
  return "";
}

// Wavelengths that are propagated, m.
Range band_of(const UppeTables& tables) {
  Range band{HUGE_VAL, 0};
  for (std::int64_t k = 0; k < tables.grid.samples; ++k) {
    if (tables.grid.weight[static_cast<std::size_t>(k)] < 1) continue;
    band.shortest = std::min(band.shortest, 2 * pi * c / tables.grid.omega(k));
    band.longest = std::max(band.longest, 2 * pi * c / tables.grid.omega(k));
  }
  return band;
}

// The band without what lies beyond the data of a wall, whose index goes on there with a kink: no curvature is found at
// it.
Range smooth_band_of(const UppeTables& tables) {
  Range band = band_of(tables);
  constexpr double margin = 0.005;
  for (const Optics::Known& known : tables.optics->known()) {
    if (!known.kinked) continue;
    band.shortest = std::max(band.shortest, known.shortest * (1 + margin));
    band.longest = std::min(band.longest, known.longest * (1 - margin));
  }
  return band;
}

void describe_grid(const Problem& problem, const UppeTables& tables, Lines& out) {
  const BandGrid& grid = tables.grid;
  const Range band = band_of(tables);
  out.head("grid");
  out.line("route", "%s, %s", words(tables.route), grid.half() ? "real field" : "envelope");
  out.line("frequencies", "%lld", static_cast<long long>(grid.samples));
  out.line("window", "%.5g ps, dt %.4g fs (responses: %lld samples of %.4g fs)", grid.window * 1e12, grid.dt() * 1e15,
           static_cast<long long>(grid.fine), grid.dt_fine() * 1e15);
  out.line("band", "%.5g to %.5g nm", band.shortest * 1e9, band.longest * 1e9);
  if (tables.transverse) {
    const double step = tables.inner > 1 ? tables.transverse->x(1) - tables.transverse->x(0) : 0;
    out.line("nodes", tables.outer > 1 ? "%lld x %lld, step %.4g um" : "%lld, step %.4g um",
             static_cast<long long>(tables.inner), tables.outer > 1 ? static_cast<long long>(tables.outer) : 0LL,
             step * 1e6);
  } else {
    out.line("modes", "%lld, responses at %lld nodes", static_cast<long long>(tables.inner),
             static_cast<long long>(tables.space_inner));
  }
  if (grid.window > 1.0001 * problem.time.window)
    out.line("", "(the window was widened from %.5g ps to a whole number of samples)", problem.time.window * 1e12);
}

struct Local {
  double beta2 = 0, n2 = 0, index = 1, gamma = 0;
};

// Where x and y see other indices: how they get out of phase, apart in time, and apart in x.
void describe_axes(const Problem& problem, const Optics& optics, const Conditions& at, double omega0, Lines& out) {
  const double constant = optics.birefringence();
  if (constant == 0 && !optics.two_indices()) return;
  double difference = constant, group = constant / c;
  if (!optics.guided()) {
    const auto beta = [&](int component) -> Beta {
      return {[&, component](double omega) { return optics.surface(component, omega, at).n() * omega / c; },
              optics.dispersion(at).table()};
    };
    difference = optics.surface(0, omega0, at).n() - optics.surface(1, omega0, at).n();
    group = beta_derivative(beta(0), omega0, 1) - beta_derivative(beta(1), omega0, 1);
  }
  out.line("n_x - n_y", "%.5g, beat length %.5g m, x behind y by %.5g ps/m", difference,
           problem.wavelength / std::abs(difference), group * 1e12);
  const auto* solid = std::get_if<Solid>(&problem.uppe->medium);
  if (!solid || !solid->cut) return;
  const double k = omega0 / c, step = 1e-4 * k;
  const WaveSurface x = optics.surface(0, omega0, at);
  const double slope = (x.k_z(step, 0).real() - x.k_z(-step, 0).real()) / (2 * step);
  out.line("walk-off of x", "%.5g mrad, towards %cx", 1e3 * std::atan(std::abs(slope)), slope > 0 ? '-' : '+');
}

Local describe_medium(const Problem& problem, const UppeTables& tables, Lines& out) {
  const Optics& optics = *tables.optics;
  const double omega0 = tables.grid.omega0;
  out.head("medium");
  out.line("length", "%.5g m", problem.medium.length);
  for (const std::string& note : tables.notes) out.line("pinned", "%s", note.c_str());
  Local at_entrance;
  const auto& corners = optics.corners();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (i > 0 && optics.uniform()) break;
    const Conditions at = optics.at(corners[i]);
    if (!optics.uniform()) out.line("at", "%.5g m", corners[i]);
    if (!at.gases.empty()) out.line("gas", "%.5g bar, density %.5g 1/m^3", at.pressure * 1e-5, optics.density(at));
    if (at.radius > 0) out.line("radius", "%.5g um", at.radius * 1e6);
    const Beta beta = optics.dispersion(at);
    const auto derivatives = beta_derivatives(beta, omega0);
    Local local;
    local.beta2 = derivatives[2];
    local.index = optics.index(omega0, at);
    const double chi3 = optics.chi3(at);
    local.n2 = chi3 > 0 ? n2_of_chi3(chi3, local.index) : 0;
    out.line("n - 1, n2", "%.5g, %.4g m^2/W", local.index - 1, local.n2);
    out.line("beta2, beta3", "%.5g fs^2/m, %.5g fs^3/m", derivatives[2] * 1e30, derivatives[3] * 1e45);
    const Range band = smooth_band_of(tables);
    for (const double zero : zero_dispersion_wavelengths(beta, band))
      out.line("zero dispersion", "%.5g nm", zero * 1e9);
    describe_axes(problem, optics, at, omega0, out);
    const auto* tabulated = std::get_if<TabulatedGuide>(&problem.uppe->medium);
    if (tabulated && !tabulated->effective_area && !tabulated->effective_area_curve) {
      const std::complex<double> k = optics.wave_number(0, omega0, at);
      out.line("tabulated", "n_eff - 1 %.6g, loss %.4g dB/m, no effective area", k.real() * c / omega0 - 1,
               20 / std::log(10.0) * k.imag());
    } else if (optics.guided()) {
      local.gamma = nonlinear_parameter(local.n2, omega0, optics.area(0, at));
      for (std::size_t j = 0; j < optics.modes().size() && j < 12; ++j) {
        const std::complex<double> k = optics.wave_number(j, omega0, at);
        out.line(optics.mode_names()[j].c_str(), "n_eff - 1 %.6g, loss %.4g dB/m, A_eff %.5g um^2",
                 k.real() * c / omega0 - 1, 20 / std::log(10.0) * k.imag(), optics.area(j, at) * 1e12);
      }
      out.line("gamma", "%.4g 1/(W m)", local.gamma);
    }
    if (local.n2 > 0) {
      out.line("critical power", "%.4g W", critical_power(problem.wavelength, local.index, local.n2));
    }
    if (i == 0) at_entrance = local;
  }
  return at_entrance;
}

// A Gaussian beam along one axis: in the launch plane, and a length of the medium behind it.
struct Spot {
  double launch, far, rayleigh;
};

Spot spot_of(const Beam& beam, double waist, double wavelength, double index, double length) {
  const double vacuum = pi * waist * waist / wavelength, rayleigh = index * vacuum;
  const double launch = waist * std::hypot(1, beam.focus / vacuum);
  // a focus in vacuum is n times as far in the medium; a lens bends the phase in the launch plane
  if (beam.lens) return {launch, waist * std::hypot(1 - length / (index * *beam.lens), length / rayleigh), rayleigh};
  return {launch, waist * std::hypot(1, (length - index * beam.focus) / rayleigh), rayleigh};
}

void describe_beam(const Problem& problem, std::size_t i, double power, double index, const UppeTables& tables,
                   Lines& out) {
  const Pulse& pulse = problem.launch[i];
  const Beam& beam = *pulse.beam;
  const Geometry& geometry = problem.uppe->geometry;
  const bool line = tables.route == Route::line, cartesian = tables.route == Route::cartesian;
  const double wavelength = pulse.wavelength.value_or(problem.wavelength), length = problem.medium.length;
  const Spot x = spot_of(beam, beam.waist, wavelength, index, length);
  const Spot y = spot_of(beam, beam.waist_y.value_or(beam.waist), wavelength, index, length);
  if (beam.waist_y)
    out.line("waist", "%.5g um along x, %.5g um along y, Rayleigh lengths %.4g m, %.4g m", beam.waist * 1e6,
             *beam.waist_y * 1e6, x.rayleigh, y.rayleigh);
  else
    out.line("waist", "%.5g um, Rayleigh length %.4g m", beam.waist * 1e6, x.rayleigh);
  if (power > 0)
    out.line("peak intensity", "%.4g W/m^2 at the launch",
             line ? power * std::sqrt(2 / pi) / x.launch : 2 * power / (pi * x.launch * y.launch));
  const auto reaches = [&](const Spot& spot, double half, const char* where) {
    const double most = std::max(spot.launch, spot.far);
    if (2.5 * most > half)
      out.warn("pulse %zu: its beam grows to a radius of %.4g um and the grid reaches to %.4g um: enlarge %s", i,
               most * 1e6, half * 1e6, where);
  };
  if (tables.route == Route::radial)
    reaches(x, geometry.radius, "/geometry/radius");
  else
    reaches(x, geometry.half_width, "/geometry/half_width");
  if (cartesian && (beam.waist_y || geometry.half_height < geometry.half_width))
    reaches(y, geometry.half_height, "/geometry/half_width");
  if (const std::string why = unresolved_beam(pulse, problem, tables); !why.empty())
    out.warn("pulse %zu: %s", i, why.c_str());
}

void describe_pulses(const Problem& problem, const UppeTables& tables, const Local& local, Lines& out) {
  const Optics& optics = *tables.optics;
  const Conditions entrance = optics.at(0);
  for (std::size_t i = 0; i < problem.launch.size(); ++i) {
    const Pulse& pulse = problem.launch[i];
    const double t0 = natural_width(pulse), power = peak_power(pulse);
    out.head("pulse " + std::to_string(i));
    if (pulse.run) out.line("launched", "%s", describe_stored(pulse).c_str());
    if (!pulse.plates.empty())
      out.line("gdd", "%.5g fs^2, with its plates", second_order_phase(pulse, problem.wavelength) * 1e30);
    if (t0 > 0) out.line("T0", "%.5g fs", t0 * 1e15);
    const bool line = tables.route == Route::line;  // there powers are per metre, and none is critical
    if (power > 0) out.line("peak power", "%.5g %s (before its phases)", power, line ? "W/m" : "W");
    if (local.n2 > 0 && power > 0 && !line)
      out.line("of the critical", "%.4g", power / critical_power(problem.wavelength, local.index, local.n2));
    if (optics.guided() && t0 > 0 && power > 0 && local.gamma > 0) {
      const SolitonNumbers numbers = soliton_numbers(t0, local.beta2, local.gamma, power);
      out.line("lengths", "dispersion %.4g m, nonlinear %.4g m", numbers.dispersion_length, numbers.nonlinear_length);
      if (local.beta2 < 0) out.line("soliton", "order %.4g, fission at %.4g m", numbers.order, numbers.fission_length);
      const Beta beta = optics.dispersion(entrance);
      for (const double wave :
           phase_matched_wavelengths(beta, pulse.wavelength.value_or(problem.wavelength), smooth_band_of(tables)))
        out.line("phase-matched", "%.5g nm (without the pulse's nonlinear phase)", wave * 1e9);
      out.line("peak intensity", "%.4g W/m^2 (mode average)", power / optics.area(0, entrance));
    }
    if (pulse.beam && !optics.guided()) describe_beam(problem, i, power, local.index, tables, out);
  }
}

void describe_march(const Problem& problem, Lines& out) {
  const auto& all = problem::integrators;
  const auto which = std::find(all.begin(), all.end(), problem.march.integrator) - all.begin();
  out.head("march");
  out.line("integrator", "%s, tolerance %.3g",
           problem::choices::integrator.words.at(static_cast<std::size_t>(which)).c_str(), problem.march.tolerance);
  out.line("planes", "%zu", problem.planes.size());
}

// `samples`: of a state.
void describe_sizes(const Problem& problem, double samples, const BackendSearch& search, Lines& out) {
  out.lines(describe_memory(problem, search));
  if (problem.output.fields != Fields::none) {
    const double planes = problem.output.fields == Fields::all ? static_cast<double>(problem.planes.size()) : 1;
    out.line("fields in the file", "%.4g MB", planes * samples * 16e-6);
  }
}

}  // namespace

std::string describe_uppe(const Problem& problem, const BackendSearch& search) {
  UppeTables tables = translate_uppe(problem);
  MarchOptions marching;
  marching.length = problem.medium.length;
  marching.schedule = problem.march.schedule;
  marching.planes = problem.planes;
  check_schedule(marching);
  check_stored(problem, {tables.grid.half(), tables.grid.rising_omega(), tables.axes});
  Lines out;
  if (!problem.title.empty()) out.head(problem.title);
  describe_grid(problem, tables, out);
  const Local local = describe_medium(problem, tables, out);
  out.head("responses");
  if (tables.responses.empty()) out.line("none", "the medium is linear");
  for (const UppeResponse& response : tables.responses)
    out.line(response.kernel.c_str(), response.own     ? "of a plugin: found and checked when the backend is opened"
                                      : response.scale ? "changes along z"
                                                       : "the same all along");
  describe_pulses(problem, tables, local, out);
  describe_march(problem, out);
  out.warn(tables.warnings);
  const double samples = static_cast<double>(tables.nodes()) * static_cast<double>(tables.grid.samples);
  tables = {};  // they are made again, and may be large
  describe_sizes(problem, samples, search, out);
  return out.text();
}

}  // namespace lumarch
