// SPDX-License-Identifier: Apache-2.0
// Rows on a device, and programs over them: lists of (kernel, call) that are built once and replayed.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/device.hpp"

namespace lumarch {

// Rows of n samples, one a member (or one for all, or SCRATCH rows), in one or two banks.
class RowBlock {
public:
  enum class Kind { own, shared, scratch };
  RowBlock() = default;
  RowBlock(Device& device, Kind kind, std::uint32_t members, std::int64_t n, int dtype, int banks,
           const std::string& name);

  // What a call sees: the present bank, or the flipped one.
  [[nodiscard]] lm_view view(bool flipped = false) const;
  [[nodiscard]] bool given() const noexcept { return buffer_.handle() != 0; }
  [[nodiscard]] const Buffer& buffer() const noexcept { return buffer_; }
  [[nodiscard]] std::uint64_t row_bytes() const noexcept { return row_bytes_; }
  [[nodiscard]] std::uint64_t byte_offset(std::uint32_t member, std::uint32_t bank) const;

private:
  Buffer buffer_;
  lm_view view_{};
  std::uint64_t row_bytes_ = 0, element_bytes_ = 0;
};

class Program {
public:
  // Parameters are copied; plans and the work area must outlive the program.
  template <class P>
  void add(lm_kernel_fn fn, std::initializer_list<lm_view> views, const P& params,
           std::initializer_list<const Plan*> plans = {}) {
    add(fn, std::vector<lm_view>(views), &params, sizeof(P), plans);
  }
  void add(lm_kernel_fn fn, std::vector<lm_view> views, const void* params, std::size_t params_size,
           std::initializer_list<const Plan*> plans, std::uint64_t own_work_bytes = 0);

  // After the last add: the members every call works on, and the work area they share.
  void bind(Device& device, const lm_members* members, const RowBlock& work);
  [[nodiscard]] std::uint64_t work_bytes() const noexcept { return work_bytes_; }
  [[nodiscard]] std::size_t size() const noexcept { return list_.size(); }

  // Error(Fault::backend) with the device's words where a call fails.
  void run() const;

private:
  void run_list() const;

  struct Entry {
    std::vector<lm_view> views;
    std::vector<std::max_align_t> params;
    std::vector<lm_plan*> plans;
    lm_call call{};
  };
  std::deque<Entry> entries_;  // a deque: what the list points at never moves
  std::vector<lm_step> list_;
  lm_view work_{};
  Device* device_ = nullptr;
  const lm_members* members_ = nullptr;
  std::uint64_t work_bytes_ = 0;
};

// The member block of docs/kernels.md: host side, one upload and one readback an attempt.
class MemberBlock {
public:
  MemberBlock(Device& device, std::uint32_t count, std::uint32_t n_numbers);

  [[nodiscard]] const lm_members* view() const noexcept { return &members_; }
  [[nodiscard]] std::uint32_t count() const noexcept { return members_.count; }
  std::span<double> z, h;
  std::span<std::uint32_t> active;
  std::span<std::uint8_t> parity, status;
  // Entry `slot` of a member, as read back.
  [[nodiscard]] double number(std::uint32_t member, std::uint32_t slot) const;

  void set_active(std::uint32_t n) noexcept { members_.n_active = n; }
  void upload(Device& device);
  void download(Device& device);  // status and numbers

private:
  Buffer buffer_;
  std::vector<double> host_;  // doubles keep the alignment
  std::uint64_t uploaded_bytes_ = 0;
  lm_members members_{};
};

}  // namespace lumarch
