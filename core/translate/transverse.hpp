// SPDX-License-Identifier: Apache-2.0
// Transverse grids of free-space routes (physics.md, 5 and 16): where nodes lie, in space and in k, and what they
// count.
#pragma once

#include <cstdint>
#include <vector>

#include <lumarch/problem.hpp>
#include <lumarch/sink.hpp>

namespace lumarch {

// Nodes of a state, [outer][inner] in the order of a row block: ky, kx in FFT order (of a transform that begins at the
// first sample in space), or the zeros of J0 on a radial grid.
class Transverse {
public:
  explicit Transverse(const Geometry& geometry);

  [[nodiscard]] Route route() const { return route_; }
  [[nodiscard]] std::int64_t outer() const { return route_ == Route::cartesian ? ny_ : 1; }
  [[nodiscard]] std::int64_t inner() const { return nx_; }
  [[nodiscard]] std::int64_t nodes() const { return outer() * inner(); }

  [[nodiscard]] double kx(std::int64_t inner) const;  // 1/m; radial: k_m
  [[nodiscard]] double ky(std::int64_t outer) const;
  [[nodiscard]] double k2(std::int64_t outer, std::int64_t inner) const;
  [[nodiscard]] double x(std::int64_t inner) const;  // m; radial: r_n
  [[nodiscard]] double y(std::int64_t outer) const;

  // Integral over the transverse plane of the squared field = measure() times the sum of its squared state over k:
  // m (line), m^2.
  [[nodiscard]] double measure() const { return measure_; }
  // Half the width of the window; radial: its radius, m.
  [[nodiscard]] double half_x() const { return fourier() ? dx_ * static_cast<double>(nx_) / 2 : aperture_; }
  [[nodiscard]] double half_y() const { return dy_ * static_cast<double>(ny_) / 2; }
  // Area (line: length) of a node in space, for integrals over it.
  [[nodiscard]] double area(std::int64_t outer, std::int64_t inner) const;

  // What a state's node holds of the field's transform E(k), and the field in a file over it: E(k) = to_file * state,
  // apart from phases of the first sample's place.
  [[nodiscard]] double to_file(std::int64_t outer, std::int64_t inner) const;

  // Radial: the matrices between a state and the field at r_n, [row][column]; `with_axis` puts r = 0 before the others.
  [[nodiscard]] std::vector<double> to_space(bool with_axis) const;
  [[nodiscard]] std::vector<double> to_state() const;

  [[nodiscard]] NodeAxes axes(int components) const;
  // Index of a state's node for the j-th in rising order.
  [[nodiscard]] static std::int64_t rising(std::int64_t j, std::int64_t n) { return (j + (n + 1) / 2) % n; }
  [[nodiscard]] bool fourier() const { return route_ != Route::radial; }

private:
  Route route_;
  std::int64_t nx_ = 1, ny_ = 1;
  double dx_ = 0, dy_ = 0, measure_ = 1;
  double aperture_ = 0, last_zero_ = 0;  // R, S
  std::vector<double> zeros_, slopes_;   // alpha_n, |J1(alpha_n)|
};

}  // namespace lumarch
