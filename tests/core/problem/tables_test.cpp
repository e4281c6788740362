// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "relative.hpp"

#include <numbers>

#include "problem/units.hpp"
#include "support.hpp"

using namespace lumarch;
using support::has;
using support::with;
using support::wrong;

namespace {

std::string index_table(const std::string& rest) { return R"({"index": {"file": "t.csv", )" + rest + "}}"; }

Curve index_of(const std::string& text, const std::string& rest) {
  const support::Folder folder("problem_table");
  folder.write("t.csv", text);
  return std::get<IndexCurve>(with({{"/medium/dispersion", index_table(rest)}}, folder.path()).medium.dispersion).index;
}

double omega(double wavelength) { return 2 * std::numbers::pi * problem::kSpeedOfLight / wavelength; }

}  // namespace

TEST_CASE("tables: wavelengths become a rising angular frequency") {
  const Curve curve = index_of("# nm, n\n700, 1.455\n835, 1.453\n1000, 1.450\n", R"("units": ["nm", "1"])");
  REQUIRE(curve.x.size() == 3);
  CHECK(curve.file == "t.csv");
  CHECK(curve.x[0] == lumarch::test::about(omega(1e-6)).epsilon(1e-14));
  CHECK(curve.x[2] == lumarch::test::about(omega(700e-9)).epsilon(1e-14));
  CHECK(curve.y == std::vector<double>{1.450, 1.453, 1.455});
}

TEST_CASE("tables: separators, order of rows, columns and units as they come") {
  const double thz = 2 * std::numbers::pi * 1e12;
  const Curve white = index_of("1.450\tx 300\n1.455 y  430 \r\n", R"("columns": [2, 0], "units": ["THz", "1"])");
  CHECK(white.x[0] == lumarch::test::about(300 * thz).epsilon(1e-14));
  CHECK(white.y == std::vector<double>{1.450, 1.455});
  const Curve falling = index_of("2.7;1.455\n1.8;1.450", R"("units": ["rad/fs", "1"])");
  CHECK(falling.x[0] == lumarch::test::about(1.8e15).epsilon(1e-14));
  CHECK(falling.y == std::vector<double>{1.450, 1.455});
}

TEST_CASE("tables: loss, area and propagation constant have their units") {
  const support::Folder folder("problem_tables");
  folder.write("t.csv", "600 2\n1200 1\n");
  const std::string table = R"({"file": "t.csv", "units": ["nm", )";
  CHECK(with({{"/medium/loss", table + "\"dB/m\"]}"}}, folder.path()).medium.loss_curve->y[0] ==
        lumarch::test::about(0.2302585092994046));
  CHECK(with({{"/medium/loss", table + "\"1/km\"]}"}}, folder.path()).medium.loss_curve->y[0] ==
        lumarch::test::about(1e-3));
  const std::string fibre = R"({"type": "fibre", "length": 1, "n2": 2.6e-20, "dispersion": {"propagation_constant": )" +
                            table + R"("1/um"]}}, "effective_area": )" + table + "\"um^2\"]}}";
  const auto p = with({{"/medium", fibre}}, folder.path());
  CHECK(p.medium.effective_area_curve->y[0] == lumarch::test::about(1e-12));
  CHECK_FALSE(p.medium.effective_area);
  CHECK(std::get<PropagationCurve>(p.medium.dispersion).beta.y[0] == lumarch::test::about(1e6));
}

TEST_CASE("tables: the light has to lie inside, pulses of other colours too") {
  const support::Folder folder("problem_reach");
  folder.write("t.csv", "700 1.45\n1000 1.44\n");
  const auto found = [&](support::Sets sets) {
    sets.push_back({"/medium/dispersion", index_table(R"("units": ["nm", "1"])")});
    return wrong(sets, folder.path());
  };
  CHECK(found({}).empty());
  CHECK(found({{"/launch/0/wavelength", "1000 nm"}}).empty());
  CHECK(has(found({{"/launch/0/wavelength", "1050 nm"}}), "t.csv reaches from 700 nm to 1000 nm"));
}

TEST_CASE("tables: the digest follows what the files hold") {
  const support::Folder folder("problem_digest");
  const support::Sets sets{{"/medium/loss", R"({"file": "t.csv", "units": ["nm", "1/m"]})"}};
  folder.write("t.csv", "600 2\n1200 1\n");
  const std::string before = with(sets, folder.path()).digest;
  CHECK(with(sets, folder.path()).digest == before);
  folder.write("t.csv", "600 2\n1200 1.5\n");
  CHECK(with(sets, folder.path()).digest != before);
}
