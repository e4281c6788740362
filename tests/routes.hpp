// uppe problems built in code, for the acceptance cases of routes.
#pragma once

#include <doctest/doctest.h>

#include "fibre.hpp"
#include "relative.hpp"

namespace lumarch::test {

constexpr double um = 1e-6, mm = 1e-3, bar = 1e5;

// `constant` takes the pressure as it is, everywhere.
inline GasFill gas(Gas what, double pressure, double temperature = 293.15) {
  GasFill fill;
  fill.parts = {{what, 1}};
  fill.pressure.value = {pressure};
  fill.temperature = temperature;
  return fill;
}

inline Capillary capillary(Gas what, double pressure, double radius) {
  Capillary guide;
  guide.gas = gas(what, pressure);
  guide.radius.value = {radius};
  guide.wall.glass = Glass::fused_silica;
  return guide;
}

inline Solid solid(double index, double n2) {
  Solid medium;
  medium.material.index = index;
  medium.n2 = n2;
  return medium;
}

inline Problem uppe(Route route, Medium medium, double wavelength, double window, double length) {
  Problem p;
  p.wavelength = wavelength;
  p.time.window = window;
  p.medium.length = length;
  p.planes = {0, length};
  p.uppe.emplace();
  p.uppe->geometry.route = route;
  p.uppe->medium = std::move(medium);
  return p;
}

inline Pulse beam_pulse(double fwhm, double energy, double waist) {
  Pulse s;
  s.shape = Shape::gauss;
  s.fwhm = fwhm;
  s.energy = energy;
  s.beam = Beam{};
  s.beam->waist = waist;
  return s;
}

// || |a|^2 - |b|^2 || / || |b|^2 || over all samples.
inline double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0, all = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]), all += b[i] * b[i];
  return std::sqrt(sum / all);
}

}  // namespace lumarch::test
