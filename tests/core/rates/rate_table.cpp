#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <lumarch/error.hpp>

#include "media/constants.hpp"
#include "media/ionisation.hpp"

using namespace lumarch;

namespace {

constexpr double Ar = 0.5792 * constants::hartree, He = 0.9036 * constants::hartree, field_au = 5.14220674763e11;

template <class Formula>
RateTable table_of(const Formula& formula) {
  return tabulate([&](double E) { return formula.log_rate(E); }, formula.barrier_field());
}

double between(const RateTable& table, std::size_t i, double f) {
  return table.field_min + (static_cast<double>(i) + f) * table.step;
}

}  // namespace

TEST_CASE("a table reaches from 1/5000 of twice the barrier's field to twice that field on 2^16 fields") {
  const RateTable table = table_of(Adk(Ar));
  CHECK(table.log_rate.size() == 65536);
  CHECK(table.second.size() == 65536);
  CHECK(table.field_max == doctest::Approx(2 * 4.3126742e10).epsilon(1e-7));
  CHECK(table.field_max / table.field_min == doctest::Approx(5000).epsilon(1e-14));
  CHECK(table.field_min + 65535 * table.step == doctest::Approx(table.field_max).epsilon(1e-14));
  CHECK(table.log_rate.front() == Adk(Ar).log_rate(table.field_min));
  CHECK(table.log_rate.back() == Adk(Ar).log_rate(table.field_max));
}

TEST_CASE("below a table the rate is 0, above it the last value, and the sign of the field is nothing") {
  const RateTable table = table_of(Adk(Ar));
  const double last = Adk(Ar).rate(table.field_max);
  CHECK(rate(table, 0) == 0);
  CHECK(rate(table, table.field_min * (1 - 1e-15)) == 0);
  CHECK(rate(table, table.field_max) == last);
  CHECK(rate(table, 3 * table.field_max) == last);
  CHECK(rate(table, std::nextafter(table.field_max, 0)) == doctest::Approx(last).epsilon(1e-12));
  CHECK(rate(table, -2e10) == rate(table, 2e10));
  CHECK(rate(table, 2 * table.field_min) == 0);  // ln W is there, W underflows
  CHECK(std::isnan(rate(table, std::nan(""))));
}

TEST_CASE("second derivatives are those of the natural cubic spline at distance 1") {
  // y = 0 0 1 0 0: 4 s1 + s2 = 6, s1 + 4 s2 + s3 = -12, s2 + 4 s3 = 6, by hand
  std::size_t next = 0;
  const RateTable table = tabulate([&](double) { return next++ == 2 ? 1.0 : 0.0; }, 1e10, 5);
  const std::array<double, 5> s = {0, 18.0 / 7, -30.0 / 7, 18.0 / 7, 0};
  for (std::size_t i = 0; i < 5; ++i) CHECK(table.second[i] == doctest::Approx(s[i]).epsilon(1e-14));
  CHECK(rate(table, table.field_min) == 1);
  CHECK(rate(table, table.field_min * (1 - 1e-15)) == 0);
  // half way between nodes 1 and 2: 1/2 - (3/8)(s1 + s2)/6
  CHECK(std::log(rate(table, between(table, 1, 0.5))) == doctest::Approx(0.5 + 0.375 * (12.0 / 7) / 6).epsilon(1e-12));
  CHECK(
      std::log(rate(table, between(table, 2, 0.25))) ==
      doctest::Approx(0.75 + (0.421875 - 0.75) * (-30.0 / 7) / 6 + (0.015625 - 0.25) * (18.0 / 7) / 6).epsilon(1e-12));
}

TEST_CASE("tables of smooth rates are the formulas to 1e-6") {
  using Sum = PptSettings::Sum;
  const auto worst = [](const auto& formula) {
    const RateTable table = table_of(formula);
    double error = 0;
    for (std::size_t i = 32; i + 1 < table.log_rate.size();
         i += i < 2000 ? 1 : 7) {  // below: the first nodes are far apart
      for (const double f : {0.17, 0.5, 0.83}) {
        const double field = between(table, i, f), direct = formula.rate(field);
        if (direct > 1e-290) error = std::max(error, std::abs(rate(table, field) / direct - 1));
      }
    }
    return error;
  };
  CHECK(worst(Adk(Ar)) < 1e-6);
  CHECK(worst(Adk(He, true)) < 1e-6);
  CHECK(worst(Ppt(AtomicShell{Ar, 1}, {.wavelength = 800e-9, .sum = Sum::integral})) < 1e-6);
  CHECK(worst(Ppt(AtomicShell{He}, {.wavelength = 1800e-9, .sum = Sum::integral})) < 1e-6);
}

// A channel closes where (I_p + U_p)/omega is a whole number; just before, its term goes to 0 as a square root.
TEST_CASE("what a table of the PPT sum does to the closings of channels") {
  for (const AtomicShell& shell : {AtomicShell{He}, AtomicShell{Ar, 1}}) {
    const Ppt formula(shell, {.wavelength = 800e-9});
    const RateTable table = table_of(formula);
    const double omega = 2 * constants::pi * constants::c / 800e-9 * constants::hbar / constants::hartree;
    double near = 0, four = 0, sixteen = 0, mean = 0;
    int fields = 0;
    for (std::size_t i = 32; i + 1 < table.log_rate.size(); ++i) {
      for (const double f : {0.25, 0.75}) {
        const double field = between(table, i, f), E = field / field_au;
        const double v = (shell.potential / constants::hartree + E * E / (4 * omega * omega)) / omega;
        const double a_node = E / (2 * omega * omega * omega) * table.step / field_au;  // dv
        const double nodes = std::abs(v - std::round(v)) / a_node;
        const double error = rate(table, field) / formula.rate(field) - 1;
        double& worst = nodes < 4 ? near : nodes < 16 ? four : sixteen;
        worst = std::max(worst, std::abs(error));
        mean += error;
        ++fields;
      }
    }
    CHECK(near < 0.3);
    CHECK(near > 0.01);  // the cusps are there: the sum has not been smoothed
    CHECK(four < 1e-3);
    CHECK(sixteen < 1e-6);
    CHECK(std::abs(mean) / fields < 1e-5);
  }
}

TEST_CASE("a table of nothing is refused") {
  const auto one = [](double) { return 1.0; };
  CHECK_THROWS_WITH_AS(static_cast<void>(tabulate(one, 0)),
                       "ionisation: the barrier-suppression field is 0; give one above 0 V/m", Error);
  CHECK_THROWS_WITH_AS(static_cast<void>(tabulate(one, 1e10, 3)),
                       "ionisation: the number of fields of a table is 3; give 4 or more", Error);
  CHECK_THROWS_AS(static_cast<void>(tabulate([](double E) { return std::log(E - 1e10); }, 1e10)), Error);
}
