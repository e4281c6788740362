// SPDX-License-Identifier: Apache-2.0
// Rows on a device, and programs over them: lists of (kernel, call) that are built once and replayed.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/device.hpp"

namespace lumarch {

// The rows of a member: [component][outer][inner][sample].
struct RowShape {
  std::int64_t samples = 0, inner = 1, outer = 1, components = 1;
  [[nodiscard]] std::int64_t rows() const { return components * outer * inner; }
  bool operator==(const RowShape&) const = default;
};

// Rows of samples: those of a shape a member (or once for all, or as SCRATCH rows), in one or two banks.
class RowBlock {
public:
  enum class Kind { own, shared, scratch };
  RowBlock() = default;
  RowBlock(Device& device, Kind kind, std::uint32_t members, std::int64_t n, int dtype, int banks,
           const std::string& name)
      : RowBlock(device, kind, members, RowShape{n}, dtype, banks, name) {}
  RowBlock(Device& device, Kind kind, std::uint32_t members, const RowShape& shape, int dtype, int banks,
           const std::string& name);

  // What a call sees: the present bank, or the flipped one.
  [[nodiscard]] lm_view view(bool flipped = false) const;
  [[nodiscard]] bool given() const noexcept { return buffer_.handle() != 0; }
  [[nodiscard]] const Buffer& buffer() const noexcept { return buffer_; }
  // All rows of a member, one after the other without gaps; T is double or complex<double> as the dtype is.
  template <class T>
  void upload(Device& device, std::uint32_t member, std::uint32_t bank, const std::vector<T>& rows,
              std::string_view reason) const {
    put(device, member, bank, rows.data(), rows.size() * sizeof(T), reason);
  }
  template <class T>
  void download(Device& device, std::uint32_t member, std::uint32_t bank, std::vector<T>& rows,
                std::string_view reason) const {
    const auto n = static_cast<std::size_t>(shape_.rows() * shape_.samples);
    if (rows.capacity() < n) {
      rows = {};
      rows.reserve(n);
      if (n * sizeof(T) >= Device::large_crossing) advise_large_pages(rows.data(), n * sizeof(T));
    }
    rows.resize(n);
    get(device, member, bank, rows.data(), rows.size() * sizeof(T), reason);
  }
  [[nodiscard]] const RowShape& shape() const noexcept { return shape_; }

private:
  void put(Device& device, std::uint32_t member, std::uint32_t bank, const void* rows, std::uint64_t bytes,
           std::string_view reason) const;
  void get(Device& device, std::uint32_t member, std::uint32_t bank, void* rows, std::uint64_t bytes,
           std::string_view reason) const;
  // Where row i of a member lies in its part, bytes.
  [[nodiscard]] std::uint64_t row_offset(std::int64_t i) const;
  // Calls cross(offset in the member's part, where, bytes) for pieces of it, and before or after each(row i, where it
  // lies there) for the rows in a piece.
  template <class Each, class Cross>
  void pieces(Device& device, bool before, const Each& each, const Cross& cross) const;
  [[nodiscard]] std::uint64_t byte_offset(std::uint32_t member, std::uint32_t bank) const;

  Buffer buffer_;
  lm_view view_{};
  RowShape shape_;
  std::uint64_t row_bytes_ = 0, element_bytes_ = 0, member_bytes_ = 0;
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
  // The same with the handles of plans, whose work is part of own_work_bytes.
  void add(lm_kernel_fn fn, std::vector<lm_view> views, const void* params, std::size_t params_size,
           const std::vector<lm_plan*>& plans, std::uint64_t own_work_bytes);

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
  MemberBlock(Device& device, std::uint32_t count, std::uint32_t n_numbers, std::uint32_t n_scales = 0);

  [[nodiscard]] const lm_members* view() const noexcept { return &members_; }
  [[nodiscard]] std::uint32_t count() const noexcept { return members_.count; }
  std::span<double> z, h;
  std::span<std::uint32_t> active;
  std::span<std::uint8_t> parity, status;
  std::span<double> scales;  // n_scales a member: what depends on z
  // Entry `slot` of a member, as read back.
  [[nodiscard]] double number(std::uint32_t member, std::uint32_t slot) const;

  void set_active(std::uint32_t n) noexcept { set_active(0, n); }
  void set_active(std::uint32_t first, std::uint32_t n) noexcept {
    members_.first = first;
    members_.n_active = n;
  }
  void upload(Device& device);
  void download(Device& device);  // status and numbers

private:
  Buffer buffer_;
  std::vector<double> host_;  // doubles keep the alignment
  std::uint64_t uploaded_bytes_ = 0;
  lm_members members_{};
};

}  // namespace lumarch
