// SPDX-License-Identifier: Apache-2.0
// Kernels of a device that works on all members at once (CUDA, HIP, the emulated one): every kernel of docs/kernels.md
// as a shell that checks its call and puts a body (lumarch/kernels/) into the device's queue. A shell never looks at
// device memory: which members run is known to the body alone.
//
// A Platform has these, all static; what fails throws sdk::Fault:
//
//   void elements(lm_device&, const Grid&, const Body&)
//       Puts body(grid, place, sample) for each row and sample of the grid into the queue.
//   void blocks(lm_device&, const Grid&, unsigned blocks, const Body&)
//       Puts body(grid, block, sync, shared) for `blocks` blocks of kernels::reduce_threads threads a row into the
//       queue.
//   void transform(lm_device&, lm_plan&, const void* in, int64_t in_distance, void* out, int64_t out_distance,
//                  int64_t count)
//       Puts `count` transforms into the queue; distances between rows in elements of the side. The input of a complex
//       transform keeps its contents unless the plan destroys it or is in place.
//   double* partials(lm_device&, size_t doubles)
//       Device memory for what blocks leave for the next launch, until the next call of partials.
//   uint32_t chunk(lm_device&, uint64_t bytes)
//       How many members to work on together so that `bytes` of each stay in the cache; at least 1.
//   void replay(lm_device&, const lm_step*, uint32_t n, const lm_members&, Enqueue)
//       Calls enqueue() to put a list into the queue, or repeats what it put there the last time (a captured graph).
//   const lm_fft_desc* fft(const lm_device&, const lm_plan&), const lm_propagator_desc* propagator(...)
//       What a plan is for; NULL where it is of the other kind or of another device.
//   const lm_exec& exec(lm_device&); void note(lm_device&, const char* text); std::string noted(lm_device&)
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <lumarch/kernels/elements.hpp>
#include <lumarch/kernels/grid.hpp>
#include <lumarch/sdk/checks.hpp>

namespace lumarch::launch {

using kernels::c128;
using kernels::Grid;
using kernels::Rows;
using sdk::Call;
using sdk::Fault;

// Rows of a view, checked; T is c128, double or a const of them. samples < 0: any number.
template <class T>
Rows<T> rows(const Call& call, const lm_view& view, const sdk::ViewName& name, std::int64_t samples = -1) {
  using Value = std::remove_const_t<T>;
  using Checked = std::conditional_t<std::is_same_v<Value, c128>, sdk::Complex, Value>;
  Rows<T> out;
  out.base = reinterpret_cast<T*>(call.base<Checked>(view, samples, name));
  for (int axis = 0; axis < LM_AXIS_SAMPLE; ++axis)
    out.pitch[axis] = view.extent[axis] == 1 && axis > 0 ? 0 : view.pitch[axis];
  out.bank = view.bank;
  out.flip = view.flags & LM_VIEW_FLIP ? 1u : 0u;
  out.scratch = view.flags & LM_VIEW_SCRATCH ? 1u : 0u;
  return out;
}

template <class T>
Rows<T> rows(const Call& call, std::uint32_t i, std::int64_t samples = -1, bool optional = false) {
  if (i >= call.n_views() || call.raw().views[i].buffer == 0) {
    if (optional) return {};
    throw Fault(LM_E_ARG, "view " + std::to_string(i) + " is missing");
  }
  return rows<T>(call, call.raw().views[i], sdk::ViewName{"view", i}, samples);
}

// The members and rows that a call works on, in the shape of view `shape`.
inline Grid grid_of(const Call& call, std::uint32_t shape) {
  const lm_members& members = *call.raw().members;
  const std::byte* block = call.block();
  const lm_view& view = call.raw().views[shape];
  Grid grid;
  grid.z = reinterpret_cast<const double*>(block + members.z);
  grid.h = reinterpret_cast<const double*>(block + members.h);
  grid.active = reinterpret_cast<const std::uint32_t*>(block + members.active);
  grid.parity = reinterpret_cast<const std::uint8_t*>(block + members.parity);
  grid.status = reinterpret_cast<const std::uint8_t*>(block + members.status);
  grid.numbers = reinterpret_cast<double*>(call.block() + members.numbers);
  if (members.struct_size >= sizeof(lm_members)) {
    grid.scales = reinterpret_cast<const double*>(block + members.scales);
    grid.n_scales = members.n_scales;
  }
  grid.first = members.first;
  grid.n_active = members.n_active;
  grid.n_numbers = members.n_numbers;
  grid.worker = call.raw().exec->worker;
  grid.components = view.extent[LM_AXIS_COMPONENT];
  grid.outer = view.extent[LM_AXIS_OUTER];
  grid.inner = view.extent[LM_AXIS_INNER];
  grid.samples = view.extent[LM_AXIS_SAMPLE];
  return grid;
}

// body(piece) for pieces of at most `most` members, one after the other.
template <class Body>
void in_pieces(Grid grid, std::uint32_t most, Body&& body) {
  const std::uint32_t end = grid.first + grid.n_active;
  while (grid.first < end) {
    grid.n_active = std::min(most, end - grid.first);
    body(static_cast<const Grid&>(grid));
    grid.first += grid.n_active;
  }
}

// How many members a call with SCRATCH rows or a work area can work on together.
inline std::uint32_t scratch_rows(const Call& call) { return call.raw().exec->n_workers - call.raw().exec->worker; }

inline bool has_scratch_views(const Call& call) {
  for (std::uint32_t i = 0; i < call.n_views(); ++i)
    if (call.raw().views[i].buffer && call.raw().views[i].flags & LM_VIEW_SCRATCH) return true;
  return false;
}

// The grid's own pieces where a view of the call is SCRATCH: an entry has a row of its own.
template <class Body>
void for_each_piece(const Call& call, std::uint32_t shape, Body&& body) {
  const Grid grid = grid_of(call, shape);
  in_pieces(grid, has_scratch_views(call) ? scratch_rows(call) : std::max(1u, grid.n_active), body);
}

}  // namespace lumarch::launch
