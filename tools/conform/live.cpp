// SPDX-License-Identifier: Apache-2.0
#include "live.hpp"

#include "kernel_scenes.hpp"

#include <algorithm>

namespace lumarch::conform {

namespace {

constexpr std::uint64_t fence_bytes = 64;  // around the work rows and between the parts of the member block
constexpr std::byte fence_byte{0xA5};
constexpr std::byte nan_byte{0xFF};  // makes every double a NaN

}  // namespace

Live::Live(const OpenDevice& device, const Scene& scene) : device_(device), scene_(scene) {
  workers_ = device.api().workers(device.handle());
  for (const Array& array : scene.arrays) buffers_.push_back(device.alloc(array.image.size() * sizeof(double)));
  reset();
  make_plans();
  make_members();
  for (const CallSpec& spec : scene.calls) prepare(made_.emplace_back(), spec);
  make_work();
}

Live::~Live() {
  for (lm_plan* plan : plans_) device_.api().plan_free(device_.handle(), plan);
  for (const lm_buffer buffer : buffers_) device_.api().free(device_.handle(), buffer);
  device_.api().free(device_.handle(), good_members_.block);
  if (work_) device_.api().free(device_.handle(), work_);
}

void Live::put(lm_buffer to, const void* from, std::size_t bytes) const {
  device_.need(device_.api().upload(device_.handle(), to, 0, from, bytes), "upload");
}

void Live::reset() {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const std::vector<double>& image = scene_.arrays[i].image;
    put(buffers_[i], image.data(), image.size() * sizeof(double));
  }
}

lm_view Live::view(const Seen& seen) const {
  if (seen.array < 0) return {};
  lm_view v = scene_.arrays[static_cast<std::size_t>(seen.array)].view;
  v.buffer = buffers_[static_cast<std::size_t>(seen.array)];
  if (seen.flip) v.flags |= LM_VIEW_FLIP;
  return v;
}

void Live::make_plans() {
  for (const PlanSpec& spec : scene_.plans) {
    lm_plan* plan = nullptr;
    std::uint64_t bytes = 0;
    if (spec.fft) {
      lm_fft_desc desc = spec.desc;
      desc.struct_size = sizeof desc;
      const lm_status status = device_.api().plan_fft(device_.handle(), &desc, &plan, &bytes);
      if (status == LM_E_UNSUPPORTED) throw Skipped("plan_fft is UNSUPPORTED: " + device_.error());
      device_.need(status, "plan_fft of n = " + std::to_string(desc.n));
    } else {
      const lm_propagator_desc desc = {sizeof desc, spec.lossless, spec.node, view({spec.D, false})};
      device_.need(device_.api().plan_propagator(device_.handle(), &desc, &plan, &bytes), "plan_propagator");
    }
    expect(plan, "a plan was made and is NULL");
    plans_.push_back(plan);
    plan_work_.push_back(bytes);
  }
}

// The parts in another order than core's, with fences between: the offsets are all that a kernel may rely on.
void Live::make_members() {
  const MemberSpec& spec = scene_.members;
  const std::uint64_t count = spec.count;
  members_ = {};
  members_.struct_size = sizeof(lm_members);
  members_.count = spec.count;
  members_.n_active = spec.n_active;
  members_.first = spec.first;
  members_.n_numbers = spec.n_numbers;
  std::uint64_t at = fence_bytes;
  const auto place = [&at](std::uint64_t bytes) {
    const std::uint64_t here = at;
    at = round_up(at + bytes) + fence_bytes;
    return here;
  };
  members_.numbers = place(8 * count * spec.n_numbers);
  members_.status = place(count);
  members_.h = place(8 * count);
  members_.active = place(4 * count);
  members_.parity = place(count);
  members_.z = place(8 * count);
  members_.n_scales = spec.n_scales;
  members_.scales = place(8 * count * spec.n_scales);
  members_.block = device_.alloc(at);
  block_.assign(at, fence_byte);
  good_members_ = members_;
  upload_members();
}

void Live::upload_members() {
  const MemberSpec& spec = scene_.members;
  const auto write = [this](std::uint64_t offset, const auto& values) {
    std::memcpy(block_.data() + offset, values.data(), values.size() * sizeof(values[0]));
  };
  write(members_.status, spec.status);
  write(members_.h, spec.h);
  write(members_.active, spec.active);
  write(members_.parity, spec.parity);
  write(members_.z, spec.z);
  write(members_.scales, spec.scales);
  write(members_.numbers, std::vector<double>(std::size_t{spec.count} * spec.n_numbers, guard()));
  put(good_members_.block, block_.data(), block_.size());
}

void Live::prepare(Made& made, const CallSpec& spec) {
  made.fn = find_kernel(device_.backend.table, spec.kernel);
  if (!made.fn) throw Skipped("it has no " + spec.kernel);
  for (const Seen& seen : spec.views) made.views.push_back(view(seen));
  std::uint64_t plan_work = 0;
  for (const int plan : spec.plans) {
    made.plans.push_back(plans_[static_cast<std::size_t>(plan)]);
    plan_work = std::max(plan_work, plan_work_[static_cast<std::size_t>(plan)]);
  }
  made.work_bytes = plan_work + spec.own_work;
  made.params.resize((spec.params.size() + 7) / 8);
  if (!spec.params.empty()) std::memcpy(made.params.data(), spec.params.data(), spec.params.size());
  for (const CallSpec& response : spec.responses) {
    Made& inner = made.responses.emplace_back();
    prepare(inner, response);
    if (spec.kernel == "rhs.columns")  // they have the same part in turn
      made.work_bytes = std::max(made.work_bytes, spec.own_work + inner.work_bytes);
    else
      made.work_bytes += round_up(inner.work_bytes);
    made.raw_responses.push_back({inner.fn,
                                  inner.call.params,
                                  inner.views.data(),
                                  inner.plans.data(),
                                  inner.call.params_size,
                                  inner.call.n_views,
                                  inner.call.n_plans,
                                  {response.adds_to},
                                  inner.work_bytes});
  }
  if (spec.kernel == "rhs.columns") {
    lm_p_columns p;
    std::memcpy(&p, spec.params.data(), sizeof p);
    p.n_responses = static_cast<std::uint32_t>(made.raw_responses.size());
    p.responses = made.raw_responses.data();
    std::memcpy(made.params.data(), &p, sizeof p);
  }
  if (spec.kernel == "rhs.fibre") {
    const lm_p_rhs p = {sizeof p, static_cast<std::uint32_t>(made.raw_responses.size()), made.raw_responses.data()};
    std::memcpy(made.params.data(), &p, sizeof p);
  }
  made.call = {sizeof(lm_call),
               static_cast<std::uint32_t>(made.views.size()),
               made.views.data(),
               &members_,
               device_.api().exec(device_.handle()),
               spec.params.empty() ? nullptr : made.params.data(),
               static_cast<std::uint32_t>(spec.params.size()),
               static_cast<std::uint32_t>(made.plans.size()),
               made.plans.data(),
               nullptr};
}

// Rows of exactly the bytes asked for, NaN, in a frame of fences; each call gets a view as long as its own wish.
void Live::make_work() {
  for (const Made& made : made_) work_row_ = std::max(work_row_, round_up(made.work_bytes));
  if (work_row_ == 0) return;
  work_pitch_ = work_row_ + fence_bytes;
  std::vector<std::byte> bytes(fence_bytes + workers_ * work_pitch_, fence_byte);
  for (std::uint32_t w = 0; w < workers_; ++w)
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(fence_bytes + w * work_pitch_), work_row_, nan_byte);
  work_ = device_.alloc(bytes.size());
  put(work_, bytes.data(), bytes.size());
  for (Made& made : made_) {
    if (made.work_bytes == 0) continue;
    lm_view& v = made.work;
    v.buffer = work_;
    v.offset = fence_bytes;
    for (int axis = 0; axis < LM_AXES; ++axis) v.extent[axis] = 1;
    v.extent[LM_AXIS_MEMBER] = workers_;
    v.extent[LM_AXIS_SAMPLE] = static_cast<std::int64_t>(made.work_bytes);
    v.pitch[LM_AXIS_MEMBER] = static_cast<std::int64_t>(work_pitch_);
    v.pitch[LM_AXIS_SAMPLE] = 1;
    v.dtype = LM_U8;
    v.flags = LM_VIEW_SCRATCH;
    made.call.work = &v;
  }
}

lm_status Live::call(std::size_t i) {
  const lm_status status = made_[i].fn(device_.handle(), &made_[i].call);
  return status == LM_OK ? device_.api().sync(device_.handle()) : status;
}

lm_status Live::each() {
  for (const Made& made : made_)
    if (const lm_status status = made.fn(device_.handle(), &made.call); status != LM_OK) return status;
  return device_.api().sync(device_.handle());
}

lm_status Live::run() {
  std::vector<lm_step> list;
  for (const Made& made : made_) list.push_back({made.fn, &made.call});
  const lm_status status =
      device_.api().run(device_.handle(), list.data(), static_cast<std::uint32_t>(list.size()), &members_);
  return status == LM_OK ? device_.api().sync(device_.handle()) : status;
}

void Live::need(lm_status status) {
  device_.need(status, scene_.calls.size() == 1 ? scene_.calls[0].kernel : "a call");
}

std::vector<double> Live::image(std::size_t array) const {
  std::vector<double> out(scene_.arrays[array].image.size());
  device_.need(device_.api().download(device_.handle(), buffers_[array], 0, out.data(), out.size() * sizeof(double)),
               "download");
  return out;
}

std::vector<double> Live::numbers() const {
  std::vector<double> out(std::size_t{members_.count} * members_.n_numbers);
  device_.need(device_.api().download(device_.handle(), members_.block, members_.numbers, out.data(),
                                      out.size() * sizeof(double)),
               "download");
  return out;
}

std::string Live::other_damage() const {
  std::vector<std::byte> now(block_.size());
  device_.need(device_.api().download(device_.handle(), members_.block, 0, now.data(), now.size()), "download");
  const std::uint64_t from = members_.numbers, to = from + 8ull * members_.count * members_.n_numbers;
  for (std::size_t i = 0; i < now.size(); ++i)
    if ((i < from || i >= to) && now[i] != block_[i])
      return "byte " + std::to_string(i) + " of the member block changed";
  if (!work_) return {};
  std::vector<std::byte> work(fence_bytes + workers_ * work_pitch_);
  device_.need(device_.api().download(device_.handle(), work_, 0, work.data(), work.size()), "download");
  for (std::size_t i = 0; i < work.size(); ++i) {
    const bool fence = i < fence_bytes || (i - fence_bytes) % work_pitch_ >= work_row_;
    if (fence && work[i] != fence_byte)
      return "byte " + std::to_string(i) + " of the work area, outside its rows, changed";
  }
  return {};
}

}  // namespace lumarch::conform
