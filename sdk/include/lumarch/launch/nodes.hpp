// SPDX-License-Identifier: Apache-2.0
// Rows of many nodes in a work area. A longer area than a kernel asks for has room for more nodes at a time.
#pragma once

#include <lumarch/launch/transforms.hpp>

namespace lumarch::launch {

// Rows one behind the other, some for each entry of the piece.
template <class T>
struct NodeStrip {
  T* base = nullptr;
  std::int64_t distance = 0;  // elements from one entry's rows to the next one's
  std::int64_t row = 0;       // elements from row to row

  [[nodiscard]] Rows<T> rows() const { return as<T>(); }
  [[nodiscard]] Rows<const T> read() const { return as<const T>(); }
  // Where row i of entry `entry` of the piece lies.
  [[nodiscard]] T* at(const Grid& piece, std::int64_t entry, std::int64_t i) const {
    return base + (static_cast<std::int64_t>(piece.worker) + entry) * distance + i * row;
  }

private:
  template <class Value>
  [[nodiscard]] Rows<Value> as() const {
    Rows<Value> out;
    out.base = base;
    out.pitch[LM_AXIS_MEMBER] = distance;
    out.pitch[LM_AXIS_INNER] = row;
    out.scratch = 1;
    return out;
  }
};

// Elements of a row of so many samples that begins on a multiple of 64 bytes, as the next one does.
template <class T>
std::int64_t row_elements(std::int64_t samples) {
  return static_cast<std::int64_t>(sdk::round_up(sizeof(T) * static_cast<std::uint64_t>(samples)) / sizeof(T));
}

template <class T>
NodeStrip<T> cut_rows(Work& work, std::int64_t nodes, std::int64_t samples) {
  const std::int64_t row = row_elements<T>(samples);
  const Strip<T> strip = work.cut<T>(nodes * row);
  return {strip.base, strip.distance, row};
}

// Bytes of a call's work area.
inline std::uint64_t work_bytes(const Call& call) {
  return call.raw().work
             ? static_cast<std::uint64_t>(std::max<std::int64_t>(0, call.raw().work->extent[LM_AXIS_SAMPLE]))
             : 0;
}

// How many members a call with a work area works on together.
inline std::uint32_t members_together(const Call& call) {
  return std::max(1u, std::min(call.raw().members->n_active, scratch_rows(call)));
}

// How many of `wanted` parts of so many bytes to work on at a time for each member: what the cache keeps, at least one.
template <class P>
std::int64_t parts_in_cache(const Call& call, std::int64_t wanted, std::uint64_t bytes, std::uint32_t members) {
  return std::clamp<std::int64_t>(P::chunk(*call.device(), bytes * members), 1, std::max<std::int64_t>(1, wanted));
}

// And what the work area has room for.
template <class P>
std::int64_t parts_together(const Call& call, std::int64_t wanted, std::uint64_t bytes) {
  const auto most = static_cast<std::int64_t>(work_bytes(call) / bytes);
  return parts_in_cache<P>(call, std::min(wanted, most), bytes, members_together(call));
}

// The rows of nodes from (y, x) on, along x.
template <class T>
Rows<T> from_node(Rows<T> rows, std::int64_t y, std::int64_t x) {
  rows.base += y * rows.pitch[LM_AXIS_OUTER] + x * rows.pitch[LM_AXIS_INNER];
  rows.pitch[LM_AXIS_OUTER] = 0;
  return rows;
}

// The piece's members, with a row for each of so many nodes.
inline Grid nodes_of(Grid piece, std::int64_t nodes, std::int64_t samples) {
  piece.components = piece.outer = 1;
  piece.inner = nodes;
  piece.samples = samples;
  return piece;
}

// Transforms of `count` rows of each entry of the piece, in as few calls as their distances allow.
template <class P, class In, class Out>
void transform_nodes(lm_device& device, lm_plan& plan, const Grid& piece, const NodeStrip<In>& in,
                     const NodeStrip<Out>& out, std::int64_t count) {
  if (piece.n_active <= count)
    for (std::int64_t entry = 0; entry < piece.n_active; ++entry)
      P::transform(device, plan, in.at(piece, entry, 0), in.row, out.at(piece, entry, 0), out.row, count);
  else
    for (std::int64_t i = 0; i < count; ++i)
      P::transform(device, plan, in.at(piece, 0, i), in.distance, out.at(piece, 0, i), out.distance, piece.n_active);
}

}  // namespace lumarch::launch
