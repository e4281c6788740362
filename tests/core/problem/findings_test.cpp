// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "support.hpp"

using namespace lumarch;
using support::has;
using support::wrong;

TEST_CASE("findings: all of a file are reported together, each at its place") {
  try {
    (void)support::with({{"/wavelength", "835 ns"},
                         {"/time/points", "1"},
                         {"/medium/gama", "1"},
                         {"/responses", R"(["plasma"])"},
                         {"/launch/0/fwhm", "-1"},
                         {"/planes", "[1]"},
                         {"/output", R"({"compression": 12})"}});
    FAIL("nothing was found");
  } catch (const ProblemError& error) {
    CHECK(error.fault() == Fault::problem);
    std::vector<std::string> pointers;
    for (const Finding& finding : error.findings()) pointers.push_back(finding.pointer);
    std::sort(pointers.begin(), pointers.end());
    CHECK(pointers == std::vector<std::string>{"/launch/0/fwhm", "/medium/gama", "/output/compression", "/planes/0",
                                               "/responses/0", "/time/points", "/wavelength"});
  }
}

TEST_CASE("findings: duplicates do not hide the rest") {
  std::string text = support::kSmall;
  text.insert(1, R"("model": "gnlse", "colour": 1,)");
  try {
    (void)parse_problem(text);
    FAIL("nothing was found");
  } catch (const ProblemError& error) {
    REQUIRE(error.findings().size() == 2);
    CHECK(error.findings()[0].pointer == "/model");
    CHECK(error.findings()[1].pointer == "/colour");
  }
}

TEST_CASE("findings: a syntax error has its line and column") {
  const auto what = [](const std::string& text) -> std::string {
    try {
      (void)parse_problem(text);
    } catch (const ProblemError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(has(what("{\n  \"lumarch\": 1,\n  \"model\" \"gnlse\"\n}"), "line 3, column 17"));
  CHECK(has(what("{\n\"a\": NaN}"), "line 2"));
  CHECK(has(what("{\n\"a\": NaN}"), "NaN is not a number"));
  CHECK(has(what("{\"a\": {\"b\": [1, 1e400]}}"), "/a/b/1: "));
}

TEST_CASE("findings: a hostile number of mistakes stays readable") {
  std::string text = support::kSmall;
  for (int i = 0; i < 5000; ++i) text.insert(1, "\"k" + std::to_string(i) + "\": 0,");
  try {
    (void)parse_problem(text);
    FAIL("nothing was found");
  } catch (const ProblemError& error) {
    CHECK(error.findings().size() == 101);
    CHECK(has(error.findings().back().text, "4900 more"));
  }
}

TEST_CASE("findings: long and odd values are cut and cleaned") {
  const std::string found = wrong({{"/wavelength", std::string(100000, 'x')}, {"/title", "[\"\\u0007\"]"}});
  CHECK(found.size() < 600);
  CHECK(std::none_of(found.begin(), found.end(), [](char c) { return c == '\a'; }));
}

TEST_CASE("findings: a large file is read, a huge one refused") {
  std::string text = support::kSmall;
  text.insert(0, std::string(std::size_t{8} << 20U, ' '));
  CHECK_NOTHROW((void)parse_problem(text));
  text.insert(0, std::string(std::size_t{64} << 20U, ' '));
  CHECK_THROWS_AS((void)parse_problem(text), ProblemError);
}
