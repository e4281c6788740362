// Media beyond the built-in ones: tables, graded cores, two indices.
#include <doctest/doctest.h>

#include "media/dispersion.hpp"
#include "media/gas.hpp"
#include "media/glass.hpp"
#include "routes.hpp"
#include "translate/optics.hpp"
#include "translate/uppe.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

using Complex = std::complex<double>;

double omega_at(double wavelength) { return 2 * pi * c / wavelength; }

Curve curve(double shortest, double longest, double step, const std::function<double(double omega)>& value) {
  Curve found;
  found.file = "table.csv";
  for (double wavelength = longest; wavelength > shortest - step / 2; wavelength -= step) {
    found.x.push_back(omega_at(wavelength));
    found.y.push_back(value(found.x.back()));
  }
  return found;
}

Curve silica_curve(double step = 1 * nm) {
  return curve(300 * nm, 2400 * nm, step, [](double w) { return glass_index(Glass::fused_silica, w); });
}

Material tabulated(Curve index) {
  Material material;
  material.table = std::move(index);
  return material;
}

Solid of(Material material, double n2 = 0) {
  Solid medium;
  medium.material = std::move(material);
  medium.n2 = n2;
  return medium;
}

Problem flat(Route route, Medium medium, double length) {
  Problem p = uppe(route, std::move(medium), 800 * nm, 1 * ps, length);
  p.time.points = 256;
  p.launch = {beam_pulse(60 * fs, 1e-9, 200 * um)};
  if (route <= Route::modal) p.launch[0].beam.reset();
  p.uppe->geometry.half_width = p.uppe->geometry.half_height = p.uppe->geometry.radius = 1 * mm;
  p.uppe->geometry.points = p.uppe->geometry.points_y = 32;
  return p;
}

double apart(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double error = 0, norm = 0;
  REQUIRE(a.size() == b.size());
  for (std::size_t j = 0; j < a.size(); ++j) error += std::norm(a[j] - b[j]), norm += std::norm(b[j]);
  return std::sqrt(error / norm);
}

std::string warnings(const Marched& m) {
  std::string all;
  for (const std::string& one : m.summary.warnings) all += one + "\n";
  return all;
}

StepIndex fibre(double core, double cladding, double radius, double n2 = 2.6e-20) {
  StepIndex guide;
  guide.core.index = core;
  guide.cladding.index = cladding;
  guide.radius = radius;
  guide.n2 = n2;
  return guide;
}

// Of two modes or polarisations: the phase of the first over the second's at a frequency of the last plane.
double phase_between(const Marched& m, std::size_t j) {
  const std::size_t n = m.run.omega.size(), half = m.planes.back().field.size() / 2;
  const Complex x = m.planes.back().field[j], y = m.planes.back().field[half + j];
  CHECK(half % n == 0);
  return std::arg(x * std::conj(y));
}

double turned(double phase) { return std::remainder(phase, 2 * pi); }

std::size_t bin_at(const Marched& m, double omega) {
  const auto above = std::lower_bound(m.run.omega.begin(), m.run.omega.end(), omega);
  return static_cast<std::size_t>(above - m.run.omega.begin());
}

}  // namespace

TEST_CASE("tables: the dispersion of fused silica from a table is that of its formula") {
  const Problem formula = flat(Route::radial, of(kFusedSilica), 1 * mm);
  for (const double step : {1 * nm, 0.5 * nm}) {
    const Problem table = flat(Route::radial, of(tabulated(silica_curve(step))), 1 * mm);
    const Optics by_formula(formula), by_table(table);
    const Beta expected = by_formula.dispersion(by_formula.at(0)), found = by_table.dispersion(by_table.at(0));
    for (const double wavelength : {400 * nm, 800 * nm, 1030 * nm, 1550 * nm, 2000 * nm}) {
      CAPTURE(wavelength);
      const auto a = beta_derivatives(expected, omega_at(wavelength)),
                 b = beta_derivatives(found, omega_at(wavelength));
      CHECK(b[0] == near(a[0], 1e-11));
      CHECK(b[1] == near(a[1], 1e-9));
      CHECK(b[2] == near(a[2], 1e-6));
      CHECK(b[3] == near(a[3], 1e-3));
    }
    // At an end there is a table on one side alone, and the spline is straight there.
    CHECK(beta_derivatives(found, omega_at(300.5 * nm))[2] ==
          near(beta_derivatives(expected, omega_at(300.5 * nm))[2], 0.2));
    CHECK_THROWS_AS((void)beta_derivatives(found, omega_at(200 * nm)), const Error&);
  }
}

TEST_CASE("tables: a pulse in a plate, and in a step-index fibre, goes as with the formulas") {
  const Marched plate = march(flat(Route::radial, of(kFusedSilica), 10 * mm));
  const Marched by_table = march(flat(Route::radial, of(tabulated(silica_curve())), 10 * mm));
  CHECK(apart(by_table.planes.back().field, plate.planes.back().field) < 1e-6);
  StepIndex guide = fibre(1, 1, 2 * um);
  guide.core = kFusedSilica;
  guide.cladding.index = 1.43;
  Problem p = flat(Route::mode_averaged, guide, 10 * mm);
  const Marched expected = march(p);
  guide.core = tabulated(silica_curve());
  guide.cladding = tabulated(curve(300 * nm, 2400 * nm, 1 * nm, [](double) { return 1.43; }));
  p.uppe->medium = guide;
  CHECK(apart(march(p).planes.back().field, expected.planes.back().field) < 1e-6);
}

TEST_CASE("tables: nothing is propagated beyond one, and a run says so") {
  Problem p = flat(
      Route::radial,
      of(tabulated(curve(700 * nm, 900 * nm, 1 * nm, [](double w) { return glass_index(Glass::fused_silica, w); }))),
      1 * mm);
  p.time.window = 300 * fs;  // from 600 nm to more than 1100
  p.statistics = {ask(Quantity::energy)};
  const Marched m = march(p);
  CHECK(warnings(m).find("has no index") != std::string::npos);
  const auto& field = m.planes.back().field;
  const std::size_t n = m.run.omega.size();
  std::size_t empty = 0;
  for (std::size_t j = 0; j < n; ++j)
    if (m.run.omega[j] > omega_at(700 * nm) || m.run.omega[j] < omega_at(900 * nm)) {
      CHECK(field[j] == 0.0);
      ++empty;
    }
  CHECK(empty > 20);
  // A cladding keeps the index of the nearer end, and says that.
  StepIndex guide = fibre(1.47, 1, 2 * um);
  guide.cladding = tabulated(curve(700 * nm, 900 * nm, 1 * nm, [](double) { return 1.45; }));
  Problem q = flat(Route::mode_averaged, guide, 1 * mm);
  q.time.window = 300 * fs;
  const Marched held = march(q);
  CHECK(warnings(held).find("the index of the cladding (table.csv) is known from 700 to 900 nm") != std::string::npos);
  CHECK(warnings(held).find("it keeps the value of the nearer end") != std::string::npos);
}

TEST_CASE("every kind of medium says where its data end and the band goes on, in check and in a run") {
  const auto says = [](Problem p, const std::string& words) {
    p.time.points = 0;
    p.time.band = Band{350 * nm, 2600 * nm};
    p.time.window = 100 * fs;
    p.uppe->geometry.points = 16;
    CAPTURE(words);
    const std::string expected = words + " nm, the band goes from ";
    CHECK(describe(p).find("warning: " + expected) != std::string::npos);
    CHECK(warnings(march(p)).find(expected) != std::string::npos);
  };
  Problem p = flat(Route::radial, FreeGas{gas(Gas::argon, 1 * bar)}, 10 * um);
  says(p, "the index of argon is known from 400 to 1000");
  std::get<FreeGas>(p.uppe->medium).gas.ermolov = true;
  says(p, "the index of argon is known from 140 to 1000");
  p.uppe->medium = of(Material{Glass::bk7, 1});
  says(p, "the index of the material is known from 300 to 2500");
  Solid crystal = of(Material{Glass::calcite_o, 1});
  crystal.material_x = Material{Glass::calcite_e, 1};
  p.uppe->medium = crystal;
  p.uppe->geometry.polarisations = 2;
  says(p, "the index of x is known from 204 to 2172");
  says(p, "the index of y is known from 204 to 2172");

  Capillary hollow = capillary(Gas::hydrogen, 1 * bar, 100 * um);
  hollow.wall.glass = Glass::bk7;
  says(flat(Route::mode_averaged, hollow, 10 * um), "the index of the wall is known from 300 to 2500");
  says(flat(Route::mode_averaged, hollow, 10 * um), "the index of hydrogen is known from 168 to 1694");
  GradedIndex graded;
  graded.core.index = 1.6;
  graded.cladding.glass = Glass::bk7;
  graded.radius = 20 * um;
  says(flat(Route::mode_averaged, graded, 10 * um), "the index of the cladding is known from 300 to 2500");
  graded.core = Material{Glass::sf10, 1};
  says(flat(Route::mode_averaged, graded, 10 * um), "the index of the core is known from 380 to 2500");
  TabulatedGuide guide;
  guide.index = curve(340 * nm, 3000 * nm, 5 * nm, [](double) { return 1.0; });
  guide.loss_curve = curve(500 * nm, 1500 * nm, 5 * nm, [](double) { return 0.1; });
  guide.effective_area_curve = curve(500 * nm, 1400 * nm, 5 * nm, [](double) { return 1e-10; });
  says(flat(Route::mode_averaged, guide, 10 * um), "the loss of the guide (table.csv) is known from 500 to 1500");
  says(flat(Route::mode_averaged, guide, 10 * um),
       "the effective area of the guide (table.csv) is known from 500 to 1400");
}

TEST_CASE("tables: an extinction takes exp(-2 k omega z/c) of a beam, and the core's share of a mode") {
  const double k = 1e-6, length = 20 * mm, alpha = 2 * k * omega_at(800 * nm) / c;
  Material material = tabulated(silica_curve());
  material.extinction = curve(300 * nm, 2400 * nm, 1 * nm, [=](double) { return k; });
  Problem p = flat(Route::radial, of(material), length);
  p.launch[0].fwhm = 200 * fs;
  p.statistics = {ask(Quantity::energy)};
  const Marched beam = march(p);
  CHECK(stat(beam, 1, 0) / stat(beam, 0, 0) == near(std::exp(-alpha * length), 1e-4));

  const auto lost = [&](double radius) {
    StepIndex guide = fibre(1, 1, radius);
    guide.core = material;
    guide.cladding.index = 1.44;
    Problem q = flat(Route::mode_averaged, guide, length);
    q.launch[0].fwhm = 200 * fs;
    q.statistics = {ask(Quantity::energy)};
    const Marched m = march(q);
    return -std::log(stat(m, 1, 0) / stat(m, 0, 0)) / (alpha * length);
  };
  // All light in the core: a ray's path is longer by n/n_eff. Less of it in a thin core.
  CHECK(lost(20 * um) == near(1, 2e-3));
  CHECK(lost(1 * um) > 0.3);
  CHECK(lost(1 * um) < 0.8);
}

TEST_CASE("a tabulated guide with a capillary's numbers is the capillary") {
  Capillary hollow = capillary(Gas::argon, 2 * bar, 75 * um);
  Problem p = uppe(Route::mode_averaged, hollow, 800 * nm, 400 * fs, 20 * mm);
  p.time.band = Band{500 * nm, 1400 * nm};
  p.launch = {beam_pulse(20 * fs, 100e-6, 1)};
  p.launch[0].beam.reset();
  p.responses = {Kerr{false, std::nullopt}};
  p.march.schedule.assign(20, 1 * mm);
  const Marched expected = march(p);
  const Optics optics(p);
  const Conditions inside = optics.at(0);
  TabulatedGuide guide;
  guide.index =
      curve(350 * nm, 2500 * nm, 1 * nm, [&](double w) { return optics.wave_number(0, w, inside).real() * c / w; });
  guide.loss_curve =
      curve(350 * nm, 2500 * nm, 1 * nm, [&](double w) { return 2 * optics.wave_number(0, w, inside).imag(); });
  guide.effective_area = optics.area(0, inside);
  guide.n2 = n2_of_chi3(optics.chi3(inside), 1);
  p.uppe->medium = guide;
  CHECK(apart(march(p).planes.back().field, expected.planes.back().field) < 1e-6);
  guide.n2.reset();
  guide.gas = hollow.gas;
  p.uppe->medium = guide;
  CHECK(apart(march(p).planes.back().field, expected.planes.back().field) < 1e-6);
  p.responses = {};
  const Marched linear = march(p);
  CHECK(apart(linear.planes.back().field, expected.planes.back().field) > 0.1);
}

TEST_CASE("a tabulated guide is the fibre of the model gnlse, also where its area changes with frequency") {
  const Curve index = silica_curve();
  const Curve area =
      curve(300 * nm, 2400 * nm, 10 * nm, [](double w) { return 5e-12 * std::pow(omega_at(800 * nm) / w, 1.5); });
  Problem p = test::fibre(800 * nm, 2 * ps, 2048, 20 * mm, {}, 0.1);
  p.medium.gamma.reset();
  p.medium.n2 = 2.6e-20;
  p.medium.effective_area_curve = area;
  p.medium.dispersion = IndexCurve{index};
  p.launch = {pulse(Shape::sech, 50 * fs, 20000)};
  p.responses = {Kerr{}, SelfSteepening{}, Raman{}};
  p.march.tolerance = 1e-9;
  const Marched expected = march(p);
  TabulatedGuide guide;
  guide.index = index;
  guide.effective_area_curve = area;
  guide.n2 = 2.6e-20;
  Problem q = uppe(Route::mode_averaged, guide, 800 * nm, 2 * ps, 20 * mm);
  q.time.points = 2048;
  q.launch = p.launch;
  q.march.tolerance = 1e-9;
  q.responses = {Kerr{false, std::nullopt}, Raman{}};
  const Marched found = march(q);
  // gnlse goes on beyond the table's ends, uppe does not; what is there is small
  CHECK(apart(found.planes.back().field, expected.planes.back().field) < 1e-4);
  guide.effective_area_curve.reset();
  guide.effective_area = 5e-12;
  q.uppe->medium = guide;
  CHECK(apart(march(q).planes.back().field, expected.planes.back().field) > 1e-2);
}

TEST_CASE("graded index: a mode that the core does not guide is refused") {
  GradedIndex fibre;
  fibre.core.index = 1.46;
  fibre.cladding.index = 1.45;
  fibre.radius = 1 * um;  // NA 0.17: the lowest mode wants k a NA/2 > 1
  Problem p = uppe(Route::mode_averaged, fibre, 800 * nm, 200 * fs, 1 * mm);
  p.time.points = 64;
  CHECK_THROWS_WITH_AS((void)translate_uppe(p), doctest::Contains("mode HE11 is not guided at 800"), Error);
}

TEST_CASE("graded index: groups of modes are as far apart as the parabola says") {
  GradedIndex guide;
  guide.core.index = 1.46;
  guide.cladding.index = 1.45;
  guide.radius = 25 * um;
  guide.n2 = 2.6e-20;
  Problem p = flat(Route::modal, guide, 1 * mm);
  p.uppe->geometry.modes = {"HE11", "HE12", "HE13", "HE21", "EH11"};
  p.uppe->geometry.polarisations = 2;
  const Optics optics(p);
  const Conditions at = optics.at(0);
  const double w0 = omega_at(800 * nm), delta = (1.46 * 1.46 - 1.45 * 1.45) / (2 * 1.46 * 1.46);
  const auto beta = [&](std::size_t mode) { return optics.wave_number(mode, w0, at).real(); };
  const double spacing = std::sqrt(2 * delta) / guide.radius;  // of one group from the next
  CHECK((beta(0) - beta(1)) / spacing == near(2, 2e-3));       // HE1m skips every other group
  CHECK((beta(1) - beta(2)) / spacing == near(2, 4e-3));
  CHECK((beta(0) - beta(3)) / spacing == near(1, 2e-3));
  CHECK(beta(4) == beta(1));  // EH11 is of the group of HE12, as LP21 of LP02
  // the fundamental mode is the Gaussian of w^2 = 2 a/(k NA): A_eff = pi w^2
  const double NA = std::sqrt(1.46 * 1.46 - 1.45 * 1.45);
  CHECK(optics.area(0, at) == near(pi * 2 * guide.radius * c / (w0 * NA), 1e-6));
}

TEST_CASE("graded index: a beam that is not the mode's comes back after pi a/sqrt(2 Delta)") {
  GradedIndex guide;
  guide.core.index = 1.452;
  guide.cladding.index = 1.445;
  guide.radius = 50 * um;
  guide.n2 = 2.6e-20;
  const double delta = (1.452 * 1.452 - 1.445 * 1.445) / (2 * 1.452 * 1.452);
  const double period = pi * guide.radius / std::sqrt(2 * delta);
  const double NA = 1.452 * std::sqrt(2 * delta), w = std::sqrt(2 * guide.radius * c / (omega_at(800 * nm) * NA));
  Problem p = uppe(Route::modal, guide, 800 * nm, 20 * ps, period);
  p.time.points = 64;
  p.launch = {beam_pulse(5 * ps, 1e-12, 1.3 * w)};
  p.uppe->geometry.modes = {"HE11", "HE12", "HE13", "HE14", "HE15", "HE16", "HE17", "HE18"};
  p.planes = {0, period / 4, period / 2, period};
  p.statistics = {ask(Quantity::peak_intensity), ask(Quantity::energy)};
  const Marched m = march(p);
  CHECK(m.summary.warnings.empty());  // the modes take the beam
  CHECK(stat(m, 0, 1) == near(1e-12, 1e-6));
  // the launched beam on the axis: 2 P/(pi w^2)
  const double power = 1e-12 / (5 * ps) * 2 * std::sqrt(std::log(2) / pi);
  CHECK(stat(m, 0, 0) == near(2 * power / (pi * 1.69 * w * w), 1e-3));
  // half way it is as much too narrow as it was too wide
  CHECK(stat(m, 2, 0) / stat(m, 0, 0) == near(std::pow(1.3, 4), 3e-3));
  CHECK(stat(m, 3, 0) / stat(m, 0, 0) == near(1, 1e-3));
  CHECK(stat(m, 1, 0) / stat(m, 0, 0) == near(2 / (1 + std::pow(1.3, -4)), 3e-3));
}

TEST_CASE("birefringence of a guide: x and y beat over lambda/B and part by B/c") {
  StepIndex guide = fibre(1.47, 1.45, 1.2 * um);
  guide.birefringence = 1e-4;
  const double beat = 800 * nm / 1e-4;
  Problem p = flat(Route::modal, guide, 2.25 * beat);
  p.uppe->geometry.modes = {"HE11x", "HE11y"};
  p.uppe->geometry.polarisations = 2;
  p.launch[0].modes = {{"HE11x", 0.5}, {"HE11y", 0.5}};
  const Marched m = march(p);
  for (const double wavelength : {790 * nm, 800 * nm, 810 * nm}) {
    const std::size_t j = bin_at(m, omega_at(wavelength));
    // B omega z/c: a quarter of a turn at 800 nm, and its slope is the delay
    CHECK(turned(phase_between(m, j) - m.run.omega[j] * 1e-4 * 2.25 * beat / c) == doctest::Approx(0).epsilon(1e-9));
  }
  CHECK(turned(phase_between(m, bin_at(m, omega_at(800 * nm)))) == near(pi / 2, 1e-9));
}

TEST_CASE(
    "birefringence and Kerr: far beyond the beat length each polarisation sees its own power and 2/3 of the other") {
  const auto phases = [](double B, double share) {
    StepIndex guide = fibre(1.47, 1.45, 1.2 * um);
    guide.birefringence = B;
    const double length = 25 * 800 * nm / 1e-3;  // 25 beat lengths of 1e-3
    Problem p = uppe(Route::modal, guide, 800 * nm, 40 * ps, length);
    p.time.points = 64;
    p.uppe->geometry.modes = {"HE11x", "HE11y"};
    p.uppe->geometry.polarisations = 2;
    Pulse s;
    s.shape = Shape::cw;
    s.peak_power = 60;
    s.modes = {{"HE11x", share}, {"HE11y", 1 - share}};
    p.launch = {s};
    p.march.tolerance = 1e-10;
    const Marched linear = march(p);
    p.responses = {Kerr{false, std::nullopt}};
    const Marched kerr = march(p);
    const std::size_t n = kerr.run.omega.size(), j = bin_at(kerr, omega_at(800 * nm) * (1 - 1e-12));
    const auto turn = [&](std::size_t mode) {
      return std::arg(kerr.planes.back().field[mode * n + j] * std::conj(linear.planes.back().field[mode * n + j]));
    };
    const Optics optics(p);
    const double gamma = 2.6e-20 * omega_at(800 * nm) / (c * optics.area(0, optics.at(0)));
    const double full = gamma * 60 * length;
    CHECK(full > 0.01);
    return std::array{turn(0) / full, turn(1) / full};
  };
  const auto far = phases(1e-3, 0.7);
  CHECK(far[0] == near(0.7 + 2.0 / 3 * 0.3, 2e-3));
  CHECK(far[1] == near(0.3 + 2.0 / 3 * 0.7, 2e-3));
  // without it both make one linear polarisation, which sees all of its power
  const auto none = phases(0, 0.7);
  CHECK(none[0] == near(1, 2e-3));
  CHECK(none[1] == near(1, 2e-3));
}

TEST_CASE("two indices in free space: a waveplate of calcite, and a constant birefringence") {
  const double length = 200 * um;
  for (const Route route : {Route::radial, Route::line, Route::cartesian}) {
    CAPTURE(static_cast<int>(route));
    Solid calcite = of(Material{Glass::calcite_o, 1}, 0);
    calcite.material_x = Material{Glass::calcite_e, 1};
    Problem p = flat(route, calcite, length);
    p.uppe->geometry.polarisations = 2;
    p.launch[0].polarisation = pi / 4;
    p.statistics = {ask(Quantity::energy)};
    const Marched m = march(p);
    CHECK(stat(m, 0, 0) == near(1e-9, 1e-9));
    CHECK(stat(m, 1, 0) == near(1e-9, 1e-9));
    const std::size_t n = m.run.omega.size(), j = bin_at(m, omega_at(800 * nm));
    // the node of k = 0, whose index the file has where k rises; radial: the first has the least k
    const auto middle = [&](const std::vector<double>& k) {
      return static_cast<std::size_t>(std::lower_bound(k.begin(), k.end(), -1e-9) - k.begin());
    };
    const NodeAxes& axes = m.run.nodes;
    const std::size_t x = route == Route::radial ? 0 : middle(axes.kx);
    const std::size_t y = route == Route::cartesian ? middle(axes.ky) : 0, width = static_cast<std::size_t>(axes.inner);
    const auto at = [&](std::size_t component) {
      return m.planes.back().field[((component * static_cast<std::size_t>(axes.outer) + y) * width + x) * n + j];
    };
    const double w = m.run.omega[j], k = route == Route::radial ? axes.kr[0] : 0;
    const auto kz = [&](Glass glass) { return std::sqrt(std::pow(glass_index(glass, w) * w / c, 2) - k * k); };
    const double expected = (kz(Glass::calcite_e) - kz(Glass::calcite_o)) * length;
    CHECK(std::abs(turned(std::arg(at(0) * std::conj(at(1))) - expected)) < 1e-8);
    CHECK(std::abs(expected) > 100);
    // the energy counts each polarisation with its own index
    CHECK(std::norm(at(0)) / std::norm(at(1)) == near(1, 1e-9));

    Solid constant = of(Material{std::nullopt, 1.5}, 0);
    constant.birefringence = 0.01;
    p.uppe->medium = constant;
    const Marched b = march(p);
    const auto bat = [&](std::size_t component) {
      return b.planes.back().field[((component * static_cast<std::size_t>(axes.outer) + y) * width + x) * n + j];
    };
    const auto bkz = [&](double index) { return std::sqrt(std::pow(index * w / c, 2) - k * k); };
    CHECK(std::abs(turned(std::arg(bat(0) * std::conj(bat(1))) - (bkz(1.505) - bkz(1.495)) * length)) < 1e-8);
  }
}

TEST_CASE("a cut crystal: the extraordinary beam walks off, the ordinary one does not") {
  // beta barium borate cut for doubling 1064 nm, at 532 nm: 55.9 mrad (data sheets of makers)
  const double theta = 22.8 * pi / 180, wavelength = 532 * nm, length = 4 * mm;
  const double n_o = glass_index(Glass::bbo_o, omega_at(wavelength)),
               n_e = glass_index(Glass::bbo_e, omega_at(wavelength));
  const double n2 = 1 / (std::pow(std::cos(theta) / n_o, 2) + std::pow(std::sin(theta) / n_e, 2));
  const double walk_off = std::atan(n2 / 2 * (1 / (n_e * n_e) - 1 / (n_o * n_o)) * std::sin(2 * theta));
  CHECK(walk_off == near(55.9e-3, 0.01));
  Solid bbo = of(Material{Glass::bbo_o, 1}, 0);
  bbo.material_x = Material{Glass::bbo_e, 1};
  bbo.cut = theta;
  for (const Route route : {Route::line, Route::cartesian}) {
    CAPTURE(static_cast<int>(route));
    Problem p = uppe(route, bbo, wavelength, 4 * ps, length);
    p.time.points = 64;
    p.launch = {beam_pulse(1 * ps, 1e-9, 100 * um)};
    p.uppe->geometry.half_width = 1 * mm;
    p.uppe->geometry.half_height = 0.5 * mm;
    p.uppe->geometry.points = 128;
    p.uppe->geometry.points_y = 32;
    p.uppe->geometry.polarisations = 2;
    p.statistics = {ask(Quantity::energy)};
    for (const bool extraordinary : {true, false}) {
      p.launch[0].polarisation = extraordinary ? pi / 2 : 0;  // along x, along y
      const Marched m = march(p);
      CHECK(stat(m, 1, 0) == near(1e-9, 1e-9));
      const auto centre = [&](bool along_x) {
        double all = 0, sum = 0;
        const NodeAxes& axes = m.run.nodes;
        const auto& fluence = m.planes.back().fluence;
        for (std::size_t i = 0; i < fluence.size(); ++i) {
          all += fluence[i];
          sum += fluence[i] * (along_x ? axes.x[i % axes.x.size()] : axes.y.empty() ? 0 : axes.y[i / axes.x.size()]);
        }
        return sum / all;
      };
      // a negative crystal: towards -x, where the optic axis leans to +x
      if (extraordinary)
        CHECK(centre(true) == near(-std::tan(walk_off) * length, 1e-3));
      else
        CHECK(std::abs(centre(true)) < 1e-9);
      CHECK(std::abs(centre(false)) < 1e-9);
    }
  }
}

TEST_CASE("a cut crystal: with the optic axis along z both see the ordinary index, along x it is a waveplate") {
  const auto surface = [](double cut) { return WaveSurface::extraordinary(omega_at(800 * nm), 1.66, 1.54, cut, 0); };
  const double k = omega_at(800 * nm) / c;
  CHECK(surface(0).n() == near(1.66, 1e-14));
  CHECK(surface(pi / 2).n() == near(1.54, 1e-14));
  // across the optic axis n_e k along x is a wave along the axis' normal: the ellipsoid's own half axes
  CHECK(surface(0).at(1.54 * k, 0).size == doctest::Approx(0).epsilon(1e-6));
  CHECK(surface(pi / 2).at(1.66 * k * 0.6, 0).size == near(1.54 * k * 0.8, 1e-12));
  // every k on a cut's surface has the length that the index ellipsoid gives for its own angle
  for (const double kx : {-0.7 * k, 0.1 * k, 0.5 * k}) {
    const double cut = 0.5, kz = surface(cut).k_z(kx, 0).real();
    const double to_axis = std::atan2(kx, kz) - cut;  // the optic axis leans to +x
    const double n = 1 / std::hypot(std::cos(to_axis) / 1.66, std::sin(to_axis) / 1.54);
    CHECK(std::hypot(kx, kz) == near(n * k, 1e-12));
  }
}
