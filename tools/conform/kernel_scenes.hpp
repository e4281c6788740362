// SPDX-License-Identifier: Apache-2.0
// docs/kernels.md as scenes: for each kernel, calls of it in any shape, and the composition of the optional ones.
#pragma once

#include "open_device.hpp"
#include "random_rows.hpp"

namespace lumarch::conform {

struct Shape {
  std::int64_t n = 64;
  std::uint32_t batch = 1, first_member = 0;  // the batch's members are first_member ... of an endless row of members
  int variant = 0;                            // of the kernel's parameters, 0 ... variants_of() - 1
  std::int64_t components = 1, outer = 1, inner = 1, gap = 4;
  bool aligned = true;
  bool banked = false;      // all rows, with random parities; every second array is seen flipped
  bool shared = false;      // tables with pitch 0
  bool scratch = false;     // all rows but tables
  int in_place = 0;         // the output is the same row as this view; 0: of its own; -1: view 1's other bank
  bool done = false;        // a third of the members is not RUNNING
  bool active = false;      // the active map is a permutation, and the call works on a part of it
  bool non_finite = false;  // NaN and inf in the input
  std::uint64_t seed = 1;
  std::uint32_t workers = 1;   // of the device
  std::uint32_t together = 0;  // of the scene
};

// SCRATCH rows as this device wants them.
void fit(Shape& shape, const OpenDevice& device);

// Names with their version where that is not 1: "core.mul.2".
[[nodiscard]] const std::vector<std::string>& known_kernels();
[[nodiscard]] lm_kernel_fn find_kernel(const KernelTable& table, const std::string& kernel);
[[nodiscard]] bool has_rows_of_nodes(const std::string& kernel);  // may be given components and nodes
[[nodiscard]] int variants_of(const std::string& kernel);
[[nodiscard]] bool is_optional(const std::string& kernel);
// Which views may be the output's row in this variant.
[[nodiscard]] std::vector<int> places_of(const std::string& kernel, int variant);

[[nodiscard]] Scene scene_of(const std::string& kernel, const Shape& shape);
// The same work by the kernels that docs/kernels.md composes it of; the arrays come first and in the same order.
[[nodiscard]] Scene composed(const Scene& fused, std::uint32_t workers);

}  // namespace lumarch::conform
