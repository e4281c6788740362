// SPDX-License-Identifier: Apache-2.0
// A mode of any guide, given by measured or computed numbers.
#pragma once

#include <functional>

#include "media/mode.hpp"

namespace lumarch {

// n_eff and the loss of power, 1/m, of omega; the effective area in m^2. It has no shape: what asks for one is
// Error(Fault::problem).
class TabulatedMode final : public GuideMode {
public:
  TabulatedMode(std::function<double(double omega)> n, std::function<double(double omega)> loss, double area)
      : n_(std::move(n)), loss_(std::move(loss)), area_(area) {}

  [[nodiscard]] std::array<double, 2> shape(double first, double second) const override;
  [[nodiscard]] double field_radius(double) const override { return 1; }  // of an area in m^2
  [[nodiscard]] double relative_area() const override { return area_; }

private:
  [[nodiscard]] std::complex<double> index(double omega, double eps_core, double radius) const override;

  std::function<double(double)> n_, loss_;
  double area_;
};

}  // namespace lumarch
