// SPDX-License-Identifier: Apache-2.0
// Bodies of the kernels for routes with transverse nodes (docs/kernels.md, since 1.2): bands in longer rows, the
// propagator with factors of a member, and what leads from nodes to nodes.
#pragma once

#include <lumarch/kernels/elementwise.hpp>

namespace lumarch::kernels {

struct MultiplyReals {
  Rows<double> out;
  Rows<const double> x, table;
  LM_MEMBER void operator()(const Grid&, const Place& at, int64_t s) const { out(at)[s] = x(at)[s] * table(at)[s]; }
};

// Where sample k of a band of n lies in a row of `longer` samples, and which sample lies at place s; -1: none.
LM_BODY int64_t place_of(uint32_t kind, int64_t k, int64_t n, int64_t longer) {
  return kind == LM_BAND_ENVELOPE && k >= (n + 1) / 2 ? longer - n + k : k;
}
LM_BODY int64_t sample_at(uint32_t kind, int64_t s, int64_t n, int64_t longer) {
  if (kind != LM_BAND_ENVELOPE) return s < n ? s : -1;
  return s < (n + 1) / 2 ? s : s >= longer - n / 2 ? s - (longer - n) : -1;
}

struct Pad {
  Rows<c128> out;
  Rows<const c128> in;
  Rows<const double> weight;
  int64_t n;  // samples of the band
  uint32_t kind, scale;
  LM_MEMBER void operator()(const Grid& grid, const Place& at, int64_t s) const {
    const int64_t k = sample_at(kind, s, n, grid.samples);
    c128 value = {0.0, 0.0};
    if (k >= 0) {
      const double twice = kind == LM_BAND_ANALYTIC && k > 0 ? 2.0 : 1.0;
      const double factor = twice * grid.scale_of(at, scale);
      value = scaled(in(at)[k], weight.given() ? factor * weight(at)[k] : factor);
      if (kind == LM_BAND_HALF) value.im = -value.im;
    }
    out(at)[s] = value;
  }
};

struct Crop {
  Rows<c128> out;
  Rows<const c128> in, weight;
  int64_t longer;  // samples of a row of `in`
  uint32_t kind, scale;
  bool accumulate;
  LM_MEMBER void operator()(const Grid& grid, const Place& at, int64_t s) const {
    c128 value = in(at)[place_of(kind, s, grid.samples, longer)];
    if (kind == LM_BAND_HALF) value.im = -value.im;
    value = times(scaled(weight(at)[s], grid.scale_of(at, scale)), value);
    out(at)[s] = accumulate ? plus(out(at)[s], value) : value;
  }
};

// exp(sum_r scale_r D_r).
struct ScaledPropagator {
  Rows<c128> E;
  Rows<const c128> D[LM_MAX_TERMS];
  uint32_t n, scale;
  LM_MEMBER void operator()(const Grid& grid, const Place& at, int64_t s) const {
    c128 exponent = {0.0, 0.0};
    for (uint32_t r = 0; r < n; ++r) {
      const double factor = grid.scale_of(at, scale == 0 ? 0 : scale + r);
      const c128 value = D[r](at)[s];
      exponent = r == 0 ? scaled(value, factor) : plus_scaled(exponent, factor, value);
    }
    const double size = exp(exponent.re);
    E(at)[s] = {size * cos(exponent.im), size * sin(exponent.im)};
  }
};

// Some nodes of the output in one thread, so that it reads an input once for all of them: inner row q of the launch is
// nodes q * together ... of the output.
struct MatrixProduct {
  static constexpr int together = 8;
  Rows<c128> out;
  Rows<const c128> in;
  Rows<const double> matrix;  // its rows are one for each node of the output, its samples the nodes of the input
  int64_t outputs, inputs;
  int64_t summed;  // components of the input that are added up
  LM_MEMBER void operator()(const Grid&, const Place& at, int64_t s) const {
    Place source = at, target = at, row = at;
    target.inner = row.inner = at.inner * together;
    row.outer = 0;
    const int64_t left = outputs - target.inner;
    const int count = left < together ? static_cast<int>(left) : together;
    c128 sum[together];
    for (int t = 0; t < together; ++t) sum[t] = {0.0, 0.0};
    for (int64_t c = 0; c < summed; ++c) {
      if (summed > 1) source.component = row.component = c;
      source.inner = 0;
      const c128* from = in(source) + s;
      const double* factor = matrix(row);
      for (int64_t j = 0; j < inputs; ++j, from += in.pitch[LM_AXIS_INNER]) {
        const c128 value = *from;
        for (int t = 0; t < together; ++t)
          if (t < count) sum[t] = plus_scaled(sum[t], factor[t * matrix.pitch[LM_AXIS_INNER] + j], value);
      }
    }
    for (int t = 0; t < together; ++t) {
      if (t >= count) continue;
      out(target)[s] = sum[t];
      ++target.inner;
    }
  }
};

// Rows of nodes to columns, for transforms along an axis of nodes, and back: column s of a slab holds sample s of its n
// nodes. A launch has one row a member; its samples are threads of tiles of 16 nodes and 16 samples each, so that
// threads that run together reach whole lines on both sides.
struct Tiles {
  static constexpr int64_t edge = 16, area = edge * edge;
  int64_t nodes = 1, samples = 1;          // of a slab
  int64_t node_pitch = 0, slab_pitch = 0;  // of the rows: from node to node, from slab to slab
  uint32_t across = 1, tiles_a_slab = 1;   // tiles along the samples, and of a slab

  struct Element {
    int64_t in_rows, in_columns;
    bool inside;
  };
  [[nodiscard]] LM_MEMBER Element element(int64_t thread) const {
    const auto tile = static_cast<uint32_t>(thread / area), within = static_cast<uint32_t>(thread % area);
    const uint32_t slab = tile / tiles_a_slab, here = tile % tiles_a_slab;
    const int64_t s = here % across * edge + within % edge, node = here / across * edge + within / edge;
    return {slab * slab_pitch + node * node_pitch + s, (slab * samples + s) * nodes + node,
            s < samples && node < nodes};
  }
};

struct ToColumns {
  Rows<c128> columns;
  Rows<const c128> rows;
  Tiles tiles;
  LM_MEMBER void operator()(const Grid&, const Place& at, int64_t thread) const {
    const Tiles::Element e = tiles.element(thread);
    if (e.inside) columns(at)[e.in_columns] = rows(at)[e.in_rows];
  }
};

struct ToRows {
  Rows<c128> rows;
  Rows<const c128> columns;
  Tiles tiles;
  LM_MEMBER void operator()(const Grid&, const Place& at, int64_t thread) const {
    const Tiles::Element e = tiles.element(thread);
    if (e.inside) rows(at)[e.in_rows] = columns(at)[e.in_columns];
  }
};

}  // namespace lumarch::kernels
