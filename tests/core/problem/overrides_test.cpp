// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support.hpp"

using namespace lumarch;
using support::has;
using support::with;
using support::wrong;

TEST_CASE("--set: the argument is split at the first equals sign") {
  const Override set = parse_override("/a/b=c=d");
  CHECK(set.pointer == "/a/b");
  CHECK(set.value == "c=d");
  CHECK(parse_override("/title=").value.empty());
  for (const char* text : {"", "=", "a=b", "/a", "a/b=1", "=1"}) {
    CHECK_THROWS_AS((void)parse_override(text), ProblemError);
  }
}

TEST_CASE("--set: values are JSON where they are, else strings") {
  CHECK(with({{"/launch/0/peak_power", "5 kW"}}).launch[0].peak_power == 5000);
  CHECK(with({{"/launch/0/peak_power", "\"5 kW\""}}).launch[0].peak_power == 5000);
  CHECK(with({{"/launch/0/peak_power", "5"}}).launch[0].peak_power == 5);
  CHECK(with({{"/title", ""}}).title.empty());
  CHECK(with({{"/title", "[not json"}}).title == "[not json");
}

TEST_CASE("--set: creates a key, appends to a list, applies in order") {
  CHECK(with({{"/planes", "11"}}).planes.size() == 11);
  CHECK(with({{"/march", "{}"}, {"/march/tolerance", "1e-5"}, {"/march/tolerance", "1e-6"}}).march.tolerance == 1e-6);
  CHECK(with({{"/march/tolerance", "1e-5"}}).march.tolerance == 1e-5);  // "march" is made
  CHECK(with({{"/responses/-", "raman"}}).responses.size() == 2);
  CHECK(with({{"/medium/dispersion/betas/0", "0"}}).launch.size() == 1);
}

TEST_CASE("--set: what goes wrong is said at its pointer") {
  CHECK(has(wrong({{"/marhc/tolerance", "1e-5"}}), "march"));  // an object that is made has to be a known one
  CHECK(has(wrong({{"/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q", "1"}}), "no key lies so deep"));
  CHECK(has(wrong({{"/launch/1/fwhm", "1"}}), "no place in a list of 1"));
  CHECK(has(wrong({{"/launch/-/fwhm", "1"}}), "no place in a list"));
  CHECK(has(wrong({{"/launch/00/fwhm", "1"}}), "no place in a list"));
  CHECK(has(wrong({{"/wavelength/x", "1"}}), "can't be set in a string"));
  CHECK(has(wrong({{"wavelength", "1"}}), "no JSON pointer"));
  CHECK(has(wrong({{"", "{}"}}), "no JSON pointer"));
  CHECK(has(wrong({{"/a~2", "1"}}), "no JSON pointer"));
  CHECK(has(wrong({{"/title", "\xff"}}), "not UTF-8"));
  CHECK(has(wrong({{"/wavelenght", "1"}}), "did you mean \"wavelength\""));
  CHECK(has(wrong({{"/a~1b", "1"}}), "/a~1b: unknown key"));
  CHECK(has(wrong({{"/wavelength", "15 s"}}), "/wavelength: a length is needed"));
  CHECK(has(wrong({{"/wavelength", "1e999"}}), "/wavelength"));
}

TEST_CASE("--set: text and digest are those of the changed problem") {
  const Problem plain = with({});
  const Problem changed = with({{"/title", "x"}});
  CHECK(plain.digest.size() == 64);
  CHECK(changed.digest != plain.digest);
  CHECK(changed.text.find("\"title\": \"x\"") != std::string::npos);
  // the text is a problem again, and the same one
  CHECK(parse_problem(changed.text).digest == changed.digest);
  CHECK(parse_problem(changed.text).text == changed.text);
  CHECK(nlohmann::json::parse(plain.text)["wavelength"] == "835 nm");
}

TEST_CASE("--set: the digest is the same for the same problem, however it is laid out") {
  const auto digest = with({}).digest;
  CHECK(parse_problem("// a comment\n" + support::kSmall + "\n\n").digest == digest);
  CHECK(with({{"/title", "x"}}).digest == with({{"/title", "\"x\""}}).digest);
  std::string moved = support::kSmall;
  moved.replace(moved.find("\"lumarch\": 1, "), 14, "");
  moved.replace(moved.rfind('}'), 1, ", \"lumarch\": 1}");
  CHECK(parse_problem(moved).digest == digest);
}
