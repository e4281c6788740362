// SPDX-License-Identifier: Apache-2.0
// Rules for members of a problem that a program made; what breaks one is left in the context.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <lumarch/problem.hpp>

#include "problem/findings.hpp"
#include "problem/text.hpp"

namespace lumarch::problem {

class Check {
public:
  explicit Check(Context& context) : context_(context) {}

  void positive(double value, const std::string& pointer, const char* what) {
    if (!(value > 0) || !std::isfinite(value)) find(pointer, value, what, "is above zero and finite");
  }
  void positive(const std::optional<double>& value, const std::string& pointer, const char* what) {
    if (value) positive(*value, pointer, what);
  }
  void not_negative(double value, const std::string& pointer, const char* what) {
    if (!(value >= 0) || !std::isfinite(value)) find(pointer, value, what, "is zero or above, and finite");
  }
  void within(double value, double low, double high, const std::string& pointer, const char* what) {
    if (!(value >= low && value <= high))
      find(pointer, value, what, ("is " + short_number(low) + " to " + short_number(high)).c_str());
  }
  // Enumerations hold any number once a program casts one into them.
  template <class Word>
  void choice(Word value, Word last, const std::string& pointer) {
    if (static_cast<int>(value) < 0 || value > last)
      context_.add(pointer, std::to_string(static_cast<int>(value)) + " is none of the choices that there are");
  }
  void finite(double value, const std::string& pointer, const char* what) {
    if (!std::isfinite(value)) find(pointer, value, what, "is finite");
  }
  void one_of(bool first, bool second, const std::string& pointer, const char* names) {
    if (first && second) context_.add(pointer, std::string("both of ") + names + " are given; give one");
    if (!first && !second) context_.add(pointer, std::string("neither of ") + names + " is given; give one");
  }
  void curve(const Curve& curve, const std::string& pointer) {
    if (curve.x.size() != curve.y.size() || curve.x.size() < 2)
      return context_.add(pointer, "a curve has two columns of the same length, of two points at least; here are " +
                                       std::to_string(curve.x.size()) + " and " + std::to_string(curve.y.size()));
    const auto wrong = [](double x) { return !std::isfinite(x); };
    if (std::any_of(curve.x.begin(), curve.x.end(), wrong) || std::any_of(curve.y.begin(), curve.y.end(), wrong))
      context_.add(pointer, "a curve's numbers are finite");
    rising(curve.x, pointer, "the curve's x");
  }
  void none_below(const Curve& curve, double least, const std::string& pointer, const char* what) {
    for (const double y : curve.y)
      if (!(y >= least)) return find(pointer, y, what, ("is " + short_number(least) + " or more in every row").c_str());
  }
  void rising(const std::vector<double>& values, const std::string& pointer, const char* what) {
    const auto at = std::adjacent_find(values.begin(), values.end(), [](double a, double b) { return !(b > a); });
    if (at != values.end())
      context_.add(pointer,
                   std::string(what) + " rises strictly; " + short_number(*(at + 1)) + " follows " + short_number(*at));
  }
  void add(const std::string& pointer, const std::string& text) { context_.add(pointer, text); }

private:
  void find(const std::string& pointer, double value, const char* what, const char* rule) {
    context_.add(pointer, std::string(what) + " " + rule + ", in SI; it is " + short_number(value));
  }
  Context& context_;
};

void check_material(const Material& material, const std::string& pointer, Check& check);

// A profile that has a pin.
void check_pin(const Profile& profile, const std::string& pointer, Check& check);

// The members of the model uppe.
void check_uppe(const Problem& problem, Check& check);

}  // namespace lumarch::problem
