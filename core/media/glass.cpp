// SPDX-License-Identifier: Apache-2.0
#include "media/glass.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "media/constants.hpp"

namespace lumarch {

namespace {

// n^2 = constant + linear l2 + sum strength l2/(l2 - pole), l2 the square of the vacuum wavelength in um.
struct Formula {
  double shortest, longest;  // um
  double constant;
  struct Term {
    double strength, pole;  // 1, um^2
  };
  std::array<Term, 5> terms;  // strength 0: none
  double linear = 0;          // 1/um^2
};

constexpr double square(double x) { return x * x; }
// strength/(l2 - pole), as some papers write a term, is a constant and a term of the form above
constexpr Formula flat(double shortest, double longest, double constant, double strength, double pole, double ir,
                       double ir_pole, double linear = 0) {
  return {shortest, longest, constant - strength / pole, {{{strength / pole, pole}, {ir, ir_pole}}}, linear};
}

// In the order of Glass.
constexpr std::array<Formula, glass_names.size()> formulas = {{
    // fused silica: I. H. Malitson, J. Opt. Soc. Am. 55, 1205 (1965)
    {0.21, 3.71, 1, {{{0.6961663, square(0.0684043)}, {0.4079426, square(0.1162414)}, {0.8974794, square(9.896161)}}}},
    // N-BK7, N-SF10 and N-SF11: Schott's data sheets
    {0.3, 2.5, 1, {{{1.03961212, 0.00600069867}, {0.231792344, 0.0200179144}, {1.01046945, 103.560653}}}},
    {0.38, 2.5, 1, {{{1.62153902, 0.0122241457}, {0.256287842, 0.0595736775}, {1.64447552, 147.468793}}}},
    {0.37, 2.5, 1, {{{1.73759695, 0.013188707}, {0.313747346, 0.0623068142}, {1.89878101, 155.23629}}}},
    // CaF2: M. Daimon and A. Masumura, Appl. Opt. 41, 5275 (2002), 20 C
    {0.138,
     2.326,
     1,
     {{{0.443749998, 0.00178027854},
       {0.444930066, 0.00788536061},
       {0.150133991, 0.0124119491},
       {8.85319946, 2752.28175}}}},
    // BaF2: H. H. Li, J. Phys. Chem. Ref. Data 9, 161 (1980)
    {0.15, 15, 1.33973, {{{0.81070, square(0.10065)}, {0.19652, square(29.87)}, {4.52469, square(53.82)}}}},
    // KBr: H. H. Li, J. Phys. Chem. Ref. Data 5, 329 (1976)
    {0.2,
     42,
     1.39408,
     {{{0.79221, square(0.146)},
       {0.01981, square(0.173)},
       {0.15587, square(0.187)},
       {0.17673, square(60.61)},
       {2.06217, square(87.72)}}}},
    // silicon: C. D. Salzberg and J. J. Villa, J. Opt. Soc. Am. 47, 244 (1957), fitted by D. F. Edwards and E. Ochoa
    // (1980)
    {1.36,
     11,
     1,
     {{{10.6684293, square(0.301516485)}, {0.0030434748, square(1.13475115)}, {1.54133408, square(1104.0)}}}},
    // MgF2: M. J. Dodge, Appl. Opt. 23, 1980 (1984), 19 C
    {0.2, 7, 1, {{{0.48755108, square(0.04338408)}, {0.39875031, square(0.09461442)}, {2.3120353, square(23.793604)}}}},
    {0.2, 7, 1, {{{0.41344023, square(0.03684262)}, {0.50497499, square(0.09076162)}, {2.4904862, square(23.771995)}}}},
    // sapphire: I. H. Malitson and M. J. Dodge, J. Opt. Soc. Am. 62, 1405 (1972)
    {0.2, 5, 1, {{{1.4313493, square(0.0726631)}, {0.65054713, square(0.1193242)}, {5.3414021, square(18.028251)}}}},
    {0.2, 5, 1, {{{1.5039759, square(0.0740288)}, {0.55069141, square(0.1216529)}, {6.5927379, square(20.072248)}}}},
    // calcite: G. Ghosh, Opt. Commun. 163, 95 (1999)
    {0.204, 2.172, 1.73358749, {{{0.96464345, 1.94325203e-2}, {1.82831454, 120}}}},
    {0.204, 2.172, 1.35859695, {{{0.82427830, 1.06689543e-2}, {0.14429128, 120}}}},
    // beta barium borate: G. Tamosauskas et al., Opt. Mater. Express 8, 1410 (2018)
    {0.188, 5.2, 1, {{{0.90291, 0.003926}, {0.83155, 0.018786}, {0.76536, 60.01}}}},
    {0.188, 5.2, 1, {{{1.151075, 0.007142}, {0.21803, 0.02259}, {0.656, 263}}}},
    // lithium triborate: C. Chen et al., J. Opt. Soc. Am. B 6, 616 (1989); F. Hanson and D. Dick, Opt. Lett. 16, 205
    // (1991)
    flat(0.29, 1.19, 2.45768, 0.0098877, 0.026095, 0, 1, -0.013847),
    flat(0.29, 1.19, 2.52500, 0.017123, -0.0060517, 0, 1, -0.0087838),
    flat(0.29, 1.19, 2.58488, 0.012737, 0.021414, 0, 1, -0.016293),
    // lithium niobate, congruent: D. E. Zelmon, D. L. Small and D. Jundt, J. Opt. Soc. Am. B 14, 3319 (1997), 21 C
    {0.4, 5, 1, {{{2.6734, 0.01764}, {1.2290, 0.05914}, {12.614, 474.60}}}},
    {0.4, 5, 1, {{{2.9804, 0.02047}, {0.5981, 0.0666}, {8.9543, 416.08}}}},
    // KH2PO4 and NH4H2PO4: F. Zernike, J. Opt. Soc. Am. 54, 1215 (1964)
    flat(0.214, 1.53, 2.259276, 0.01008956, 0.0129426, 13.00522, 400),
    flat(0.214, 1.53, 2.132668, 0.008637494, 0.0122810, 3.2279924, 400),
    flat(0.214, 1.53, 2.302842, 0.011125165, 0.01325366, 15.102464, 400),
    flat(0.214, 1.53, 2.163510, 0.009616676, 0.01298912, 5.919896, 400),
}};

double index_at(const Formula& f, double um) {
  const double l2 = um * um;
  double eps = f.constant + f.linear * l2;
  for (const Formula::Term& t : f.terms)
    if (t.strength != 0) eps += t.strength * l2 / (l2 - t.pole);
  return eps > 0 ? std::sqrt(eps) : std::numeric_limits<double>::quiet_NaN();
}

const Formula& formula(Glass glass) { return formulas[static_cast<std::size_t>(glass)]; }
double micrometres(double omega) { return 2 * constants::pi * constants::c / omega * 1e6; }

}  // namespace

double glass_index(Glass glass, double omega) { return index_at(formula(glass), micrometres(omega)); }

Range glass_range(Glass glass) { return {formula(glass).shortest * 1e-6, formula(glass).longest * 1e-6}; }

double wall_index(Glass glass, double omega) {
  const Formula& f = formula(glass);
  return index_at(f, std::clamp(micrometres(omega), f.shortest, f.longest));
}

std::optional<double> glass_n2(Glass glass) {
  switch (glass) {
    case Glass::fused_silica:
      return 2.7e-20;
    case Glass::mgf2_o:
    case Glass::mgf2_e:
      return 5.79e-21;
    case Glass::calcite_o:
    case Glass::calcite_e:
      return 3.22e-20;
    default:
      return std::nullopt;
  }
}

}  // namespace lumarch
