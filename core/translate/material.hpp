// SPDX-License-Identifier: Apache-2.0
// The index of a problem's material by its formula, its table or its number. Frequencies are angular, in rad/s.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <lumarch/problem.hpp>

#include "media/dispersion.hpp"
#include "media/range.hpp"
#include "media/spline.hpp"

namespace lumarch {

// A curve of a problem: a spline within its ends, beyond them the value of the nearer one.
class HeldCurve {
public:
  explicit HeldCurve(const Curve& curve);
  double operator()(double omega) const;
  [[nodiscard]] const Beta::Table& ends() const { return ends_; }
  [[nodiscard]] Range wavelengths() const;

private:
  std::shared_ptr<const Spline> spline_;  // shared: functions of the index hold it too
  Beta::Table ends_;
};

class MaterialIndex {
public:
  explicit MaterialIndex(const Material& material);

  // n: a formula also beyond its range (NaN where it has no real index), a table's end beyond the table.
  double operator()(double omega) const;
  // n, beyond a formula's range that of the nearer end too: for walls and claddings.
  [[nodiscard]] double held(double omega) const;
  [[nodiscard]] double extinction(double omega) const { return extinction_ ? (*extinction_)(omega) : 0; }

  [[nodiscard]] bool absorbs() const { return extinction_.has_value(); }
  [[nodiscard]] const std::optional<Beta::Table>& table() const { return ends_; }  // where a table ends
  // Wavelengths that the data hold for; none of a number.
  [[nodiscard]] std::optional<Range> known() const;
  [[nodiscard]] const std::string& file() const { return file_; }  // of a table, else empty

private:
  std::optional<Glass> glass_;
  double constant_;
  std::optional<HeldCurve> table_, extinction_;
  std::optional<Beta::Table> ends_;
  std::string file_;
};

}  // namespace lumarch
