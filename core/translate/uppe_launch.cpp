// SPDX-License-Identifier: Apache-2.0
#include "translate/uppe_launch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <utility>

#include <lumarch/error.hpp>

#include "media/constants.hpp"
#include "translate/blocks.hpp"
#include "translate/file_order.hpp"
#include "translate/photon_phase.hpp"

namespace lumarch {

namespace {

constexpr double pi = constants::pi, c = constants::c;

// A pulse's spectrum in the state's own order and scale; energy: of the whole pulse, J.
struct Spectrum {
  std::vector<Complex> row;
  double energy = 0, kept = 0;
};

Spectrum spectrum_of(const Pulse& pulse, const Problem& problem, const UppeTables& tables,
                     const Transforms& transforms) {
  const BandGrid& grid = tables.grid;
  std::vector<Complex> field =
      pulse_field(pulse, {grid.times, grid.dt(), grid.half() ? 0 : grid.omega0}, problem.wavelength, transforms);
  Spectrum spectrum;
  for (const Complex& a : field) spectrum.energy += std::norm(a) * grid.dt();
  transforms.to_frequency(field);
  const double scale = (grid.half() ? 0.5 : 1) / static_cast<double>(grid.times);  // of a real field: half its signal
  spectrum.row.assign(static_cast<std::size_t>(grid.samples), 0.0);
  for (std::size_t k = 0; k < spectrum.row.size(); ++k) {
    if (grid.weight[k] == 0) continue;
    spectrum.row[k] = scale * field[k];
    spectrum.kept += grid.window * grid.share(static_cast<std::int64_t>(k)) * std::norm(spectrum.row[k]);
  }
  return spectrum;
}

// (x, y) of the polarisation: an ellipse of unit size, its major axis at an angle from y towards x.
std::array<Complex, 2> polarisation_of(const Pulse& pulse) {
  const double size = 1 / std::sqrt(1 + pulse.ellipticity * pulse.ellipticity);
  const Complex minor(0, pulse.ellipticity * size);
  const double s = std::sin(pulse.polarisation), t = std::cos(pulse.polarisation);
  return {s * size + t * minor, t * size - s * minor};
}

// The share of a pulse's amplitude in each mode.
std::vector<Complex> amplitudes(const Pulse& pulse, const UppeTables& tables, std::string& lost) {
  const auto& names = tables.optics->mode_names();
  std::vector<Complex> found(names.size(), 0.0);
  for (const auto& [name, share] : pulse.modes) {
    const auto same = [wanted = parse_mode(name)](const std::string& known) { return parse_mode(known) == wanted; };
    const auto at = std::find_if(names.begin(), names.end(), same);
    if (at == names.end()) throw Error(Fault::problem, "/launch: the mode " + name + " is not among /geometry/modes");
    found[static_cast<std::size_t>(at - names.begin())] += std::sqrt(share);
  }
  if (!pulse.modes.empty()) return found;
  if (!pulse.beam || tables.route != Route::modal) {
    found.front() = 1;
    return found;
  }
  // the overlap with a round Gaussian beam of power 1 in its waist
  const double w = pulse.beam->waist, peak = std::sqrt(2 / (tables.intensity * pi * w * w));
  const auto e = polarisation_of(pulse);
  double sum = 0;
  const auto nodes = static_cast<std::size_t>(tables.space_inner);
  for (std::size_t j = 0; j < found.size(); ++j) {
    for (std::int64_t component = 0; component < tables.space_components; ++component)
      for (std::size_t q = 0; q < nodes; ++q) {
        const double r = tables.node_radius[q] / w;
        const Complex axis = tables.space_components == 2 ? e[static_cast<std::size_t>(component)] : e[1];
        found[j] += tables.intensity * peak * std::exp(-r * r) * axis *
                    tables.to_state[(static_cast<std::size_t>(component) * found.size() + j) * nodes + q];
      }
    sum += std::norm(found[j]);
  }
  if (sum < 0.99) {
    char text[120];
    std::snprintf(text, sizeof text, "the modes take %.3g of the beam's power; the rest is lost at the entrance", sum);
    lost = text;
  }
  return found;
}

// A Gaussian beam's transform over x and y at a frequency; its peak is of no matter, the whole is scaled to its energy.
class BeamAt {
public:
  BeamAt(const Beam& beam, const Transverse& nodes, double omega)
      : beam_(beam),
        nodes_(nodes),
        k_(omega / c),
        tilt_x_(k_ * std::sin(beam.tilt_x)),
        tilt_y_(k_ * std::sin(beam.tilt_y)),
        width_x_(1 / (beam.waist * beam.waist)),
        width_y_(width_x_) {
    if (beam.waist_y) width_y_ = 1 / (*beam.waist_y * *beam.waist_y);
    if (!beam.lens) return;
    if (beam.focus != 0)
      throw Error(Fault::problem, "/launch: a beam has a lens or a focus, not both; the lens makes a focus of its own");
    const Complex curvature(0, k_ / (2 * *beam.lens));
    width_x_ += curvature;
    width_y_ += curvature;
  }
  [[nodiscard]] Complex operator()(std::int64_t y, std::int64_t x) const {
    const bool fourier = nodes_.fourier(), plane = nodes_.route() == Route::cartesian;
    const double kx = nodes_.kx(x), ky = nodes_.ky(y);
    const double from_x = kx - tilt_x_, from_y = ky - tilt_y_;
    Complex value =
        (fourier ? std::sqrt(pi / width_x_) : pi / width_x_) * std::exp(-from_x * from_x / (4.0 * width_x_));
    if (plane) value *= std::sqrt(pi / width_y_) * std::exp(-from_y * from_y / (4.0 * width_y_));
    if (beam_.focus != 0) {
      const double square = k_ * k_ - kx * kx - ky * ky;
      if (square <= 0) return 0;  // nothing of a distant beam arrives there
      value *= std::polar(1.0, -beam_.focus * (std::sqrt(square) - k_));
    }
    // the transform's origin is the first sample
    if (fourier) value *= std::polar(1.0, kx * (nodes_.x(0) - beam_.x));
    if (plane) value *= std::polar(1.0, ky * (nodes_.y(0) - beam_.y));
    return value / nodes_.to_file(y, x);
  }

private:
  const Beam& beam_;
  const Transverse& nodes_;
  double k_, tilt_x_, tilt_y_;
  Complex width_x_, width_y_;
};

// Adds a beam to a state; `dark`: one that is 0 so far. A volume is not held twice: the beam is made once for its
// energy, into the state where that is dark, and else made again.
void add_beam(const Pulse& pulse, const UppeTables& tables, const Spectrum& spectrum, bool dark, int threads,
              std::vector<Complex>& state) {
  if (!pulse.beam)
    throw Error(Fault::problem, "/launch: a pulse in free space needs a beam, like {\"waist\": \"1 mm\"}");
  if (spectrum.kept == 0) return;
  const std::int64_t nodes = tables.outer * tables.inner, samples = tables.grid.samples;
  std::vector<std::pair<std::int64_t, BeamAt>> beams;  // of each frequency that there is
  for (std::int64_t k = 0; k < samples; ++k)
    if (spectrum.row[static_cast<std::size_t>(k)] != 0.0)
      beams.emplace_back(k, BeamAt(*pulse.beam, *tables.transverse, tables.grid.omega(k)));
  const auto value = [&](std::int64_t node, const std::pair<std::int64_t, BeamAt>& beam) {
    return spectrum.row[static_cast<std::size_t>(beam.first)] * beam.second(node / tables.inner, node % tables.inner);
  };
  const auto e = polarisation_of(pulse);
  const bool two = tables.own_components == 2;
  const auto plane = static_cast<std::size_t>(nodes * samples);
  std::vector<double> energies(static_cast<std::size_t>(blocks_of(nodes)));
  in_blocks(nodes, threads, [&](std::int64_t block, std::int64_t from, std::int64_t to) {
    double energy = 0;
    for (std::int64_t node = from; node < to; ++node)
      for (const auto& beam : beams) {
        const auto at = static_cast<std::size_t>(node * samples + beam.first);
        const Complex field = value(node, beam);
        if (dark) state[at] = field;
        energy += (two ? std::norm(e[0]) * tables.energy[at] + std::norm(e[1]) * tables.energy[plane + at]
                       : tables.energy[at]) *
                  std::norm(field);
      }
    energies[static_cast<std::size_t>(block)] = energy;
  });
  const double energy = std::accumulate(energies.begin(), energies.end(), 0.0);
  if (!std::isfinite(spectrum.kept) || !std::isfinite(energy))
    throw Error(Fault::problem, "/launch: the energy of a pulse is beyond all numbers; launch less");
  if (!(energy > 0))
    throw Error(Fault::problem, "/launch: nothing of a beam lies on the nodes across; take more /geometry/points");
  const double scale = std::sqrt(spectrum.kept / energy);
  const Complex first = scale * (tables.components == 2 ? e[0] : Complex(1)), second = scale * e[1];
  Complex* other = tables.components == 2 ? state.data() + plane : nullptr;
  in_blocks(nodes, threads, [&](std::int64_t, std::int64_t from, std::int64_t to) {
    for (std::int64_t node = from; node < to; ++node)
      for (const auto& beam : beams) {
        const auto at = static_cast<std::size_t>(node * samples + beam.first);
        const Complex field = dark ? state[at] : value(node, beam);
        state[at] = (dark ? 0.0 : state[at]) + first * field;
        if (other) other[at] += second * field;
      }
  });
}

// A run's field, in the order and the scale of the state.
void add_stored(std::size_t pulse, const UppeTables& tables, const StoredFields& stored,
                std::vector<std::string>& warnings, std::vector<Complex>& state) {
  const BandGrid& grid = tables.grid;
  const std::vector<Complex> values =
      stored_values(pulse, {grid.half(), grid.rising_omega(), tables.axes}, stored, warnings);
  const std::vector<Complex> phases = file_phases(grid);
  const Complex* from = values.data();
  for_each_file_row(tables, [&](std::size_t first, Complex factor) {
    Complex* row = state.data() + first;
    for (std::int64_t j = 0; j < grid.samples; ++j, ++from) {
      const std::int64_t k = grid.rising(j);
      if (grid.weight[static_cast<std::size_t>(k)] == 0) continue;
      row[k] += *from / (factor * phases[static_cast<std::size_t>(j)]);
    }
  });
}

// One photon a mode with random phase (physics.md, 14), where something is propagated; added to `rows`.
void add_photons(const UppeTables& tables, std::uint64_t seed, int threads, std::vector<Complex>& rows) {
  const BandGrid& grid = tables.grid;
  const std::int64_t plane = tables.outer * tables.inner;
  // a photon's energy over what the square of a state counts there; evanescent waves have none
  const auto size = [&](std::int64_t node, std::int64_t k) {
    const std::int64_t own = tables.own_components == 1 ? node % plane : node;
    const double energy = tables.energy[static_cast<std::size_t>(own * grid.samples + k)];
    return energy > 0 ? std::sqrt(constants::hbar * grid.omega(k) / energy) : 0;
  };
  if (tables.transverse) {  // many: the phase of each is a function of its place, whoever asks first
    in_blocks(tables.nodes(), threads, [&](std::int64_t, std::int64_t from, std::int64_t to) {
      for (std::int64_t i = from * grid.samples; i < to * grid.samples; ++i)
        if (const double of = size(i / grid.samples, i % grid.samples); of > 0)
          rows[static_cast<std::size_t>(i)] += std::polar(of, photon_phase(seed, static_cast<std::uint64_t>(i)));
    });
    return;
  }
  std::mt19937_64 random(seed);
  for (std::int64_t node = 0; node < tables.nodes(); ++node)
    for (std::int64_t k = 0; k < grid.samples; ++k) {
      const double phase = random_phase(random);
      rows[static_cast<std::size_t>(node * grid.samples + k)] += std::polar(size(node, k), phase);
    }
}

}  // namespace

// The share of the beam that propagates on these nodes, at the pulse's own frequency: what the sum over them has of the
// integral over the plane, which is known.
std::string unresolved_beam(const Pulse& pulse, const Problem& problem, const UppeTables& tables) {
  if (!pulse.beam || !tables.transverse) return "";
  const Transverse& nodes = *tables.transverse;
  const BandGrid& grid = tables.grid;
  const double own = 2 * pi * c / pulse.wavelength.value_or(problem.wavelength);
  std::int64_t nearest = 0;
  for (std::int64_t k = 1; k < grid.samples; ++k)
    if (std::abs(grid.omega(k) - own) < std::abs(grid.omega(nearest) - own)) nearest = k;
  const BeamAt beam(*pulse.beam, nodes, grid.omega(nearest));
  double held = 0;
  for (std::int64_t y = 0; y < tables.outer; ++y)
    for (std::int64_t x = 0; x < tables.inner; ++x)
      if (tables.energy[tables.at(y, x, nearest)] > 0) held += nodes.measure() * std::norm(beam(y, x));
  const double wx = pulse.beam->waist, wy = pulse.beam->waist_y.value_or(wx);
  const double share = held / (nodes.route() == Route::line ? std::sqrt(pi / 2) * wx : pi / 2 * wx * wy);
  if (!(share < 0.99)) return "";
  char text[200];
  std::snprintf(text, sizeof text,
                "the nodes across hold %.3g of its beam's angles, and what is launched is another beam; take more "
                "/geometry/points",
                share);
  return text;
}

Launch build_launch(const Problem& problem, const UppeTables& tables, const Transforms& transforms,
                    std::vector<std::string>& warnings, const StoredFields& stored) {
  Launch launch;
  const auto samples = static_cast<std::size_t>(tables.grid.samples);
  launch.state.assign(static_cast<std::size_t>(tables.nodes()) * samples, 0.0);
  bool dark = true;
  for (std::size_t i = 0; i < problem.launch.size(); ++i) {
    const Pulse& pulse = problem.launch[i];
    if (pulse.run) {
      add_stored(i, tables, stored, warnings, launch.state);
      dark = false;
      continue;
    }
    const Spectrum spectrum = spectrum_of(pulse, problem, tables, transforms);
    const std::string name = "pulse " + std::to_string(i) + ": ";
    if (spectrum.kept < 0.999 * spectrum.energy) {
      char text[160];
      std::snprintf(text, sizeof text,
                    "%.3g of its energy lies outside of the band and is not launched; a wider /time/band",
                    1 - spectrum.kept / spectrum.energy);
      warnings.push_back(name + text);
    }
    if (!tables.optics->guided()) {
      if (const std::string why = unresolved_beam(pulse, problem, tables); !why.empty()) warnings.push_back(name + why);
      add_beam(pulse, tables, spectrum, dark, problem.backend.threads, launch.state);
      dark = false;
      continue;
    }
    std::string lost;
    const std::vector<Complex> shares = amplitudes(pulse, tables, lost);
    if (!lost.empty()) warnings.push_back(name + lost);
    for (std::size_t j = 0; j < shares.size(); ++j)
      for (std::size_t k = 0; k < samples; ++k) launch.state[j * samples + k] += shares[j] * spectrum.row[k];
  }
  if (problem.noise) {
    const bool apart = problem.noise->enters == Noise::Enters::nonlinear;
    if (apart) launch.noise.assign(launch.state.size(), 0.0);
    add_photons(tables, problem.noise->seed, problem.backend.threads, apart ? launch.noise : launch.state);
  }
  return launch;
}

}  // namespace lumarch
