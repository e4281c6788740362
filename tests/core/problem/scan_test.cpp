// SPDX-License-Identifier: Apache-2.0
// The axes of a scan, and the problem of each point.
#include <doctest/doctest.h>

#include <cmath>

#include <lumarch/scan.hpp>
#include <nlohmann/json.hpp>

#include "support.hpp"

using namespace lumarch;
using support::has;

namespace {

const char* const base = R"({
  "lumarch": 1, "model": "gnlse", "wavelength": "835 nm",
  "time": {"window": "5 ps", "points": 512},
  "medium": {"type": "fibre", "length": "1 cm", "gamma": 0.11, "dispersion": {"betas": ["-11.83 ps^2/km"]}},
  "responses": ["kerr"], "title": "a scan",
  "launch": [{"shape": "sech", "fwhm": "50 fs", "peak_power": "1 kW"}],
  "scan": SCAN })";

std::string text_of(const std::string& scan) {
  std::string text = base;
  return text.replace(text.find("SCAN"), 4, scan);
}

Scan scan_of(const std::string& scan, const std::vector<Override>& overrides = {}) {
  return parse_scan(text_of(scan), overrides);
}

// All that is wrong, each with its pointer.
std::string wrong(const std::string& scan) {
  try {
    const Scan read = scan_of(scan);
    read.check();
  } catch (const ProblemError& error) {
    std::string all;
    for (const Finding& f : error.findings()) all += f.pointer + ": " + f.text + "\n";
    return all;
  }
  FAIL("nothing was found wrong");
  return "";
}

std::string axis(const std::string& rest) { return R"({"axes": [{"path": "/launch/0/peak_power", )" + rest + "}]}"; }

}  // namespace

TEST_CASE("scan: a grid has every combination, the last axis runs fastest") {
  const Scan scan = scan_of(R"({"axes": [
    {"path": "/launch/0/peak_power", "values": ["1 kW", "2.5 kW", "3e3 kW"]},
    {"path": "/time/points", "values": [256, 512]}]})");
  REQUIRE(scan.is_scan());
  REQUIRE(scan.points() == 6);
  const double powers[] = {1e3, 2.5e3, 3e6};
  for (std::size_t i = 0; i < 6; ++i) {
    const Problem p = scan.problem(i);
    CHECK(p.launch[0].peak_power == powers[i / 2]);
    CHECK(p.time.points == (i % 2 == 0 ? 256 : 512));
    CHECK(scan.place(i) == std::vector<std::size_t>{i / 2, i % 2});
  }
  CHECK(scan.request().axes[0].unit == "kW");
  CHECK(scan.request().axes[0].numbers == std::vector<double>{1, 2.5, 3e3});
  CHECK(scan.label(3) == "/launch/0/peak_power = 2.5 kW, /time/points = 512");
}

TEST_CASE("scan: zipped axes go together") {
  const Scan scan = scan_of(R"({"mode": "zip", "axes": [
    {"path": "/launch/0/peak_power", "values": [100, 200]}, {"path": "/medium/length", "values": ["1 cm", "2 cm"]}]})");
  REQUIRE(scan.points() == 2);
  CHECK(scan.problem(1).launch[0].peak_power == 200);
  CHECK(scan.problem(1).medium.length == 0.02);
  CHECK(scan.label(1) == "/launch/0/peak_power = 200, /medium/length = 2 cm");
}

TEST_CASE("scan: rows of numbers have both their ends, to the digit") {
  const Scan even = scan_of(axis(R"("linspace": ["0.1 kW", "0.7 kW", 7])"));
  REQUIRE(even.points() == 7);
  CHECK(even.request().axes[0].numbers.front() == 0.1);
  CHECK(even.request().axes[0].numbers.back() == 0.7);
  CHECK(even.problem(6).launch[0].peak_power == 700);
  CHECK(std::abs(even.problem(2).launch[0].peak_power.value() - 300) < 1e-10);
  const Scan ratios = scan_of(axis(R"("geomspace": [1, 10000, 5])"));
  REQUIRE(ratios.points() == 5);
  for (int i = 0; i < 5; ++i)
    CHECK(std::abs(ratios.problem(std::size_t(i)).launch[0].peak_power.value() / std::pow(10.0, i) - 1) < 1e-14);
}

TEST_CASE("scan: a point's problem is what a file with its values would be") {
  const Scan scan = scan_of(axis(R"("values": ["2 kW", "3 kW"])"));
  std::string alone = text_of("0");
  alone = nlohmann::json::parse(alone).dump();
  nlohmann::json file = nlohmann::json::parse(alone);
  file.erase("scan");
  file["launch"][0]["peak_power"] = "3 kW";
  const Problem wanted = parse_problem(file.dump());
  CHECK(scan.problem(1).text == wanted.text);
  CHECK(scan.problem(1).digest == wanted.digest);
  CHECK(scan.problem(0).digest != wanted.digest);
}

TEST_CASE("scan: --set reaches the problem and the scan") {
  const Scan scan =
      scan_of(axis(R"("values": ["2 kW", "3 kW"])"), {{"/medium/length", "2 cm"}, {"/scan/axes/0/values/1", "4 kW"}});
  CHECK(scan.problem(1).launch[0].peak_power == 4000);
  CHECK(scan.problem(1).medium.length == 0.02);
  CHECK(scan.digest() != scan_of(axis(R"("values": ["2 kW", "3 kW"])")).digest());
}

TEST_CASE("scan: a file without a scan is one point") {
  nlohmann::json file = nlohmann::json::parse(text_of("0"));
  file.erase("scan");
  const Scan scan = parse_scan(file.dump());
  CHECK_FALSE(scan.is_scan());
  CHECK(scan.points() == 1);
  CHECK(scan.problem(0).digest == parse_problem(file.dump()).digest);
  CHECK_NOTHROW(scan.check());
}

TEST_CASE("scan: what is wrong is named with its place, and every point is read") {
  CHECK(has(wrong("{}"), "/scan/axes: the key \"axes\" is missing"));
  CHECK(has(wrong("3"), "/scan: an object"));
  CHECK(has(wrong(R"({"axes": []})"), "/scan/axes: the list is empty"));
  CHECK(has(wrong(R"({"axes": [{"path": "/launch/0/peak_power"}]})"), "/scan/axes/0: an axis needs its values"));
  CHECK(has(wrong(axis(R"("values": [1], "linspace": [1, 2, 3])")), "one of values, linspace and geomspace"));
  CHECK(has(wrong(axis(R"("values": [])")), "/scan/axes/0/values: the list is empty"));
  CHECK(has(wrong(axis(R"("values": 3)")), "/scan/axes/0/values"));
  CHECK(has(wrong(axis(R"("values": [1, "two"])")), "/scan/axes/0/values/1"));
  CHECK(has(wrong(axis(R"("values": [1, null])")), "/scan/axes/0/values/1: a number or a quantity"));
  CHECK(has(wrong(axis(R"("values": ["1 W", "1 kW"])")), "have one unit; here are \"W\" and \"kW\""));
  CHECK(has(wrong(axis(R"("values": [1, 2, 1.0])")), "1 is there twice"));
  CHECK(has(wrong(axis(R"("linspace": [1, 2])")), "two ends and how many"));
  CHECK(has(wrong(axis(R"("linspace": [1, 2, 1])")), "/scan/axes/0/linspace/2"));
  CHECK(has(wrong(axis(R"("geomspace": [0, 2, 3])")), "ends of one sign"));
  CHECK(has(wrong(axis(R"("geomspace": [-1, 2, 3])")), "ends of one sign"));
  CHECK(has(wrong(R"({"axes": [{"path": "launch", "values": [1]}]})"), "is no JSON pointer"));
  CHECK(has(wrong(R"({"axes": [{"path": "/march/tolerance", "values": [1]}]})"), "there is nothing at"));
  CHECK(has(wrong(R"({"axes": [{"path": "/launch/1/fwhm", "values": [1]}]})"), "there is nothing at"));
  CHECK(has(wrong(R"({"axes": [{"path": "/title", "values": [1]}]})"), "is no number but a string"));
  CHECK(has(wrong(R"({"axes": [{"path": "/launch", "values": [1]}]})"), "is no number but a list"));
  const std::string twice = R"({"path": "/medium/length", "values": [1, 2]})";
  CHECK(has(wrong(R"({"axes": [)" + twice + "," + twice + "]}"),
            "/scan/axes/1: the axis \"/medium/length\" is there twice"));
  CHECK(has(wrong(R"({"mode": "zip", "axes": [{"path": "/medium/length", "values": [1, 2]}, {"path": "/medium/gamma",
    "values": [1]}]})"),
            "zipped axes have as many values each; here are 2 and 1"));
  CHECK(has(wrong(R"({"axes": [{"path": "/medium/length", "linspace": [1, 2, 10000]}, {"path": "/medium/gamma",
    "linspace": [1, 2, 10000]}]})"),
            "points; at most"));
  CHECK(has(wrong(R"({"axes": [{"path": "/medium/length", "values": [1]}], "executor": {"type": "nosuch"}})"),
            "/scan/executor/type"));
  CHECK(has(wrong(R"({"axes": [{"path": "/medium/length", "values": [1]}], "executor": {"type": "batch"}})"),
            "not built yet"));
  CHECK(has(wrong(R"({"axes": [{"path": "/medium/length", "values": [1]}], "layuot": "arrays"})"),
            "did you mean \"layout\"?"));
  const std::string points = wrong(R"({"axes": [{"path": "/time/points", "values": [256, 1, 512, -4]}]})");
  CHECK(has(points, "/time/points: at point 1 (/time/points = 1): "));
  CHECK(has(points, "/time/points: at point 3 (/time/points = -4): "));
  CHECK(has(points, "/scan: 2 of 4 points are wrong"));
  CHECK(has(wrong(axis(R"("values": ["1 mm"])")), "/launch/0/peak_power: at point 0"));
}

TEST_CASE("scan: one problem is not read from a scan") {
  CHECK_THROWS_WITH_AS((void)parse_problem(text_of(axis(R"("values": [1])"))),
                       doctest::Contains("a scan of several points where one problem is needed"), ProblemError);
}
