// SPDX-License-Identifier: Apache-2.0
// The emulated device: its parts, and what launch/platform.hpp asks of a Platform.
#pragma once

#include "address.hpp"

#include <memory>
#include <string>
#include <typeinfo>
#include <variant>
#include <vector>

#include <lumarch/launch/platform.hpp>

#include "fft.hpp"  // of the reference backend
#include "launcher.hpp"
#include "memory.hpp"
#include "queue.hpp"

namespace lumarch::emulated {

struct FftPlan {
  lm_fft_desc desc;
  reference::Fft fft;
};

struct PropagatorPlan {
  lm_propagator_desc desc;
};

}  // namespace lumarch::emulated

// The ABI's opaque types, as this plugin defines them.
struct lm_plan {
  std::variant<lumarch::emulated::FftPlan, lumarch::emulated::PropagatorPlan> what;
};

struct lm_device {
  lm_device(const lumarch::emulated::Options& given, const lm_host* on);
  ~lm_device();  // tells the host's log where something was left
  lm_device(const lm_device&) = delete;
  lm_device& operator=(const lm_device&) = delete;

  [[nodiscard]] std::shared_ptr<const lm_plan> find(const lm_plan& plan) const;  // NULL where it is none of ours
  [[nodiscard]] double* partials(std::size_t doubles);
  // A call of the table but open, close, free and those that only ask: the one that lose_call names loses the device.
  void called(const char* what);
  // An upload, a download or a copy: the one that fail_copy names fails.
  void transfer(const char* what);

  const lumarch::emulated::Options options;
  lumarch::emulated::Counts counts;
  lumarch::emulated::Memory memory;
  lumarch::emulated::Launcher launcher;
  lumarch::emulated::Queue queue;
  std::vector<std::shared_ptr<const lm_plan>> plans;
  std::string error;
  lm_exec exec{};

private:
  const lm_host* host_;
  std::uint64_t calls_ = 0, transfers_ = 0;
  lm_buffer partials_ = 0;  // the last one; those before it may still be named by a record
};

namespace lumarch::emulated {

extern const lm_device_api device_api;
lm_status register_kernels(const lm_host* host, const lm_registrar* registrar) noexcept;
const void* extension(const char* id) noexcept;

// Transforms of rows, in the queue.
void put_transform(lm_device& device, const lm_plan& plan, const void* in, std::int64_t in_distance, void* out,
                   std::int64_t out_distance, std::int64_t count);

struct Emulated {
  template <class Body>
  static void elements(lm_device& device, const kernels::Grid& grid, const Body& body) {
    device.queue.put(Kind::elements, typeid(Body), [&device, grid, body] { device.launcher.elements(grid, body); });
  }
  template <class Body>
  static void blocks(lm_device& device, const kernels::Grid& grid, unsigned blocks, const Body& body) {
    device.queue.put(Kind::blocks, typeid(Body),
                     [&device, grid, blocks, body] { device.launcher.blocks(grid, blocks, body); });
  }
  static void transform(lm_device& device, const lm_plan& plan, const void* in, std::int64_t in_distance, void* out,
                        std::int64_t out_distance, std::int64_t count) {
    put_transform(device, plan, in, in_distance, out, out_distance, count);
  }
  static double* partials(lm_device& device, std::size_t doubles) { return device.partials(doubles); }
  static std::uint32_t chunk(lm_device& device, std::uint64_t) {
    return device.options.chunk ? device.options.chunk : device.options.workers;
  }
  template <class Enqueue>
  static void replay(lm_device& device, const lm_step* list, std::uint32_t n, const lm_members& members,
                     Enqueue&& enqueue) {
    device.called("run");
    device.queue.replay(list, n, members, enqueue);
  }
  static const lm_fft_desc* fft(const lm_device& device, const lm_plan& plan) {
    const auto known = device.find(plan);
    const auto* fft = known ? std::get_if<FftPlan>(&known->what) : nullptr;
    return fft ? &fft->desc : nullptr;
  }
  static const lm_propagator_desc* propagator(const lm_device& device, const lm_plan& plan) {
    const auto known = device.find(plan);
    const auto* propagator = known ? std::get_if<PropagatorPlan>(&known->what) : nullptr;
    return propagator ? &propagator->desc : nullptr;
  }
  static const lm_exec& exec(lm_device& device) { return device.exec; }
  static void note(lm_device& device, const char* text) { device.error = text; }
  static std::string noted(lm_device& device) { return device.error; }
};

}  // namespace lumarch::emulated
