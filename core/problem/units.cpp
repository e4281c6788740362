// SPDX-License-Identifier: Apache-2.0
#include "problem/units.hpp"

#include <charconv>
#include <cmath>
#include <vector>

#include "problem/text.hpp"

namespace lumarch::problem {

namespace {

constexpr int kMostPower = 60;
constexpr int kMostDepth = 16;

struct Named {
  std::string_view name;
  Unit unit;
  bool prefixes;
};

const std::vector<Named>& known_units() {
  static const std::vector<Named> units{
      {"m", {1, 0, kLength}, true},
      {"s", {1, 0, kTime}, true},
      {"g", {1, -3, {.mass = 1}}, true},
      {"A", {1, 0, {.current = 1}}, true},
      {"K", {1, 0, {.temperature = 1}}, true},
      {"rad", {1, 0, kAngle}, true},
      {"deg", {std::numbers::pi / 180, 0, kAngle}, false},
      {"dB", {1, 0, {.level = 1}}, false},
      {"Hz", {1, 0, kFrequency}, true},
      {"W", {1, 0, kPower}, true},
      {"J", {1, 0, kEnergy}, true},
      {"eV", {1.602176634, -19, kEnergy}, true},
      {"N", {1, 0, {.length = 1, .mass = 1, .time = -2}}, true},
      {"Pa", {1, 0, {.length = -1, .mass = 1, .time = -2}}, true},
      {"bar", {1, 5, {.length = -1, .mass = 1, .time = -2}}, true},
      {"atm", {1.01325, 5, {.length = -1, .mass = 1, .time = -2}}, false},
      {"C", {1, 0, {.time = 1, .current = 1}}, true},
      {"V", {1, 0, {.length = 2, .mass = 1, .time = -3, .current = -1}}, true},
      {"min", {6, 1, kTime}, false},
  };
  return units;
}

struct Prefix {
  std::string_view text;
  int decimal;
};
constexpr std::array<Prefix, 19> kPrefixes{{{"y", -24},
                                            {"z", -21},
                                            {"a", -18},
                                            {"f", -15},
                                            {"p", -12},
                                            {"n", -9},
                                            {"u", -6},
                                            {"\u00b5", -6},
                                            {"\u03bc", -6},
                                            {"m", -3},
                                            {"c", -2},
                                            {"d", -1},
                                            {"h", 2},
                                            {"k", 3},
                                            {"M", 6},
                                            {"G", 9},
                                            {"T", 12},
                                            {"P", 15},
                                            {"E", 18}}};

std::optional<Unit> look_up(std::string_view name) {
  for (const Named& known : known_units()) {
    if (known.name == name) return known.unit;
  }
  for (const Prefix& prefix : kPrefixes) {
    if (!name.starts_with(prefix.text)) continue;
    for (const Named& known : known_units()) {
      if (!known.prefixes || known.name != name.substr(prefix.text.size())) continue;
      Unit unit = known.unit;
      unit.decimal += prefix.decimal;
      return unit;
    }
  }
  return std::nullopt;
}

std::string unknown(std::string_view name) {
  std::vector<std::string> candidates;
  for (const Named& known : known_units()) candidates.emplace_back(known.name);
  for (const char* common : {"nm", "um", "mm", "cm", "km", "fs",  "ps",  "ns",  "us",   "kW",   "MW", "mW",
                             "GW", "pJ", "nJ", "uJ", "mJ", "GHz", "THz", "PHz", "mbar", "mrad", "kPa"}) {
    candidates.emplace_back(common);
  }
  std::string text = in_quotes(name) + " is no known unit";
  if (const auto near = nearest(name, candidates)) text += " (did you mean " + in_quotes(*near) + "?)";
  return text;
}

// first * second^power
void multiply(Unit& first, const Unit& second, int power) {
  if (second.factor != 1) first.factor *= std::pow(second.factor, power);
  first.decimal += second.decimal * power;
  first.dimension.length += second.dimension.length * power;
  first.dimension.mass += second.dimension.mass * power;
  first.dimension.time += second.dimension.time * power;
  first.dimension.current += second.dimension.current * power;
  first.dimension.temperature += second.dimension.temperature * power;
  first.dimension.angle += second.dimension.angle * power;
  first.dimension.level += second.dimension.level * power;
}

// Recursive descent over: product := power { (space | * | · | /) power }; power := (name | 1 | "(" product ")") [^
// int].
class UnitParser {
public:
  UnitParser(std::string_view text, std::string& error) : text_(text), error_(error) {}

  std::optional<Unit> all() {
    const auto unit = product(0);
    if (!unit) return std::nullopt;
    skip();
    if (at_ < text_.size()) return fail(in_quotes(text_.substr(at_)) + " is left over after the unit");
    return unit;
  }

private:
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(std::string_view what) {
    if (!text_.substr(at_).starts_with(what)) return false;
    at_ += what.size();
    return true;
  }
  std::nullopt_t fail(std::string text) {
    if (error_.empty()) error_ = std::move(text);
    return std::nullopt;
  }

  std::optional<Unit> product(int depth) {
    if (depth > kMostDepth) return fail("parentheses are nested too deeply");
    Unit sum;
    bool divides = false, divided = false;
    for (bool first = true;; first = false) {
      skip();
      if (!first) {
        if (at_ >= text_.size() || text_[at_] == ')') return sum;
        divides = take("/");
        if (!divides && !take("*") && !take("\u00b7") && divided) {
          return fail(
              "a product after a quotient can be read in two ways; write it with parentheses, like \"1/(W m)\"");
        }
        divided = divided || divides;
        skip();
      }
      const auto next = power(depth);
      if (!next) return std::nullopt;
      multiply(sum, *next, divides ? -1 : 1);
    }
  }

  std::optional<Unit> power(int depth) {
    std::optional<Unit> base;
    if (at_ >= text_.size()) return fail("a unit is missing at the end");
    if (take("(")) {
      base = product(depth + 1);
      if (!base) return std::nullopt;
      skip();
      if (!take(")")) return fail("a closing parenthesis is missing");
    } else if (text_[at_] >= '0' && text_[at_] <= '9') {
      const std::size_t start = at_;
      while (at_ < text_.size() && (text_[at_] == '.' || std::isalnum(static_cast<unsigned char>(text_[at_])))) ++at_;
      if (text_.substr(start, at_ - start) != "1") {
        return fail("the number " + in_quotes(text_.substr(start, at_ - start)) +
                    " stands inside the unit; only 1 may");
      }
      base = Unit{};
    } else {
      const std::string_view name = word();
      if (name.empty()) return fail(in_quotes(text_.substr(at_)) + " is no unit");
      base = look_up(name);
      if (!base) return fail(unknown(name));
    }
    const auto exponent = raised();
    if (!exponent) return std::nullopt;
    Unit result;
    multiply(result, *base, *exponent);
    if (!bounded(result)) return fail("the unit's powers are too large");
    return result;
  }

  std::string_view word() {
    const std::size_t start = at_;
    while (at_ < text_.size()) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("\u00b7") || rest.starts_with("\u00b2") || rest.starts_with("\u00b3")) break;
      if (std::isalpha(c) == 0 && c < 0x80 && c != '_' && c != '%') break;
      ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  std::optional<int> raised() {
    if (take("\u00b2")) return 2;
    if (take("\u00b3")) return 3;
    if (!take("^")) return 1;
    const bool bracket = take("(");
    const char* begin = text_.data() + at_;
    int value = 0;
    const auto [end, problem] = std::from_chars(begin, text_.data() + text_.size(), value);
    const bool fraction = problem == std::errc{} && end != text_.data() + text_.size() && *end == '.';
    if (problem != std::errc{} || fraction || value > kMostPower || value < -kMostPower) {
      return fail("a power is a whole number between -60 and 60, like \"ps^2\"");
    }
    at_ += static_cast<std::size_t>(end - begin);
    if (bracket && !take(")")) return fail("a closing parenthesis is missing");
    return value;
  }

  static bool bounded(const Unit& unit) {
    const Dimension& d = unit.dimension;
    for (const int power : {d.length, d.mass, d.time, d.current, d.temperature, d.angle, d.level}) {
      if (power > 1000 || power < -1000) return false;
    }
    return unit.decimal < 100000 && unit.decimal > -100000 && std::isfinite(unit.factor);
  }

  std::string_view text_;
  std::string& error_;
  std::size_t at_ = 0;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// The part of `text` that is a decimal number; hexadecimal, inf and nan are none.
std::size_t number_length(std::string_view text) {
  std::size_t at = 0, digits = 0;
  const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  for (; digit(at); ++at) ++digits;
  if (at < text.size() && text[at] == '.') {
    for (++at; digit(at); ++at) ++digits;
  }
  if (digits == 0) return 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t power = at + 1;
    if (power < text.size() && (text[power] == '-' || text[power] == '+')) ++power;
    if (digit(power)) {
      while (digit(power)) ++power;
      at = power;
    }
  }
  return at;
}

// Decimal digits with the unit's power of ten added to their exponent: rounded once, as if written in SI.
std::optional<double> scaled(std::string_view number, int decimal) {
  if (number.starts_with('+')) number.remove_prefix(1);
  const std::size_t mark = number.find_first_of("eE");
  long long exponent = 0;
  if (mark != std::string_view::npos) {
    const std::size_t from = mark + (number[mark + 1] == '+' ? 2 : 1);
    const auto result = std::from_chars(number.data() + from, number.data() + number.size(), exponent);
    if (result.ec != std::errc{}) return std::nullopt;
    if (exponent > 1000000 || exponent < -1000000) return std::nullopt;
  }
  const std::string mantissa(number.substr(0, mark));
  const std::string whole = mantissa + "e" + std::to_string(exponent + decimal);
  double value = 0;
  const auto result = std::from_chars(whole.data(), whole.data() + whole.size(), value);
  if (result.ec != std::errc{} && mantissa.find_first_of("123456789") == std::string::npos) return 0.0;
  if (result.ec != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

std::string name_of(const Dimension& dimension) {
  struct Word {
    Dimension dimension;
    std::string_view name;
  };
  static const std::vector<Word> words{{kNumber, "a plain number"},
                                       {kLength, "a length"},
                                       {kTime, "a time"},
                                       {kFrequency, "a frequency"},
                                       {kAngularFrequency, "an angular frequency"},
                                       {kAngle, "an angle"},
                                       {kPower, "a power"},
                                       {kEnergy, "an energy"},
                                       {kArea, "an area"},
                                       {kPerLength, "an inverse length (1/m)"},
                                       {kLevelPerLength, "a loss (dB/m)"},
                                       {kGamma, "a nonlinear coefficient (1/(W m))"},
                                       {kN2, "a nonlinear index (m^2/W)"},
                                       {{.level = 1}, "a level (dB)"},
                                       {{.mass = 1}, "a mass"},
                                       {kTemperature, "a temperature"},
                                       {kPressure, "a pressure"},
                                       {kIntensity, "an intensity (W/m^2)"},
                                       {kPowerPerLength, "a power per length (W/m)"},
                                       {kEnergyPerLength, "an energy per length (J/m)"},
                                       {kChi2, "a second-order susceptibility (m/V)"},
                                       {{.length = 1, .time = -1}, "a speed"},
                                       {{.length = 2, .mass = 1, .time = -3, .current = -1}, "a voltage"}};
  for (const Word& word : words) {
    if (word.dimension == dimension) return std::string(word.name);
  }
  std::string above, below;
  const auto put = [&](const char* unit, int power) {
    std::string& side = power > 0 ? above : below;
    if (power == 0) return;
    if (!side.empty()) side += ' ';
    side += unit;
    if (std::abs(power) != 1) side.append("^").append(std::to_string(std::abs(power)));
  };
  put("kg", dimension.mass);
  put("m", dimension.length);
  put("s", dimension.time);
  put("A", dimension.current);
  put("K", dimension.temperature);
  put("rad", dimension.angle);
  put("dB", dimension.level);
  std::string text = "in ";
  text.append(above.empty() ? "1" : above);
  if (below.empty()) return text;
  const bool several = below.find(' ') != std::string::npos;
  return text.append(several ? "/(" : "/").append(below).append(several ? ")" : "");
}

std::optional<Unit> parse_unit(std::string_view text, std::string& error) {
  text = trimmed(text);
  if (text.empty()) {
    error = "the unit is empty; a plain number has the unit \"1\"";
    return std::nullopt;
  }
  if (text.size() > 200) {
    error = "the unit " + in_quotes(text) + " is too long";
    return std::nullopt;
  }
  return UnitParser(text, error).all();
}

std::optional<Amount> parse_amount(std::string_view text, std::string& error) {
  const std::string_view whole = trimmed(text);
  const std::size_t length = number_length(whole);
  if (length == 0) {
    error = in_quotes(text) + " does not start with a number";
    return std::nullopt;
  }
  const std::string_view rest = trimmed(whole.substr(length));
  Unit unit;
  if (!rest.empty()) {
    // "0.11 /W/m" and "5 * mm": the number itself is the first factor.
    std::string written = rest.front() == '/' ? "1" : "";
    written += rest.substr(rest.front() == '*' ? 1 : 0);
    const auto parsed = parse_unit(written, error);
    if (!parsed) {
      error = in_quotes(text) + ": " + error;
      return std::nullopt;
    }
    unit = *parsed;
  }
  const auto value = scaled(whole.substr(0, length), unit.decimal);
  if (!value || !std::isfinite(*value * unit.factor)) {
    error = in_quotes(text) + " is beyond what a double holds (about 1e-308 to 1e308 in SI)";
    return std::nullopt;
  }
  return Amount{*value * unit.factor, unit.dimension, rest.empty()};
}

std::optional<double> in_dimension(double value, const Dimension& is, const Dimension& needed) {
  if (is == needed) return value;
  if (needed == kPerLength && is == kLevelPerLength) return value * kPerDecibel;
  if (needed == kAngle && is == kNumber) return value;
  return std::nullopt;
}

std::optional<double> parse_quantity(std::string_view text, const Need& need, std::string& error) {
  const auto amount = parse_amount(text, error);
  const std::string wanted = name_of(need.dimension) + " is needed here, like " + in_quotes(need.example);
  const std::string wanted_text = wanted.starts_with("in ") ? "a quantity " + wanted : wanted;
  if (!amount) {
    error += "; " + wanted_text;
    return std::nullopt;
  }
  if (const auto value = in_dimension(amount->value, amount->dimension, need.dimension)) return value;
  error = wanted_text + "; " + in_quotes(text) + (amount->bare ? " has no unit" : " is " + name_of(amount->dimension));
  return std::nullopt;
}

}  // namespace lumarch::problem
