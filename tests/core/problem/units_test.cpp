// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "relative.hpp"

#include <cmath>

#include "problem/units.hpp"

using namespace lumarch::problem;

namespace {

Amount amount(const std::string& text) {
  std::string error;
  const auto found = parse_amount(text, error);
  INFO(text, ": ", error);
  REQUIRE(found.has_value());
  return *found;
}

std::string error_of(const std::string& text, const Need& need) {
  std::string error;
  const auto value = parse_quantity(text, need, error);
  INFO(text);
  CHECK_FALSE(value.has_value());
  return error;
}

double value_of(const std::string& text, const Dimension& dimension) {
  std::string error;
  const auto value = parse_quantity(text, {dimension, "1"}, error);
  INFO(text, ": ", error);
  REQUIRE(value.has_value());
  return *value;
}

}  // namespace

TEST_CASE("units: decimal units give the nearest double, as if the number were written in SI") {
  CHECK(value_of("835 nm", kLength) == 835e-9);
  CHECK(value_of("15 cm", kLength) == 0.15);
  CHECK(value_of("28.4 fs", kTime) == 28.4e-15);
  CHECK(value_of("10 kW", kPower) == 1e4);
  CHECK(value_of("500 pJ", kEnergy) == 500e-12);
  CHECK(value_of("350 THz", kFrequency) == 350e12);
  CHECK(value_of("2.26 rad/fs", kAngularFrequency) == 2.26e15);
  CHECK(value_of("0.11 1/(W m)", kGamma) == 0.11);
  CHECK(value_of("0.11 /W/m", kGamma) == 0.11);
  CHECK(value_of("1.3 1/W/km", kGamma) == 1.3e-3);
  CHECK(value_of("2.8e-20 m^2/W", kN2) == 2.8e-20);
  CHECK(value_of("80 um^2", kArea) == 80e-12);
  CHECK(value_of("80 \u00b5m\u00b2", kArea) == 80e-12);
  CHECK(value_of("80 \u03bcm^2", kArea) == 80e-12);
  CHECK(value_of("-11.83 ps^2/km", {.length = -1, .time = 2}) == -1.183e-26);
  CHECK(value_of("-11.830e-3 ps^2/m", {.length = -1, .time = 2}) == -1.183e-26);
  CHECK(value_of("8.1038e-5 ps^3/m", {.length = -1, .time = 3}) == 8.1038e-41);
  CHECK(value_of("-1.7140e-24 ps^10/m", {.length = -1, .time = 10}) == -1.7140e-144);
  CHECK(value_of("5 ps/(nm km)", {.length = -2, .time = 1}) == 5e-6);
  CHECK(value_of("5 ps/nm/km", {.length = -2, .time = 1}) == 5e-6);
  CHECK(value_of("0.025 ps/nm^2/km", {.length = -3, .time = 1}) == 25.0);
  CHECK(value_of("0.025 ps nm^-2 km^-1", {.length = -3, .time = 1}) == 25.0);
  CHECK(value_of("2 bar", {.length = -1, .mass = 1, .time = -2}) == 2e5);
  CHECK(value_of("1 atm", {.length = -1, .mass = 1, .time = -2}) == 101325.0);
  CHECK(value_of("200nm", kLength) == 200e-9);
  CHECK(value_of("  +.5e1*mm ", kLength) == 5e-3);
  CHECK(value_of("7 1", kNumber) == 7.0);
  CHECK(value_of("-0 fs", kTime) == 0.0);
  CHECK(value_of("0e999 fs", kTime) == 0.0);
}

TEST_CASE("units: what is no power of ten") {
  CHECK(value_of("0.2 dB/km", kPerLength) == lumarch::test::about(2e-4 * std::log(10.0) / 10).epsilon(1e-15));
  CHECK(value_of("3.0102999566398 dB/m", kPerLength) == lumarch::test::about(std::log(2.0)).epsilon(1e-12));
  CHECK(value_of("0.7 1/m", kPerLength) == 0.7);
  CHECK(value_of("180 deg", kAngle) == lumarch::test::about(std::acos(-1.0)).epsilon(1e-15));
  CHECK(value_of("0.5", kAngle) == 0.5);
  CHECK(value_of("1 eV", kEnergy) == lumarch::test::about(1.602176634e-19).epsilon(1e-15));
  CHECK(value_of("2 min", kTime) == 120.0);
  CHECK(value_of("3 W m^0 s", kEnergy) == 3.0);
}

TEST_CASE("units: a cycle is not a radian, a decibel not a number") {
  CHECK_FALSE(amount("1 THz").dimension == amount("1 rad/s").dimension);
  CHECK_FALSE(amount("1 dB/m").dimension == amount("1 1/m").dimension);
  CHECK(amount("1 N m").dimension == kEnergy);
  CHECK(amount("1 kg m^2/s^2").dimension == kEnergy);
  CHECK(amount("1 (kg m)^2/(kg s^2)").value == 1.0);
}

TEST_CASE("units: an error says the need, the value and what it is") {
  const Need length{kLength, "15 cm"};
  CHECK(error_of("15 s", length) == "a length is needed here, like \"15 cm\"; \"15 s\" is a time");
  CHECK(error_of("15", length) == "a length is needed here, like \"15 cm\"; \"15\" has no unit");
  CHECK(error_of("15 1/m", length).find("an inverse length") != std::string::npos);
  CHECK(error_of("15 ps^2/m", length).find("is in s^2/m") != std::string::npos);
  CHECK(error_of("15 kg/(m s A)", length).find("kg/(m s A)") != std::string::npos);
  CHECK(error_of("15 mn", length).find("did you mean") != std::string::npos);
  CHECK(error_of("15 KM", length).find("\"km\"") != std::string::npos);
  CHECK(error_of("1 ps^2/km", {{.length = -3, .time = 1}, "1 s/m^3"}).find("a quantity in s/m^3") != std::string::npos);
}

TEST_CASE("units: what is no quantity") {
  const Need length{kLength, "15 cm"};
  for (const char* text : {"",           " ",         "cm",
                           "nan m",      "inf m",     "-inf m",
                           "1e999 m",    "-1e999 m",  "1e308 Gm",
                           "1e-999 m",   "15 cm x y", "15 c m m",
                           "15 cm)",     "15 (cm",    "15 cm^",
                           "15 cm^x",    "15 cm^1.5", "15 cm^99",
                           "15 m/s s m", "15 2cm",    "15 cm//m",
                           "15 cm/",     "0x1 m",     "1e m",
                           "1,5 cm",     "--1 m",     "1e99999999999999999999999 m",
                           "15 m m",     "15 \xff",   "15 m^-",
                           "15 ()"}) {
    CHECK_FALSE(error_of(text, length).empty());
  }
  CHECK_FALSE(error_of("1 " + std::string(100000, '('), length).empty());
  CHECK_FALSE(error_of("1 " + std::string(100000, 'm'), length).empty());
  CHECK_FALSE(error_of(std::string(100000, '1') + " fm", length).empty());
  CHECK_FALSE(error_of("1 ((((((m^60)^60)^60)^60)^60)^60)", length).empty());
}
