// SPDX-License-Identifier: Apache-2.0
// Plans: a propagator is its description; a transform has one Transform of the library a (count, distances) met.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <lumarch/abi.h>
#include <lumarch/sdk/fault.hpp>

namespace lumarch::gpu {

template <class R>
class Device;

// The plugin's lm_plan and lm_device, which are complete only after the templates that use them.
template <class R>
struct AbiTypes {
  using Plan = ::lm_plan;
  using Device = ::lm_device;
};

inline void check_transform(const lm_fft_desc& d) {
  using sdk::Fault;
  if (d.kind != LM_FFT_C2C && d.kind != LM_FFT_R2C && d.kind != LM_FFT_C2R)
    throw Fault(LM_E_ARG, "unknown kind of transform: " + std::to_string(d.kind));
  constexpr std::int64_t longest = std::int64_t{1} << 27;  // what fits the libraries' index ranges in all batches
  if (d.n < 1 || d.n > longest)
    throw Fault(LM_E_ARG, "a transform of " + std::to_string(d.n) + " samples; 1 to 2^27 are possible");
  if (d.dtype == LM_C64) throw Fault(LM_E_UNSUPPORTED, "no transforms in single precision");
  if (d.dtype != LM_C128) throw Fault(LM_E_ARG, "the complex side of a transform is c128");
  if (d.direction != LM_FFT_FORWARD && d.direction != LM_FFT_BACKWARD)
    throw Fault(LM_E_ARG, "the direction of a transform is -1 or 1, not " + std::to_string(d.direction));
  if ((d.kind == LM_FFT_R2C && d.direction != LM_FFT_FORWARD) ||
      (d.kind == LM_FFT_C2R && d.direction != LM_FFT_BACKWARD))
    throw Fault(LM_E_ARG, "real to complex is FORWARD, complex to real BACKWARD");
  if (d.kind != LM_FFT_C2C && d.in_place) throw Fault(LM_E_UNSUPPORTED, "real transforms are out of place");
}

template <class R>
class FftPlan {
public:
  explicit FftPlan(const lm_fft_desc& desc) : desc_(desc) {}

  [[nodiscard]] const lm_fft_desc& desc() const noexcept { return desc_; }

  // Transforms of `count` rows, in the stream. Distances do not matter to a single row.
  void run(Device<R>& device, void* in, std::int64_t in_distance, void* out, std::int64_t out_distance,
           std::int64_t count) {
    if (desc_.n == 1) return single(device, in, in_distance, out, out_distance, count);
    if (count == 1) in_distance = out_distance = 0;
    check_alignment(in, in_distance, desc_.kind == LM_FFT_R2C ? 8 : 16);
    check_alignment(out, out_distance, desc_.kind == LM_FFT_C2R ? 8 : 16);
    auto& transform = get(device, in_distance, out_distance, count);
    void* area = device.memory().area(transform.area());
    transform.run(device.runtime(), area, in, out);
  }
  // So that an impossible length is refused when it is planned.
  void prepare(Device<R>& device) {
    if (desc_.n > 1) (void)device.memory().area(get(device, 0, 0, 1).area());
  }

private:
  struct Made {
    std::int64_t in_distance, out_distance, count;
    std::uint64_t used;
    std::unique_ptr<typename R::Transform> transform;
  };
  // Counts that shrink as members of an ensemble end must not fill the memory with transforms.
  static constexpr std::size_t most = 32;

  typename R::Transform& get(Device<R>& device, std::int64_t in_distance, std::int64_t out_distance,
                             std::int64_t count) {
    ++clock_;
    for (Made& made : made_)
      if (made.count == count && made.in_distance == in_distance && made.out_distance == out_distance) {
        made.used = clock_;
        return *made.transform;
      }
    device.not_while_capturing("a transform was planned");
    if (made_.size() >= most) {
      device.check(device.runtime().wait(), "waiting before a transform is freed");
      made_.erase(std::min_element(made_.begin(), made_.end(), [](auto& a, auto& b) { return a.used < b.used; }));
      device.changed();
    }
    // A single row gets distances that a library takes.
    const std::int64_t in = in_distance ? in_distance : desc_.n, out = out_distance ? out_distance : desc_.n;
    made_.push_back({in_distance, out_distance, count, clock_,
                     std::make_unique<typename R::Transform>(device.runtime(), desc_, in, out, count)});
    return *made_.back().transform;
  }

  // The libraries read pairs of doubles, also of real rows: an odd address would cost the device.
  static void check_alignment(const void* row, std::int64_t distance, std::int64_t sample_bytes) {
    if (reinterpret_cast<std::uintptr_t>(row) % 16 || distance * sample_bytes % 16)
      throw sdk::Fault(LM_E_ARG, "a row to be transformed does not begin at a multiple of 16 bytes");
  }

  // Of one sample: a copy, with an imaginary part of 0 or without it.
  void single(Device<R>& device, void* in, std::int64_t in_distance, void* out, std::int64_t out_distance,
              std::int64_t count) {
    if (in == out) return;
    const std::size_t from = desc_.kind == LM_FFT_R2C ? 8 : 16, to = desc_.kind == LM_FFT_C2R ? 8 : 16;
    const auto rows = static_cast<std::size_t>(count);
    const auto pitch = [&](std::int64_t distance, std::size_t sample) {
      return count > 1 ? static_cast<std::size_t>(distance) * sample : sample;
    };
    R& runtime = device.runtime();
    if (to > from)
      device.check(runtime.clear_rows(out, pitch(out_distance, to), to, rows), "a transform of one sample");
    device.check(
        runtime.copy_rows(out, pitch(out_distance, to), in, pitch(in_distance, from), std::min(from, to), rows),
        "a transform of one sample");
  }

  lm_fft_desc desc_;
  std::uint64_t clock_ = 0;
  std::vector<Made> made_;
};

template <class R>
struct Plan {
  template <class What>
  Plan(Device<R>* of, What&& is) : device(of), what(std::forward<What>(is)) {}

  Device<R>* device;
  std::variant<FftPlan<R>, lm_propagator_desc> what;
};

template <class R>
Plan<R>& of(lm_plan& plan) noexcept {
  return static_cast<Plan<R>&>(static_cast<typename AbiTypes<R>::Plan&>(plan));
}
template <class R>
const Plan<R>& of(const lm_plan& plan) noexcept {
  return static_cast<const Plan<R>&>(static_cast<const typename AbiTypes<R>::Plan&>(plan));
}

}  // namespace lumarch::gpu
