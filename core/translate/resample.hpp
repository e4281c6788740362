// SPDX-License-Identifier: Apache-2.0
// A transform of a field, known on the points of one axis, on those of another: what the field is within both windows
// is kept, and is 0 in the rest of the new one.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lumarch {

// How one axis becomes another. `from` and `to` rise.
class Resample {
public:
  // Evenly spaced omega or k, of a field in a window about 0 whose width is 2 pi over their step.
  static Resample even(const std::vector<double>& from, const std::vector<double>& to);
  // k_m = alpha_m/R with the zeros of J0, of a field within the aperture R.
  static Resample radial(const std::vector<double>& from, const std::vector<double>& to);
  // Points that are the same ones or none: of each in `to` its place in the old axis.
  static Resample named(std::size_t from, std::vector<std::optional<std::size_t>> to);

  [[nodiscard]] bool same() const { return same_; }
  [[nodiscard]] std::size_t from() const { return weight_from_.size(); }
  [[nodiscard]] std::size_t to() const { return weight_to_.size(); }
  // What the square of a value counts at each point: the integral over the transform's variable, or over the window's
  // in space or time.
  [[nodiscard]] const std::vector<double>& weight_from() const { return weight_from_; }
  [[nodiscard]] const std::vector<double>& weight_to() const { return weight_to_; }

  // What the values [outer][from][inner] become, [outer][to][inner]. `error2` grows by the resampling's own: what is
  // brought back to the old points and differs there, squared and relative, beyond what the new ones do not hold.
  [[nodiscard]] std::vector<std::complex<double>> operator()(const std::vector<std::complex<double>>& values,
                                                             std::size_t outer, std::size_t inner,
                                                             double& error2) const;

private:
  using Row = std::function<void(std::size_t point, std::vector<double>& weights)>;  // of the other axis' values
  using Places = std::vector<std::optional<std::size_t>>;

  bool same_ = false;
  std::optional<Places> places_;  // where values are only moved; else rows are sums
  Row forward_, back_;
  std::vector<double> weight_from_, weight_to_;
};

}  // namespace lumarch
