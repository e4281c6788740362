// SPDX-License-Identifier: Apache-2.0
#include "media/raman.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "media/constants.hpp"
#include "media/faddeeva.hpp"

namespace lumarch {

namespace {

using Complex = std::complex<double>;

Complex blow_wood(double Omega) {
  constexpr double a = 1 / 12.2e-15, b = 1 / 32e-15;
  return (a * a + b * b) / Complex(a * a + b * b - Omega * Omega, -2 * b * Omega);
}

Complex lin_agrawal(double Omega) {
  constexpr double tau_b = 96e-15, f_b = 0.21;
  const Complex x = 1.0 / (tau_b * Complex(1 / tau_b, -Omega));
  return (1 - f_b) * blow_wood(Omega) + f_b * (2.0 * x - x * x);
}

struct Line {
  double centre, amplitude, gauss, lorentz;  // 1/cm, arbitrary, FWHM 1/cm, FWHM 1/cm
};

constexpr std::array<Line, 13> lines = {{{56.25, 1, 52.1, 17.37},
                                         {100, 11.4, 110.42, 38.81},
                                         {231.25, 36.67, 175, 58.33},
                                         {362.5, 67.67, 162.5, 54.17},
                                         {463, 74, 135.33, 45.11},
                                         {497, 4.5, 24.5, 8.17},
                                         {611.5, 6.8, 41.5, 13.83},
                                         {691.67, 4.6, 155, 51.67},
                                         {793.67, 4.2, 59.5, 19.83},
                                         {835.5, 4.5, 64.3, 21.43},
                                         {930, 2.7, 150, 50},
                                         {1080, 3.1, 91, 30.33},
                                         {1215, 3, 160, 53.33}}};

Complex hollenbeck_sum(double Omega) {
  constexpr double per_metre = 100;  // 1/cm
  Complex sum = 0;
  for (const Line& line : lines) {
    const double w = 2 * constants::pi * constants::c * line.centre * per_metre;
    const double gauss = constants::pi * constants::c * line.gauss * per_metre;
    const double lorentz = constants::pi * constants::c * line.lorentz * per_metre;
    const auto f = [&](double x) { return std::sqrt(constants::pi) / gauss * faddeeva(Complex(x, lorentz) / gauss); };
    sum += line.amplitude * (f(Omega + w) - f(Omega - w)) / Complex(0, 2);
  }
  return sum;
}

Complex hollenbeck(double Omega) {
  static const double area = hollenbeck_sum(0).real();  // makes H(0) = 1
  return hollenbeck_sum(Omega) / area;
}

}  // namespace

Complex raman_response(RamanModel model, double Omega) {
  switch (model) {
    case RamanModel::blow_wood:
      return blow_wood(Omega);
    case RamanModel::lin_agrawal:
      return lin_agrawal(Omega);
    case RamanModel::hollenbeck:
      return hollenbeck(Omega);
  }
  return 0;
}

double raman_fraction(RamanModel model) {
  switch (model) {
    case RamanModel::blow_wood:
      return 0.18;
    case RamanModel::lin_agrawal:
      return 0.245;
    case RamanModel::hollenbeck:
      return 0.20;
  }
  return 0;
}

}  // namespace lumarch
