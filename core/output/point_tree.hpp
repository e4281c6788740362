// SPDX-License-Identifier: Apache-2.0
// Between the file of a lone run and that of a scan, whose arrays have the same names and one axis more in front, the
// point: lays a scan out after its first point, puts points into it, and takes one out again. What a lone run's file
// holds is known to its writer and reader alone; here every array is treated alike.
//
// Callers hold an h5::Session.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "output/h5.hpp"

namespace lumarch::point_tree {

struct Layout {
  std::size_t points = 0;
  bool grids_vary = false;   // omega, time and nodes differ from point to point
  bool planes_vary = false;  // so do the positions of planes
  bool sparse = false;       // not all points come: room is taken as they do
};

// Bytes that the arrays of `layout` take, made after `run`.
[[nodiscard]] std::uint64_t bytes_of(hid_t run, const Layout& layout);

// Groups and arrays of `scan`, whose root has none of them, after those of a run. The group /scan/points, with its
// `index`, has to be there: it is the scale of the first axis.
void lay_out(hid_t scan, hid_t run, const Layout& layout);

// Puts a run into place `slot`. Throws Error(Fault::problem) where its arrays have other shapes.
void put(hid_t scan, std::size_t slot, std::int64_t point, hid_t run, const Layout& layout);

// Of a scan that was killed: takes the attempts out again that a point left behind which was not put in whole. They are
// the last ones. `waiting`: the points that are not there.
void cut(hid_t scan, const std::vector<std::int64_t>& waiting);

// The file of a lone run in memory, with what place `slot` holds, but for the scales of its arrays; large arrays are
// views of the scan's file at `path`.
[[nodiscard]] h5::File take(const std::string& path, hid_t scan, std::size_t slot, std::int64_t point,
                            const Layout& layout);

// A file of a part of a scan, and which of its places go to which of the whole's; both rising.
struct Source {
  std::string path;  // as the whole names it
  hid_t file;
  std::vector<std::pair<std::size_t, std::size_t>> places;
};

// Like lay_out(), with arrays that are views of those of the parts. Throws Error(Fault::problem) where they do not fit.
void join(hid_t scan, const std::vector<Source>& parts, const Layout& layout);

}  // namespace lumarch::point_tree
