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

RowBlock::RowBlock(Device& device, Kind kind, std::uint32_t members, std::int64_t n, int dtype, int banks,
                   const std::string& name)
    : row_bytes_(static_cast<std::uint64_t>(n) * size_of(dtype)), element_bytes_(size_of(dtype)) {
  const std::uint64_t rows = kind == Kind::shared ? 1 : kind == Kind::scratch ? device.scratch_rows(members) : members;
  std::uint64_t pitch = rounded(row_bytes_, line);
  // An odd number of cache lines between rows keeps rows of 2^k samples out of each other's cache sets.
  if (pitch / line % 2 == 0) pitch += line;
  buffer_ = Buffer(device, pitch * rows * static_cast<std::uint64_t>(banks), name);
  const auto elements = static_cast<std::int64_t>(pitch / element_bytes_);
  view_.buffer = buffer_.handle();
  const std::int64_t extents[LM_AXES] = {static_cast<std::int64_t>(rows), 1, 1, 1, n};
  const std::int64_t pitches[LM_AXES] = {kind == Kind::shared ? 0 : elements, 0, 0, 0, 1};
  std::copy(std::begin(extents), std::end(extents), view_.extent);
  std::copy(std::begin(pitches), std::end(pitches), view_.pitch);
  view_.bank = banks == 2 ? static_cast<std::uint64_t>(elements) * rows : 0;
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

void Program::add(lm_kernel_fn fn, std::vector<lm_view> views, const void* params, std::size_t params_size,
                  std::initializer_list<const Plan*> plans, std::uint64_t own_work_bytes) {
  Entry& entry = entries_.emplace_back();
  entry.views = std::move(views);
  entry.params.resize((params_size + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
  if (params_size) std::memcpy(entry.params.data(), params, params_size);
  std::uint64_t work = own_work_bytes;
  for (const Plan* plan : plans) {
    entry.plans.push_back(plan->handle());
    work = std::max(work, own_work_bytes + plan->work_bytes());
  }
  work_bytes_ = std::max(work_bytes_, work);
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

MemberBlock::MemberBlock(Device& device, std::uint32_t count, std::uint32_t n_numbers) {
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
