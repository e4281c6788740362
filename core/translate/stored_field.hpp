// SPDX-License-Identifier: Apache-2.0
// The field of a run's output file as the launch of another problem.
#pragma once

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include <lumarch/problem.hpp>
#include <lumarch/sink.hpp>

#include "translate/band_grid.hpp"
#include "translate/grid.hpp"
#include "translate/transverse.hpp"

namespace lumarch {

// The points of a field in a file (sink.hpp): what rises there rises here.
struct FieldAxes {
  bool half = false;          // omega >= 0 of a real field, which is half of its analytic signal
  std::vector<double> omega;  // rad/s
  NodeAxes nodes;
};

struct StoredField {
  std::string file, plane;  // for messages
  FieldAxes axes;
  std::vector<Complex> values;  // [component][outer][inner][omega], in the units of sink.hpp
};

// Reads the field that pulse i of the launch names; asked once for each of them.
using StoredFields = std::function<StoredField(std::size_t pulse)>;

// Why a field on the axes `from` cannot be launched on `to`; empty where it can.
[[nodiscard]] std::string refuse_stored(const std::string& file, const FieldAxes& from, const FieldAxes& to);

// The values on other axes. Where these are the same ones the values are untouched; else `warning` says what the new
// ones do not hold, and how exact the rest is. Throws Error(Fault::problem) where refuse_stored() refuses.
[[nodiscard]] std::vector<Complex> put_on(const FieldAxes& to, StoredField field, std::string& warning);

// What a file's value is over the state's: its scale, and the phase of the first sample's time, j in rising order ...
[[nodiscard]] std::vector<Complex> file_phases(const Grid& grid);
[[nodiscard]] std::vector<Complex> file_phases(const BandGrid& grid);
// ... and the same of a node across.
[[nodiscard]] Complex file_factor(const Transverse& nodes, std::int64_t y, std::int64_t x);

}  // namespace lumarch
