// SPDX-License-Identifier: Apache-2.0
// Where a state shows that the nodes across the beam are too few: the far ends of its axes in k.
#include "march/route_equation.hpp"

namespace lumarch {

namespace {

constexpr std::int64_t fewest_nodes = 16;

// In FFT order the far end lies in the middle, from 0.45 to 0.55 of the nodes.
lm_view middle_of(const lm_view& view, int axis) {
  const std::int64_t n = view.extent[axis], half = n / 20;
  return part_of(view, axis, n / 2 - half, 2 * half + n % 2);
}

}  // namespace

std::vector<lm_view> RouteEquation::rims(const lm_view& state) const {
  if (!tables_->transverse) return {};
  const std::int64_t inner = state.extent[LM_AXIS_INNER], outer = state.extent[LM_AXIS_OUTER];
  std::vector<lm_view> out;
  if (!tables_->transverse->fourier()) {
    if (inner >= fewest_nodes) out.push_back(part_of(state, LM_AXIS_INNER, inner - inner / 10, inner / 10));
    return out;
  }
  if (inner >= fewest_nodes) out.push_back(middle_of(state, LM_AXIS_INNER));
  if (outer >= fewest_nodes) out.push_back(middle_of(state, LM_AXIS_OUTER));
  return out;
}

}  // namespace lumarch
