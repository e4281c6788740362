// The examples of the model uppe as they ship: what docs/guides-and-beams.md says of each comes out of it.
#include <doctest/doctest.h>

#include <algorithm>

#include "routes.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

Marched run_example(const std::string& name, const std::vector<Override>& changes = {}) {
  Problem p = read_problem(LUMARCH_SOURCE_DIR "/docs/examples/" + name + ".json", changes);
  p.output.fields = Fields::none;
  return march(p);
}

// A statistic by its name; all its planes.
std::vector<double> all(const Marched& s, const std::string& name, std::size_t part = 0) {
  const auto& asked = s.run.problem.statistics;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (asked[i].name != name) continue;
    std::vector<double> values;
    for (const PlaneRecord& plane : s.planes) values.push_back(plane.statistics.at(i).at(part));
    return values;
  }
  FAIL("no statistic " << name);
  return {};
}

double largest(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }
double smallest(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

// Where the energy per wavelength is largest between two wavelengths, m.
double peak_wavelength(const Marched& s, double shortest, double longest) {
  const std::vector<double>& spectrum = s.planes.back().spectrum;
  double most = 0, found = 0;
  for (std::size_t i = 0; i < spectrum.size(); ++i) {
    const double omega = s.run.omega[i], wavelength = 2 * pi * c / omega;
    if (!(omega > 0) || wavelength < shortest || wavelength > longest) continue;
    if (spectrum[i] * omega * omega > most) most = spectrum[i] * omega * omega, found = wavelength;
  }
  return found;
}

}  // namespace

TEST_CASE("example dispersive-wave: 10 fs become 1.7 fs, and a wave comes at 248 nm") {
  const Marched s = run_example("dispersive-wave");
  CHECK(peak_wavelength(s, 200 * nm, 300 * nm) == near(247.7 * nm, 0.004));
  CHECK(smallest(all(s, "fwhm_time")) == near(1.7 * fs, 0.03));
  CHECK(largest(all(s, "peak_power")) == near(14.8e9, 0.02));
  CHECK(all(s, "energy_band:220nm-270nm").back() == near(1.6e-6, 0.03));
}

TEST_CASE("example plasma-blueshift: from 1500 nm to 1010 nm, for half of the energy") {
  const Marched s = run_example("plasma-blueshift");
  CHECK(peak_wavelength(s, 500 * nm, 1700 * nm) == near(1010 * nm, 0.01));
  CHECK(all(s, "energy").back() == near(0.84e-6, 0.02));
}

TEST_CASE("example multimode-self-focusing: HE12 has 5.6 % at most, the axis is 2.7 times as bright") {
  const Marched s = run_example("multimode-self-focusing");
  CHECK(largest(all(s, "mode_energy", 1)) == near(0.056 * 500e-6, 0.03));
  const std::vector<double> intensity = all(s, "peak_intensity");
  CHECK(largest(intensity) == near(2.7 * intensity.front(), 0.02));
  CHECK(largest(all(s, "mode_energy", 3)) < 1e-3 * 500e-6);
}

TEST_CASE("example beam-collapse: 19 times as bright before it collapses") {
  const Marched s = run_example("beam-collapse");
  const std::vector<double> intensity = all(s, "peak_intensity"), photons = all(s, "photon_number");
  CHECK(intensity.back() == near(19.2 * intensity.front(), 0.02));
  CHECK(photons.back() == near(photons.front(), 1e-6));
}

TEST_CASE("example filament: the intensity ends at 1e18 W/m^2, and the beam stays narrow") {
  const Marched s = run_example("filament");
  CHECK(largest(all(s, "peak_intensity")) == near(0.99e18, 0.02));
  CHECK(largest(all(s, "electron_density")) == near(6.3e22, 0.03));
  CHECK(all(s, "fwhm_r").back() == near(0.148 * mm, 0.03));
}

TEST_CASE("example second-harmonic: 79 % are converted, and the pairs of photons are counted right") {
  const Marched s = run_example("second-harmonic");
  const std::vector<double> energy = all(s, "energy"), photons = all(s, "photon_number");
  const double harmonic = all(s, "energy_band:900nm-1100nm").back();
  CHECK(harmonic == near(0.79 * energy.front(), 0.01));
  CHECK(energy.back() == near(energy.front(), 2e-4));
  const double pair = 1.054571817e-34 * 2 * pi * c / (1000 * nm);  // two photons become one
  CHECK(photons.front() - photons.back() == near(harmonic / pair, 2e-3));
}

TEST_CASE("example molecular-raman: the mean frequency falls to that of 1075 nm, by Raman alone") {
  const Marched s = run_example("molecular-raman");
  CHECK(2 * pi * c / all(s, "centroid_omega").back() == near(1075 * nm, 0.002));
  const Marched kerr = run_example("molecular-raman", {{"/responses", "[\"kerr\"]"}, {"/medium/loss", "false"}});
  CHECK(2 * pi * c / all(kerr, "centroid_omega").back() == near(1029 * nm, 0.001));
}

TEST_CASE("example pressure-gradient: a wave at 124 nm") {
  const Marched s = run_example("pressure-gradient");
  CHECK(peak_wavelength(s, 90 * nm, 200 * nm) == near(123.9 * nm, 0.006));
  CHECK(all(s, "energy_band:100nm-140nm").back() == near(2.0e-6, 0.1));
  CHECK(smallest(all(s, "fwhm_time")) < 1.1 * fs);
}
