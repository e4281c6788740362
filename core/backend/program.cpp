// SPDX-License-Identifier: Apache-2.0
#include "backend/program.hpp"

#include <cstring>

#include "backend/plugin_text.hpp"

namespace lumarch {

namespace {

constexpr std::uint64_t line = 64;  // bytes: rows start on cache lines

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
      row_bytes_(static_cast<std::uint64_t>(shape.samples) * size_of(dtype)),
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
  pitch[LM_AXIS_OUTER] = odd_lines(pitch[LM_AXIS_INNER] * static_cast<std::uint64_t>(shape.inner));
  pitch[LM_AXIS_COMPONENT] = odd_lines(pitch[LM_AXIS_OUTER] * static_cast<std::uint64_t>(shape.outer));
  pitch[LM_AXIS_MEMBER] = odd_lines(pitch[LM_AXIS_COMPONENT] * static_cast<std::uint64_t>(shape.components));
  member_bytes_ = pitch[LM_AXIS_MEMBER];
  buffer_ = Buffer(device, member_bytes_ * copies * static_cast<std::uint64_t>(banks), name);
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

template <class Each>
void RowBlock::stretches(const Each& each) const {
  std::uint64_t packed = 0;
  for (std::int64_t c = 0; c < shape_.components; ++c)
    for (std::int64_t y = 0; y < shape_.outer; ++y)
      for (std::int64_t x = 0; x < shape_.inner; ++x, packed += row_bytes_)
        each(static_cast<std::uint64_t>(c * view_.pitch[LM_AXIS_COMPONENT] + y * view_.pitch[LM_AXIS_OUTER] +
                                        x * view_.pitch[LM_AXIS_INNER]) *
                 element_bytes_,
             packed);
}

// A lone row goes as it is; many go through one crossing, gaps and all.
void RowBlock::put(Device& device, std::uint32_t member, std::uint32_t bank, const void* rows, std::uint64_t bytes,
                   std::string_view reason) const {
  if (bytes != row_bytes_ * static_cast<std::uint64_t>(shape_.rows()))
    throw Error(Fault::problem, "rows of another length than those on the device");
  const std::uint64_t at = byte_offset(member, bank);
  if (shape_.rows() == 1) return device.upload(buffer_, at, rows, bytes, reason);
  std::vector<std::byte> whole(member_bytes_);
  stretches([&](std::uint64_t there, std::uint64_t here) {
    std::memcpy(whole.data() + there, static_cast<const std::byte*>(rows) + here, row_bytes_);
  });
  device.upload(buffer_, at, whole.data(), whole.size(), reason);
}

void RowBlock::get(Device& device, std::uint32_t member, std::uint32_t bank, void* rows, std::uint64_t bytes,
                   std::string_view reason) const {
  const std::uint64_t at = byte_offset(member, bank);
  if (shape_.rows() == 1) return device.download(buffer_, at, rows, bytes, reason);
  std::vector<std::byte> whole(member_bytes_);
  device.download(buffer_, at, whole.data(), whole.size(), reason);
  stretches([&](std::uint64_t there, std::uint64_t here) {
    std::memcpy(static_cast<std::byte*>(rows) + here, whole.data() + there, row_bytes_);
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
  if (list_.empty()) return;
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
