// SPDX-License-Identifier: Apache-2.0
// What read.samples and read.nodes (docs/kernels.md, since 1.3) check before they begin.
#pragma once

#include <lumarch/sdk/routes.hpp>

namespace lumarch::sdk {

// A map has a number a node, and its samples run over the inner nodes of view `like`: [1][1][outer][inner].
inline void check_map(const Call& call, std::uint32_t i, std::uint32_t like) {
  const lm_view &map = call.raw().views[i], &x = call.raw().views[like];
  if (map.extent[LM_AXIS_COMPONENT] != 1 || map.extent[LM_AXIS_OUTER] != 1 ||
      map.extent[LM_AXIS_INNER] != x.extent[LM_AXIS_OUTER] || map.extent[LM_AXIS_SAMPLE] != x.extent[LM_AXIS_INNER])
    throw Fault(LM_E_ARG, "view " + std::to_string(i) + " is no map of the nodes of view " + std::to_string(like) +
                              ": its inner nodes are the outer ones there, its samples the inner ones");
}

// Where the map's number of a node lies: in this row, at sample node.inner.
inline RowIndex map_row(RowIndex node) {
  node.component = 0;
  node.inner = node.outer;
  node.outer = 0;
  return node;
}

inline const lm_p_read& read_parameters(const Call& call, std::uint32_t known) {
  const auto& p = call.params<lm_p_read>();
  if (p.flags & ~known) throw Fault(LM_E_UNSUPPORTED, "unknown flags");
  return p;
}

// read.samples: out, x, weight, map.
inline const lm_p_read& check_read_samples(const Call& call) {
  check_views(call, 2, 4);
  const lm_p_read& p = read_parameters(call, LM_READ_ACCUMULATE | LM_READ_REAL);
  check_output(call, 0);
  check_one_row(call, 0);
  if (is_given(call, 2)) check_shape(call, 2, 1);
  if (is_given(call, 3)) check_map(call, 3, 1);
  return p;
}

// read.nodes: out, x, weight.
inline const lm_p_read& check_read_nodes(const Call& call) {
  check_views(call, 2, 3);
  const lm_p_read& p = read_parameters(call, LM_READ_ACCUMULATE | LM_READ_REAL | LM_READ_PEAK);
  check_output(call, 0);
  check_map(call, 0, 1);
  if (is_given(call, 2)) check_shape(call, 2, 1);
  return p;
}

}  // namespace lumarch::sdk
