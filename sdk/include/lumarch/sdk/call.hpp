// SPDX-License-Identifier: Apache-2.0
// A kernel's side of lm_call on a host-memory device: views become typed rows, checked once a call in every build.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>

#include <lumarch/abi.h>
#include <lumarch/abi_params.h>
#include <lumarch/sdk/fault.hpp>

namespace lumarch::sdk {

using Complex = std::complex<double>;

template <class T>
struct DtypeOf;
template <>
struct DtypeOf<double> {
  static constexpr std::int32_t value = LM_F64;
};
template <>
struct DtypeOf<Complex> {
  static constexpr std::int32_t value = LM_C128;
};
template <>
struct DtypeOf<std::uint8_t> {
  static constexpr std::int32_t value = LM_U8;
};

// Which row: a member with its parity, and the component and node indices.
struct RowIndex {
  std::uint32_t member = 0;
  std::uint32_t parity = 0;
  std::int64_t component = 0, outer = 0, inner = 0;
  std::uint32_t entry = 0;  // of the active map: what a kernel that calls another one names as `first`
};

// What a fault calls a view; put together only when there is a fault, for a kernel looks at views in every call.
struct ViewName {
  const char* words;
  std::int64_t number = -1;
  [[nodiscard]] std::string text() const {
    return number < 0 ? std::string(words) : std::string(words) + " " + std::to_string(number);
  }
};

// The rows of a view. Axes between member and sample that have extent 1 are repeated for every index asked for.
template <class T>
class Rows {
public:
  Rows() = default;
  Rows(T* base, const lm_view& view, std::uint32_t worker)
      : base_(base),
        samples(view.extent[LM_AXIS_SAMPLE]),
        bank_(view.bank),
        flip_(view.flags & LM_VIEW_FLIP ? 1u : 0u) {
    for (int axis = 0; axis < LM_AXIS_SAMPLE; ++axis)
      pitch_[axis] = view.extent[axis] == 1 && axis > 0 ? 0 : view.pitch[axis];
    if (view.flags & LM_VIEW_SCRATCH) {
      base_ += worker * pitch_[0];
      pitch_[0] = 0;
    }
  }

  [[nodiscard]] bool given() const noexcept { return base_ != nullptr; }
  [[nodiscard]] T* operator()(const RowIndex& at) const noexcept {
    return base_ + ((at.parity ^ flip_) & 1u) * bank_ + at.member * pitch_[0] + at.component * pitch_[1] +
           at.outer * pitch_[2] + at.inner * pitch_[3];
  }

private:
  T* base_ = nullptr;

public:
  std::int64_t samples = 0;  // of a row

private:
  std::int64_t pitch_[LM_AXIS_SAMPLE] = {};
  std::uint64_t bank_ = 0;
  std::uint32_t flip_ = 0;
};

class Call {
public:
  Call(lm_device* device, const lm_call* call) : device_(device), call_(call) {
    if (!call || call->struct_size < sizeof(lm_call)) throw Fault(LM_E_ARG, "lm_call is missing or too short");
    if (!call->members || call->members->struct_size < LM_MEMBERS_1_0)
      throw Fault(LM_E_ARG, "lm_members is missing or too short");
    if (!call->exec || call->exec->struct_size < sizeof(lm_exec) || !call->exec->resolve)
      throw Fault(LM_E_ARG, "lm_exec is missing or too short");
    if (call->n_views && !call->views) throw Fault(LM_E_ARG, "the views are missing");
    const lm_members& members = *call->members;
    if (members.first > members.count || members.n_active > members.count - members.first)
      throw Fault(LM_E_ARG, "the active range lies outside the batch");
    std::uint64_t bytes = 0;
    block_ = static_cast<std::byte*>(call->exec->resolve(device, members.block, &bytes));
    if (!block_) throw Fault(LM_E_ARG, "the member block is no buffer of this device");
    const auto inside = [&](std::uint64_t offset, std::uint64_t size) {
      if (offset > bytes || size * members.count > bytes - offset)
        throw Fault(LM_E_ARG, "the member block is shorter than its offsets say");
    };
    inside(members.z, 8);
    inside(members.h, 8);
    inside(members.active, 4);
    inside(members.parity, 1);
    inside(members.status, 1);
    inside(members.numbers, std::uint64_t{8} * members.n_numbers);
    if (members.struct_size >= sizeof(lm_members)) inside(members.scales, std::uint64_t{8} * members.n_scales);
  }

  [[nodiscard]] lm_device* device() const noexcept { return device_; }
  [[nodiscard]] const lm_call& raw() const noexcept { return *call_; }
  [[nodiscard]] std::uint32_t n_views() const noexcept { return call_->n_views; }

  [[nodiscard]] double h(std::uint32_t member) const noexcept { return at<double>(call_->members->h)[member]; }
  [[nodiscard]] double z(std::uint32_t member) const noexcept { return at<double>(call_->members->z)[member]; }
  [[nodiscard]] double* numbers(std::uint32_t member) const noexcept {
    return at<double>(call_->members->numbers) + std::size_t{member} * call_->members->n_numbers;
  }

  // Entry `slot` of a member's factors; a parameter's `scale` is 0 for none, else 1 + the entry.
  [[nodiscard]] double scale_of(std::uint32_t member, std::uint32_t scale) const noexcept {
    return scale == 0 ? 1.0
                      : at<double>(call_->members->scales)[std::size_t{member} * call_->members->n_scales + scale - 1];
  }
  void check_scales(std::uint32_t scale, std::uint32_t n = 1) const {
    if (scale == 0 || n == 0) return;
    const lm_members& members = *call_->members;
    if (members.struct_size < sizeof(lm_members) || scale > members.n_scales || n > members.n_scales - (scale - 1))
      throw Fault(LM_E_ARG, "the scale lies outside the factors of a member");
  }

  // The parameter struct P, which begins with its struct_size.
  template <class P>
  [[nodiscard]] const P& params() const {
    const P* p = static_cast<const P*>(call_->params);
    if (!p || call_->params_size < sizeof(P) || p->struct_size < sizeof(P))
      throw Fault(LM_E_ARG, "the parameters are missing or too short");
    return *p;
  }

  [[nodiscard]] lm_plan* plan(std::uint32_t index) const {
    if (index >= call_->n_plans || !call_->plans || !call_->plans[index])
      throw Fault(LM_E_ARG, "plan " + std::to_string(index) + " is missing");
    return call_->plans[index];
  }

  // View i as rows of T; samples < 0: any number. An optional view that is not given has given() == false.
  template <class T>
  [[nodiscard]] Rows<T> rows(std::uint32_t i, std::int64_t samples = -1, bool optional = false) const {
    if (i >= call_->n_views || call_->views[i].buffer == 0) {
      if (optional) return {};
      throw Fault(LM_E_ARG, "view " + std::to_string(i) + " is missing");
    }
    return resolve<T>(call_->views[i], samples, ViewName{"view", i});
  }

  // Rows of a view that is not in the call's own list, such as the operator that a propagator plan holds.
  template <class T>
  [[nodiscard]] Rows<T> rows_of(const lm_view& view, const char* what, std::int64_t samples = -1) const {
    return resolve<T>(view, samples, ViewName{what});
  }

  // Where view i begins, after all checks, for a device whose kernels make rows of it themselves; never dereferenced
  // here.
  template <class T>
  [[nodiscard]] T* base(const lm_view& view, std::int64_t samples, const ViewName& what) const {
    return checked<T>(view, samples, what);
  }
  [[nodiscard]] std::byte* block() const noexcept { return block_; }

  // The worker's part of the work area, at least `bytes` long.
  [[nodiscard]] std::byte* work(std::uint64_t bytes) const {
    if (bytes == 0) return nullptr;
    if (!call_->work) throw Fault(LM_E_ARG, "the work area is missing");
    const Rows<std::uint8_t> area = resolve<std::uint8_t>(*call_->work, -1, ViewName{"the work area"});
    if (!(call_->work->flags & LM_VIEW_SCRATCH)) throw Fault(LM_E_ARG, "the work area is not SCRATCH");
    if (static_cast<std::uint64_t>(area.samples) < bytes) throw Fault(LM_E_ARG, "the work area is too small");
    return reinterpret_cast<std::byte*>(area(RowIndex{}));
  }

  // Calls body(RowIndex) for each row of view `shape` of each member that is active and RUNNING.
  template <class Body>
  void for_each_row(std::uint32_t shape, Body&& body) const {
    const lm_view& view = call_->views[shape];
    for_each_member([&](RowIndex at) {
      for (at.component = 0; at.component < view.extent[LM_AXIS_COMPONENT]; ++at.component)
        for (at.outer = 0; at.outer < view.extent[LM_AXIS_OUTER]; ++at.outer)
          for (at.inner = 0; at.inner < view.extent[LM_AXIS_INNER]; ++at.inner) body(static_cast<const RowIndex&>(at));
    });
  }

  template <class Body>
  void for_each_member(Body&& body) const {
    const lm_members& members = *call_->members;
    const auto* active = at<std::uint32_t>(members.active);
    const auto* parity = at<std::uint8_t>(members.parity);
    const auto* status = at<std::uint8_t>(members.status);
    for (std::uint32_t i = members.first; i < members.first + members.n_active; ++i) {
      const std::uint32_t m = active[i];
      if (m >= members.count) throw Fault(LM_E_ARG, "the active map names a member outside the batch");
      if (status[m] != LM_RUNNING) continue;
      body(RowIndex{m, parity[m], 0, 0, 0, i});
    }
  }

private:
  template <class T>
  [[nodiscard]] T* at(std::uint64_t offset) const noexcept {
    return reinterpret_cast<T*>(block_ + offset);
  }

  template <class T>
  [[nodiscard]] Rows<T> resolve(const lm_view& view, std::int64_t samples, const ViewName& what) const {
    return Rows<T>(checked<T>(view, samples, what), view, call_->exec->worker);
  }

  template <class T>
  [[nodiscard]] T* checked(const lm_view& view, std::int64_t samples, const ViewName& what) const {
    if (view.dtype != DtypeOf<T>::value) throw Fault(LM_E_ARG, what.text() + " has another element type");
    if (view.flags & ~std::uint32_t{LM_VIEW_FLIP | LM_VIEW_SCRATCH})
      throw Fault(LM_E_UNSUPPORTED, what.text() + " has unknown flags");
    if (view.extent[LM_AXIS_SAMPLE] > 1 && view.pitch[LM_AXIS_SAMPLE] != 1)
      throw Fault(LM_E_UNSUPPORTED, what.text() + " has samples that are not neighbours");
    if (samples >= 0 && view.extent[LM_AXIS_SAMPLE] != samples)
      throw Fault(LM_E_ARG, what.text() + " has rows of " + std::to_string(view.extent[LM_AXIS_SAMPLE]) +
                                " samples, not " + std::to_string(samples));
    std::uint64_t bytes = 0;
    auto* base = static_cast<T*>(call_->exec->resolve(device_, view.buffer, &bytes));
    if (!base) throw Fault(LM_E_ARG, what.text() + " is no buffer of this device");
    const std::uint64_t rows = view.flags & LM_VIEW_SCRATCH ? call_->exec->n_workers : call_->members->count;
    if (view.pitch[0] != 0 && static_cast<std::uint64_t>(view.extent[0]) < rows)
      throw Fault(LM_E_ARG, what.text() + " has fewer rows than there are " +
                                (view.flags & LM_VIEW_SCRATCH ? "workers" : "members"));
    std::uint64_t last = view.offset;
    if (__builtin_add_overflow(last, view.bank, &last)) throw Fault(LM_E_ARG, what.text() + " lies outside its buffer");
    for (int axis = 0; axis < LM_AXES; ++axis) {
      std::uint64_t reach = 0;
      if (view.extent[axis] < 0 || view.pitch[axis] < 0)
        throw Fault(LM_E_ARG, what.text() + " has a negative extent or pitch");
      if (view.extent[axis] == 0) return base + view.offset;  // no rows: nothing is touched
      if (__builtin_mul_overflow(static_cast<std::uint64_t>(view.extent[axis] - 1),
                                 static_cast<std::uint64_t>(view.pitch[axis]), &reach) ||
          __builtin_add_overflow(last, reach, &last))
        throw Fault(LM_E_ARG, what.text() + " lies outside its buffer");
    }
    if (last >= bytes / sizeof(T)) throw Fault(LM_E_ARG, what.text() + " lies outside its buffer");
    if (view.flags & LM_VIEW_SCRATCH && call_->exec->worker >= call_->exec->n_workers)
      throw Fault(LM_E_ARG, "the worker's number is too large");
    return base + view.offset;
  }

  lm_device* device_;
  const lm_call* call_;
  std::byte* block_ = nullptr;
};

}  // namespace lumarch::sdk
