// SPDX-License-Identifier: Apache-2.0
// Squares of a node's components: added to a row, summed by a fixed tree, and the largest.
#include "basics.hpp"
#include "media.hpp"

namespace lumarch::cpu::LUMARCH_ROWS {
namespace {

template <bool real, bool weighted>
inline double square(const double* x, const double* weight, std::size_t i) {
  const double value = real ? x[2 * i] * x[2 * i] : intensity(load(x, i));
  return weighted ? weight[i] * value : value;
}

// body<real, weighted>() as the row is.
template <class Body>
inline auto chosen(const SquaresRow& row, const Body& body) {
  if (row.real) return row.weight[0] ? body.template operator()<true, true>() : body.template operator()<true, false>();
  return row.weight[0] ? body.template operator()<false, true>() : body.template operator()<false, false>();
}

constexpr std::size_t lanes = 16;

}  // namespace

void add_squares(double* out, const SquaresRow& row, double c) {
  chosen(row, [&]<bool real, bool weighted>() {
    for (unsigned k = 0; k < row.components; ++k) {
      const double* x = row.x[k];
      LUMARCH_LANES
      for (std::size_t i = 0; i < row.n; ++i) out[i] = fused(c, square<real, weighted>(x, row.weight[k], i), out[i]);
    }
  });
}

// Lane d has the samples d, d + 16, ...; lanes are added in halves, components upwards.
double sum_squares(const SquaresRow& row) {
  return chosen(row, [&]<bool real, bool weighted>() {
    double total = 0.0;
    for (unsigned k = 0; k < row.components; ++k) {
      const double* x = row.x[k];
      double lane[lanes] = {};
      std::size_t i = 0;
      for (; i + lanes <= row.n; i += lanes)
        for (std::size_t d = 0; d < lanes; ++d) lane[d] += square<real, weighted>(x, row.weight[k], i + d);
      for (std::size_t d = 0; i < row.n; ++i, ++d) lane[d] += square<real, weighted>(x, row.weight[k], i);
      for (std::size_t width = lanes / 2; width > 0; width /= 2)
        for (std::size_t d = 0; d < width; ++d) lane[d] += lane[d + width];
      total += lane[0];
    }
    return total;
  });
}

// What is no number stays: a comparison with it would lose it, so it is kept beside the largest.
double peak_squares(const SquaresRow& row) {
  return chosen(row, [&]<bool real, bool weighted>() {
    double most[lanes] = {}, strange[lanes] = {};
    const auto look = [&](std::size_t d, std::size_t i) {
      double value = square<real, weighted>(row.x[0], row.weight[0], i);
      for (unsigned k = 1; k < row.components; ++k) value += square<real, weighted>(row.x[k], row.weight[k], i);
      most[d] = value > most[d] ? value : most[d];
      strange[d] = value != value ? value : strange[d];
    };
    std::size_t i = 0;
    for (; i + lanes <= row.n; i += lanes)
      for (std::size_t d = 0; d < lanes; ++d) look(d, i + d);
    for (std::size_t d = 0; i < row.n; ++i, ++d) look(d, i);
    for (std::size_t d = 1; d < lanes; ++d) {
      most[0] = most[d] > most[0] ? most[d] : most[0];
      strange[0] = strange[d] != strange[d] ? strange[d] : strange[0];
    }
    return strange[0] != strange[0] ? strange[0] : most[0];
  });
}

}  // namespace lumarch::cpu::LUMARCH_ROWS
