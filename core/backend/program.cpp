// SPDX-License-Identifier: Apache-2.0
#include "backend/program.hpp"

#include <algorithm>
#include <cstring>

#include "backend/plugin_text.hpp"

namespace lumarch {

namespace {

constexpr std::uint64_t line = 64;  // bytes: rows start on cache lines

// Error where a problem has more bytes than a machine has addresses.
std::uint64_t product(std::uint64_t a, std::uint64_t b, const std::string& name) {
  std::uint64_t all = 0;
  if (!__builtin_mul_overflow(a, b, &all) && all < (std::uint64_t{1} << 60)) return all;
  throw Error(Fault::refused, name + ": " + std::to_string(a) + " times " + std::to_string(b) +
                                  " bytes are more than any memory holds; fewer points");
}

std::uint64_t rounded(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

std::uint64_t size_of(int dtype) {
  switch (dtype) {
    case LM_F64:
      return 8;
    case LM_C128:
      return 16;
    default:
      return 1;
  }
}

}  // namespace

RowBlock::RowBlock(Device& device, Kind kind, std::uint32_t members, const RowShape& shape, int dtype, int banks,
                   const std::string& name)
    : shape_(shape),
      row_bytes_(product(static_cast<std::uint64_t>(shape.samples), size_of(dtype), name)),
      element_bytes_(size_of(dtype)) {
  const std::uint64_t copies = kind == Kind::shared    ? 1
                               : kind == Kind::scratch ? device.scratch_rows(members)
                                                       : members;
  // An odd number of cache lines between rows, and between planes of rows, keeps rows of 2^k samples out of each
  // other's cache sets.
  const auto odd_lines = [](std::uint64_t bytes) {
    const std::uint64_t whole = rounded(bytes, line);
    return whole / line % 2 == 0 ? whole + line : whole;
  };
  std::uint64_t pitch[LM_AXES] = {};  // bytes
  pitch[LM_AXIS_INNER] = odd_lines(row_bytes_);
  pitch[LM_AXIS_OUTER] = odd_lines(product(pitch[LM_AXIS_INNER], static_cast<std::uint64_t>(shape.inner), name));
  pitch[LM_AXIS_COMPONENT] = odd_lines(product(pitch[LM_AXIS_OUTER], static_cast<std::uint64_t>(shape.outer), name));
  pitch[LM_AXIS_MEMBER] =
      odd_lines(product(pitch[LM_AXIS_COMPONENT], static_cast<std::uint64_t>(shape.components), name));
  member_bytes_ = pitch[LM_AXIS_MEMBER];
  buffer_ = Buffer(device, product(member_bytes_, copies * static_cast<std::uint64_t>(banks), name), name,
                   kind == Kind::own ? members : 1);
  view_.buffer = buffer_.handle();
  const std::int64_t extents[LM_AXES] = {static_cast<std::int64_t>(copies), shape.components, shape.outer, shape.inner,
                                         shape.samples};
  for (int axis = 0; axis < LM_AXES; ++axis) {
    view_.extent[axis] = extents[axis];
    view_.pitch[axis] =
        extents[axis] == 1 && axis != LM_AXIS_MEMBER ? 0 : static_cast<std::int64_t>(pitch[axis] / element_bytes_);
  }
  view_.pitch[LM_AXIS_SAMPLE] = 1;
  if (kind == Kind::shared) view_.pitch[LM_AXIS_MEMBER] = 0;
  view_.bank = banks == 2 ? member_bytes_ / element_bytes_ * copies : 0;
  view_.dtype = dtype;
  view_.flags = kind == Kind::scratch ? LM_VIEW_SCRATCH : 0;
}

lm_view RowBlock::view(bool flipped) const {
  lm_view v = view_;
  if (flipped) v.flags |= LM_VIEW_FLIP;
  return v;
}

std::uint64_t RowBlock::byte_offset(std::uint32_t member, std::uint32_t bank) const {
  return (view_.offset + bank * view_.bank + member * static_cast<std::uint64_t>(view_.pitch[0])) * element_bytes_;
}

std::uint64_t RowBlock::row_offset(std::int64_t i) const {
  const std::int64_t x = i % shape_.inner, y = i / shape_.inner % shape_.outer, c = i / shape_.inner / shape_.outer;
  return static_cast<std::uint64_t>(c * view_.pitch[LM_AXIS_COMPONENT] + y * view_.pitch[LM_AXIS_OUTER] +
                                    x * view_.pitch[LM_AXIS_INNER]) *
         element_bytes_;
}

// Pieces begin and end where rows do. A row that is longer than a piece is one by itself.
template <class Each, class Cross>
void RowBlock::pieces(Device& device, bool before, const Each& each, const Cross& cross) const {
  const std::int64_t rows = shape_.rows();
  const bool large = member_bytes_ > device.piece_bytes();
  std::vector<std::byte> own(large && row_bytes_ <= device.piece_bytes() ? 0 : std::max(row_bytes_, member_bytes_));
  std::byte* const at = own.empty() ? device.piece() : own.data();
  const std::uint64_t most = own.empty() ? device.piece_bytes() : own.size();
  for (std::int64_t first = 0, end = 0; first < rows; first = end) {
    const std::uint64_t from = row_offset(first);
    while (end < rows && row_offset(end) + row_bytes_ - from <= most) ++end;
    const std::uint64_t to = end == rows ? member_bytes_ : row_offset(end);
    const std::uint64_t bytes = std::min(to - from, most);
    const auto all = [&] {
      for (std::int64_t i = first; i < end; ++i) each(i, at + (row_offset(i) - from));
    };
    if (before) all();
    cross(from, at, bytes);
    if (!before) all();
  }
}

// A lone row goes as it is, and so do all where the device's memory is the host's; else many go together, gaps and all.
void RowBlock::put(Device& device, std::uint32_t member, std::uint32_t bank, const void* rows, std::uint64_t bytes,
                   std::string_view reason) const {
  if (device.counting()) return;
  if (bytes != row_bytes_ * static_cast<std::uint64_t>(shape_.rows()))
    throw Error(Fault::problem, "rows of another length than those on the device");
  const std::uint64_t at = byte_offset(member, bank);
  const auto* const from = static_cast<const std::byte*>(rows);
  const auto row = [&](std::int64_t i) { return from + static_cast<std::uint64_t>(i) * row_bytes_; };
  if (shape_.rows() == 1 || device.info().caps & LM_CAP_HOST_MEMORY) {
    for (std::int64_t i = 0; i < shape_.rows(); ++i)
      device.upload(buffer_, at + row_offset(i), row(i), row_bytes_, reason);
    return;
  }
  pieces(
      device, true, [&](std::int64_t i, std::byte* there) { std::memcpy(there, row(i), row_bytes_); },
      [&](std::uint64_t there, const std::byte* piece, std::uint64_t n) {
        device.upload(buffer_, at + there, piece, n, reason);
      });
}

void RowBlock::get(Device& device, std::uint32_t member, std::uint32_t bank, void* rows, std::uint64_t bytes,
                   std::string_view reason) const {
  if (device.counting()) return;
  if (bytes != row_bytes_ * static_cast<std::uint64_t>(shape_.rows()))
    throw Error(Fault::problem, "rows of another length than those on the device");
  const std::uint64_t at = byte_offset(member, bank);
  auto* const to = static_cast<std::byte*>(rows);
  const auto row = [&](std::int64_t i) { return to + static_cast<std::uint64_t>(i) * row_bytes_; };
  if (shape_.rows() == 1 || device.info().caps & LM_CAP_HOST_MEMORY) {
    for (std::int64_t i = 0; i < shape_.rows(); ++i)
      device.download(buffer_, at + row_offset(i), row(i), row_bytes_, reason);
    return;
  }
  pieces(
      device, false, [&](std::int64_t i, const std::byte* there) { std::memcpy(row(i), there, row_bytes_); },
      [&](std::uint64_t there, std::byte* piece, std::uint64_t n) {
        device.download(buffer_, at + there, piece, n, reason);
      });
}

void Program::add(lm_kernel_fn fn, std::vector<lm_view> views, const void* params, std::size_t params_size,
                  std::initializer_list<const Plan*> plans, std::uint64_t own_work_bytes) {
  std::vector<lm_plan*> handles;
  std::uint64_t work = own_work_bytes;
  for (const Plan* plan : plans) {
    handles.push_back(plan->handle());
    work = std::max(work, own_work_bytes + plan->work_bytes());
  }
  add(fn, std::move(views), params, params_size, handles, work);
}

void Program::add(lm_kernel_fn fn, std::vector<lm_view> views, const void* params, std::size_t params_size,
                  const std::vector<lm_plan*>& plans, std::uint64_t own_work_bytes) {
  Entry& entry = entries_.emplace_back();
  entry.views = std::move(views);
  entry.params.resize((params_size + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
  if (params_size) std::memcpy(entry.params.data(), params, params_size);
  entry.plans = plans;
  work_bytes_ = std::max(work_bytes_, own_work_bytes);
  entry.call.struct_size = sizeof(lm_call);
  entry.call.n_views = static_cast<std::uint32_t>(entry.views.size());
  entry.call.views = entry.views.data();
  entry.call.params = params_size ? entry.params.data() : nullptr;
  entry.call.params_size = static_cast<std::uint32_t>(params_size);
  entry.call.n_plans = static_cast<std::uint32_t>(entry.plans.size());
  entry.call.plans = entry.plans.data();
  list_.push_back({fn, &entry.call});
}

void Program::bind(Device& device, const lm_members* members, const RowBlock& work) {
  device_ = &device;
  members_ = members;
  if (work.given()) work_ = work.view();
  for (Entry& entry : entries_) {
    entry.call.members = members;
    entry.call.exec = device.exec();
    entry.call.work = work.given() ? &work_ : nullptr;
  }
}

// A plugin of C++ may forget its fence; what arrives here is then still an error with a name.
void Program::run() const {
  try {
    run_list();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& leaked) {
    throw Error(Fault::backend,
                "the " + device_->backend().name +
                    " backend, or a plugin that adds kernels to it, threw an exception across the ABI, which "
                    "it must not: " +
                    plugin_text(leaked.what()));
  }
}

void Program::run_list() const {
  if (list_.empty() || device_->counting()) return;
  const lm_device_api& api = device_->api();
  if (LM_HAS(&api, run)) {
    device_->check(api.run(device_->handle(), list_.data(), static_cast<std::uint32_t>(list_.size()), members_), "run");
    return;
  }
  // Member by member, so that what a call leaves in a SCRATCH row is still there for the next one.
  lm_members one = *members_;
  one.n_active = 1;
  for (std::uint32_t i = 0; i < members_->n_active; ++i) {
    one.first = members_->first + i;
    for (const lm_step& step : list_) {
      lm_call call = *step.call;
      call.members = &one;
      device_->check(step.fn(device_->handle(), &call), "a kernel");
    }
  }
}

MemberBlock::MemberBlock(Device& device, std::uint32_t count, std::uint32_t n_numbers, std::uint32_t n_scales) {
  members_.struct_size = sizeof(lm_members);
  members_.count = count;
  members_.n_active = count;
  members_.n_numbers = n_numbers;
  std::uint64_t at = 0;
  const auto place = [&](std::uint64_t bytes) {
    const std::uint64_t here = at;
    at = rounded(at + bytes, 8);
    return here;
  };
  members_.z = place(8ull * count);
  members_.h = place(8ull * count);
  members_.scales = place(8ull * count * n_scales);
  members_.n_scales = n_scales;
  members_.active = place(4ull * count);
  members_.parity = place(count);
  members_.status = place(count);
  uploaded_bytes_ = at;
  members_.numbers = place(8ull * count * n_numbers);
  host_.assign(at / 8, 0.0);
  buffer_ = Buffer(device, at, "member block");
  members_.block = buffer_.handle();
  auto* base = reinterpret_cast<std::byte*>(host_.data());
  z = {reinterpret_cast<double*>(base + members_.z), count};
  h = {reinterpret_cast<double*>(base + members_.h), count};
  active = {reinterpret_cast<std::uint32_t*>(base + members_.active), count};
  parity = {reinterpret_cast<std::uint8_t*>(base + members_.parity), count};
  status = {reinterpret_cast<std::uint8_t*>(base + members_.status), count};
  scales = {reinterpret_cast<double*>(base + members_.scales), std::size_t{count} * n_scales};
  for (std::uint32_t m = 0; m < count; ++m) active[m] = m;
}

double MemberBlock::number(std::uint32_t member, std::uint32_t slot) const {
  return host_[members_.numbers / 8 + std::size_t{member} * members_.n_numbers + slot];
}

void MemberBlock::upload(Device& device) {
  device.upload(buffer_, 0, host_.data(), uploaded_bytes_, "upload member block");
}

void MemberBlock::download(Device& device) {
  auto* base = reinterpret_cast<std::byte*>(host_.data());
  device.download(buffer_, members_.status, base + members_.status, buffer_.bytes() - members_.status,
                  "download member block");
}

}  // namespace lumarch
