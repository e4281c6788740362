// SPDX-License-Identifier: Apache-2.0
// Where a body works: which member, which row, and the rows of a view on a device that works on all members at once.
#pragma once

#include <lumarch/abi.h>
#include <lumarch/kernels/portable.hpp>

namespace lumarch::kernels {

// One row of one member.
struct Place {
  uint32_t member = 0;
  uint32_t parity = 0;
  uint32_t scratch = 0;  // its row of SCRATCH views
  int64_t component = 0, outer = 0, inner = 0;
};

// The rows of a view. Axes between member and sample that have extent 1 are repeated for every index asked for.
template <class T>
struct Rows {
  T* base = nullptr;
  int64_t pitch[LM_AXIS_SAMPLE] = {};
  uint64_t bank = 0;
  uint32_t flip = 0;
  uint32_t scratch = 0;  // 1: a row an entry of the piece, not a member

  [[nodiscard]] LM_MEMBER bool given() const { return base != nullptr; }
  [[nodiscard]] LM_MEMBER T* operator()(const Place& at) const {
    return LM_DEVICE_ADDRESS(base) + ((at.parity ^ flip) & 1u) * bank +
           static_cast<int64_t>(scratch ? at.scratch : at.member) * pitch[0] + at.component * pitch[1] +
           at.outer * pitch[2] + at.inner * pitch[3];
  }
};

// The member block on the device, and the rows and samples of a launch: entries first ... first + n_active - 1 of the
// active map, each with components x outer x inner rows.
struct Grid {
  const double *z = nullptr, *h = nullptr;
  const uint32_t* active = nullptr;
  const uint8_t *parity = nullptr, *status = nullptr;
  double* numbers = nullptr;
  const double* scales = nullptr;
  uint32_t first = 0, n_active = 0, n_numbers = 0, n_scales = 0, worker = 0;
  int64_t components = 1, outer = 1, inner = 1, samples = 0;

  [[nodiscard]] LM_HOST_DEVICE int64_t rows_a_member() const { return components * outer * inner; }
  [[nodiscard]] LM_HOST_DEVICE int64_t rows() const { return n_active * rows_a_member(); }

  // Row `row` of the launch; false where its member is not running and must be left as it is.
  [[nodiscard]] LM_HOST_DEVICE bool locate(int64_t row, Place& at) const {
    const int64_t entry = row / rows_a_member();
    at.member = LM_DEVICE_ADDRESS(active)[first + entry];
    if (LM_DEVICE_ADDRESS(status)[at.member] != LM_RUNNING) return false;
    at.parity = LM_DEVICE_ADDRESS(parity)[at.member];
    at.scratch = worker + static_cast<uint32_t>(entry);
    at.inner = row % inner;
    at.outer = row / inner % outer;
    at.component = row / (inner * outer) % components;
    return true;
  }
  [[nodiscard]] LM_MEMBER double step(const Place& at) const { return LM_DEVICE_ADDRESS(h)[at.member]; }
  // Entry scale - 1 of the member's factors; 1 where `scale` is 0.
  [[nodiscard]] LM_MEMBER double scale_of(const Place& at, uint32_t scale) const {
    return scale == 0 ? 1.0 : LM_DEVICE_ADDRESS(scales)[static_cast<size_t>(at.member) * n_scales + scale - 1];
  }
  [[nodiscard]] LM_MEMBER double* numbers_of(const Place& at) const {
    return LM_DEVICE_ADDRESS(numbers) + static_cast<size_t>(at.member) * n_numbers;
  }
};

}  // namespace lumarch::kernels
