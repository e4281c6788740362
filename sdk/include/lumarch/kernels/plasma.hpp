// SPDX-License-Identifier: Apache-2.0
// The current of a plasma: sums along the samples of a row, by a block of threads that has a piece of the row each.
#pragma once

#include <lumarch/kernels/reduce.hpp>
#include <lumarch/kernels/responses.hpp>

namespace lumarch::kernels {

// The sum of `value` over the threads of higher number, in an order that depends on their number and the warp's width
// alone. shared: threads/width doubles, free again on return.
template <class Block, class Sync>
LM_HOST_DEVICE double sum_above(const Block& block, Sync& sync, double* shared, double value) {
  const unsigned width = sync.width(), lane = block.thread() % width, warp = block.thread() / width;
  for (unsigned d = 1; d < width; d *= 2) {
    const double other = sync.down(value, d);
    if (lane + d < width) value += other;
  }
  const double next = sync.down(value, 1);  // what the lanes above have together
  if (lane == 0) shared[warp] = value;
  sync.barrier();
  double total = 0.0;
  for (unsigned w = block.threads() / width; w > warp + 1; --w) total += shared[w - 1];
  sync.barrier();
  return lane + 1 < width ? total + next : total;
}

template <class Block, class Sync>
LM_HOST_DEVICE real2 sum_above(const Block& block, Sync& sync, double* shared, real2 value) {
  const double x = sum_above(block, sync, shared, value.x);
  return {x, sum_above(block, sync, shared, value.y)};
}

// One block a node. Threads of higher number have earlier samples, so that what came before is a sum_above. V: double
// or real2, the components.
template <class V>
struct PlasmaCurrent {
  Rows<const double> E;
  int64_t stride;  // doubles from sample to sample of E: 2 where the field is the real part of an analytic signal
  Rows<double> J;
  Rows<const double> table;  // two rows of m
  int64_t m;
  double density, acceleration, ionisation_energy, fraction, dt, field_min, field_step;
  uint32_t scale;
  bool accumulate;

  // A node's rows, and the steps along its samples.
  struct Walk {
    const PlasmaCurrent& p;
    const double *x, *y;               // the field's components
    const double *values, *curvature;  // the rate's table

    LM_MEMBER void read(int64_t s, double& out) const { out = x[p.stride * s]; }
    LM_MEMBER void read(int64_t s, real2& out) const { out = {x[p.stride * s], y[p.stride * s]}; }
    [[nodiscard]] LM_MEMBER V field(int64_t s) const {
      V out;
      read(s, out);
      return out;
    }
    [[nodiscard]] LM_MEMBER double rate(V field_here) const {
      const double size = sqrt(squared(field_here));
      if (size < p.field_min) return 0.0;
      return exp(log_rate(values, curvature, p.m, (size - p.field_min) / p.field_step));
    }
    // What sample s leaves, with the integral of the rate up to it; the drift is yet to come.
    [[nodiscard]] LM_MEMBER PlasmaState<V> state_after(int64_t s, double R) const {
      const V here = field(s);
      return {rate(here), R, scaled(here, plasma_share(p.fraction, -expm1(-R)) * p.acceleration), {}};
    }
    [[nodiscard]] LM_MEMBER V step(PlasmaState<V>& state, int64_t s) const {
      const V here = field(s);
      const double W = rate(here), R = s == 0 ? 0.0 : plasma_exponent(state.exponent, state.rate, W, p.dt);
      return plasma_step(state, here, W, R, -expm1(-R), s == 0, p.fraction, p.acceleration, p.ionisation_energy, p.dt);
    }
  };

  template <class Block, class Sync>
  LM_HOST_DEVICE void operator()(const Grid& grid, const Block& block, Sync& sync, double* shared) const {
    Place at;
    if (!grid.locate(block.row(), at)) return;  // all of the block or none
    Place second = at, row = at;
    second.component = 1;
    row.component = row.outer = row.inner = 0;
    const double* const values = table(row);
    row.inner = 1;
    const Walk walk = {*this, E(at), E(second), values, table(row)};
    const int64_t piece = (grid.samples + block.threads() - 1) / block.threads();
    const int64_t start = piece * (block.threads() - 1 - block.thread());
    const int64_t begin = start < grid.samples ? start : grid.samples;
    const int64_t end = begin + piece < grid.samples ? begin + piece : grid.samples;
    const bool any = begin < end, later = any && begin > 0;

    double last = later ? walk.rate(walk.field(begin - 1)) : 0.0, R = 0.0;
    for (int64_t s = begin; s < end; ++s) {
      const double W = walk.rate(walk.field(s));
      if (s > 0) R = plasma_exponent(R, last, W, dt);
      last = W;
    }
    const double before = sum_above(block, sync, shared, R);
    PlasmaState<V> first = {};
    if (later) first = walk.state_after(begin - 1, before);
    PlasmaState<V> state = first;
    for (int64_t s = begin; s < end; ++s) (void)walk.step(state, s);
    const V drift = sum_above(block, sync, shared, state.drift);
    state = first;
    state.drift = drift;
    const double ions = density * grid.scale_of(at, scale);
    for (int64_t s = begin; s < end; ++s) give(J, at, s, scaled(walk.step(state, s), ions), accumulate);
  }
};

}  // namespace lumarch::kernels
