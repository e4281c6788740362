// SPDX-License-Identifier: Apache-2.0
#include "translate/material.hpp"

#include <algorithm>

#include "media/constants.hpp"
#include "media/glass.hpp"

namespace lumarch {

HeldCurve::HeldCurve(const Curve& curve)
    : spline_(std::make_shared<Spline>(curve.x, curve.y)), ends_{curve.x.front(), curve.x.back()} {}

double HeldCurve::operator()(double omega) const { return (*spline_)(std::clamp(omega, ends_.low, ends_.high)); }

Range HeldCurve::wavelengths() const {
  const double k = 2 * constants::pi * constants::c;
  return {k / ends_.high, k / ends_.low};
}

MaterialIndex::MaterialIndex(const Material& material) : glass_(material.glass), constant_(material.index) {
  if (material.table) {
    table_.emplace(*material.table);
    ends_ = table_->ends();
    file_ = material.table->file;
  }
  if (material.extinction) extinction_.emplace(*material.extinction);
}

double MaterialIndex::operator()(double omega) const {
  if (glass_) return glass_index(*glass_, omega);
  return table_ ? (*table_)(omega) : constant_;
}

double MaterialIndex::held(double omega) const { return glass_ ? wall_index(*glass_, omega) : (*this)(omega); }

std::optional<Range> MaterialIndex::known() const {
  if (glass_) return glass_range(*glass_);
  return table_ ? std::optional(table_->wavelengths()) : std::nullopt;
}

}  // namespace lumarch
