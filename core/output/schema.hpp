// SPDX-License-Identifier: Apache-2.0
// What writer and reader of a file have to agree on. A change that an old reader would misread raises the schema.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lumarch/sink.hpp>

namespace lumarch::schema {

inline constexpr std::int64_t version = 1;
inline constexpr const char* convention = "exp(-i omega t)";
inline constexpr std::size_t status_bytes = 16, date_bytes = 32, reason_bytes = 2048;
inline constexpr std::size_t checkpoint_bytes = 32768;  // of a checkpoint's numbers
inline constexpr std::size_t title_bytes = 4096;
inline constexpr std::size_t provenance_bytes = 8192;  // of each text that is written at the end; longer ones move
inline constexpr std::array<const char*, 5> provenance{"backend", "bytes_crossed", "kernels", "memory", "timings"};

// A scale of /grid by which an array is laid out, and how long it is.
struct Axis {
  const char* name;
  std::size_t size;
};

// The axes between plane and omega of a field, and those of a fluence behind its plane; none where there is one node.
// Throw Error(Fault::output) where the axes do not fit the numbers of nodes.
[[nodiscard]] std::vector<Axis> field_axes(const NodeAxes& nodes);
[[nodiscard]] std::vector<Axis> fluence_axes(const NodeAxes& nodes);

// A line is uniform in y: what is integrated over x is per metre of y.
[[nodiscard]] bool is_line(const NodeAxes& nodes);
[[nodiscard]] const char* field_units(const NodeAxes& nodes);

struct Meaning {
  std::string units;
  const char* words;
  std::vector<Axis> axes;  // behind the plane's; none: one number a plane
};
[[nodiscard]] Meaning meaning(Quantity quantity, const RunInfo& info);

}  // namespace lumarch::schema
