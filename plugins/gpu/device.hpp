// SPDX-License-Identifier: Apache-2.0
// An open GPU: a stream, memory, plans and what has been captured, over a Runtime (runtime.hpp). A plugin makes the
// ABI's opaque types of it: `struct lm_plan : lumarch::gpu::Plan<R>`, `struct lm_device : lumarch::gpu::Device<R>`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <lumarch/abi.h>
#include <lumarch/sdk/fault.hpp>

#include "graphs.hpp"
#include "host.hpp"
#include "memory.hpp"
#include "plan.hpp"
#include "ring.hpp"
#include "runtime.hpp"

namespace lumarch::gpu {

template <class R>
class Device {
public:
  using PlanType = typename AbiTypes<R>::Plan;
  using Resolve = void* (*)(lm_device*, lm_buffer, std::uint64_t*)LM_NOEXCEPT;

  // The calling thread's device is `index` already (Current).
  Device(const lm_host* on, int index, Resolve resolve) : host_(on), index_(index), memory_(runtime_, *this) {
    check(R::describe(index, &properties_), "looking at the device");
    if (const int code = runtime_.open(index); code != 0) {
      runtime_.close();
      check(code, "opening the device");
    }
    // Members to work on together at most, each with a row of the work area of its own: enough of them fill the machine
    // also with short rows, and there are never more rows than members. Little memory gets fewer.
    workers_ = properties_.memory_bytes >> 30 >= 32 ? 256 : 64;
    exec_ = {sizeof(lm_exec), 0, workers_, 0, resolve, runtime_.native_stream()};
    const char* graphs = std::getenv("LUMARCH_GPU_GRAPHS");
    graphs_on_ = !graphs || std::strcmp(graphs, "off") != 0;
  }
  ~Device() {
    const Current<R> here(index_);
    (void)runtime_.wait();
    plans_.clear();
    graphs_.reset();
    memory_.clear();
    runtime_.close();
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // ---- errors ----
  void note(const char* text) noexcept {
    try {
      error_ = text;
    } catch (...) {  // no memory for the text: the status must do
    }
  }
  [[nodiscard]] const std::string& noted() const noexcept { return error_; }

  // Throws where code is not 0. A device that is lost stays lost, and says so in every later call.
  void check(int code, const char* what) {
    if (code == 0) return;
    R::clear_error();
    const std::string text = words<R>(code) + ", noticed in " + what;
    switch (R::trouble(code)) {
      case Trouble::lost:
        lost_ = "the device is lost: " + text + "; close it and open it again, in a new process if that fails";
        throw sdk::Fault(LM_E_DEVICE_LOST, lost_);
      case Trouble::memory:
        throw sdk::Fault(LM_E_NOMEM, text);
      default:
        throw sdk::Fault(LM_E_DRIVER, text);
    }
  }
  void usable() const {
    if (!lost_.empty()) throw sdk::Fault(LM_E_DEVICE_LOST, lost_);
  }
  // For what cannot be put into a graph: it was to be ready from the first run of the list.
  void not_while_capturing(const char* what) const {
    if (capturing_) throw sdk::Fault(LM_E_INTERNAL, std::string(what) + " while a list was captured");
  }

  // ---- parts ----
  [[nodiscard]] R& runtime() noexcept { return runtime_; }
  [[nodiscard]] const Host& host() const noexcept { return host_; }
  [[nodiscard]] int index() const noexcept { return index_; }
  [[nodiscard]] const lm_exec& exec() const noexcept { return exec_; }
  [[nodiscard]] const Properties& properties() const noexcept { return properties_; }
  [[nodiscard]] std::uint32_t workers() const noexcept { return workers_; }
  [[nodiscard]] Memory<R>& memory() noexcept { return memory_; }
  [[nodiscard]] const Memory<R>& memory() const noexcept { return memory_; }
  // What a graph holds is no longer there.
  void changed() noexcept { ++generation_; }

  // Members to work on together so that `bytes` of each stay in half of the cache.
  [[nodiscard]] std::uint32_t chunk(std::uint64_t bytes) const noexcept {
    const std::uint64_t fit = properties_.cache_bytes / 2 / std::max<std::uint64_t>(bytes, 1);
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(fit, 1, UINT32_MAX));
  }

  // ---- plans ----
  template <class What>
  PlanType* keep(What&& what) {
    plans_.push_back(std::make_unique<PlanType>(this, std::forward<What>(what)));
    changed();
    return plans_.back().get();
  }
  void free_plan(const lm_plan* plan) {
    const auto at = std::find_if(plans_.begin(), plans_.end(), [&](const auto& own) { return own.get() == plan; });
    if (at == plans_.end()) throw sdk::Fault(LM_E_ARG, "plan_free: no plan of this device");
    const int code = runtime_.wait();  // what is in the stream may use it
    plans_.erase(at);
    changed();
    check(code, "waiting before a plan is freed");
  }

  // ---- lists ----
  // The first run of a list makes what it needs (transforms for a count, areas); the second is captured, and from the
  // third on the graph is replayed for as long as the list is the same and no memory or plan came or went.
  template <class Enqueue>
  void replay(const lm_step* list, std::uint32_t n, const lm_members& members, const Enqueue& enqueue) {
    if (!graphs_on_ || n == 0 || members.n_active == 0) return enqueue();
    ListKey key(list, n, members);
    key.generation = generation_;
    typename GraphCache<R>::Entry* entry = graphs_->find(key);
    if (!entry) {
      enqueue();
      key.generation = generation_;
      graphs_->remember(key);
      return;
    }
    if (!entry->recorded) {
      const std::string failure = capture(enqueue, &entry->graph);
      if (!failure.empty()) {
        graphs_on_ = false;
        host_.log(LM_LOG_WARN,
                  std::string("the ") + R::backend +
                      " backend puts steps into the queue one by one from here on, which is slower: " + failure);
        return enqueue();
      }
      entry->recorded = true;
    }
    check(runtime_.replay(entry->graph), "replaying a step");
  }
  [[nodiscard]] bool graphs_on() const noexcept { return graphs_on_; }

private:
  // Empty, or why it failed.
  template <class Enqueue>
  std::string capture(const Enqueue& enqueue, typename R::Graph* graph) {
    if (const int code = runtime_.begin_capture(); code != 0) {
      R::clear_error();
      return "a capture does not begin: " + words<R>(code);
    }
    std::string failure;
    capturing_ = true;
    try {
      enqueue();
    } catch (const std::exception& fault) {
      failure = fault.what();
      if (failure.empty()) failure = "a kernel failed";
    }
    capturing_ = false;
    if (!failure.empty()) {
      (void)runtime_.end_capture(nullptr);
      R::clear_error();
      return failure;
    }
    if (const int code = runtime_.end_capture(graph); code != 0) {
      R::clear_error();
      failure = "a capture does not end: " + words<R>(code);
    }
    return failure;
  }

  Host host_;
  int index_;
  R runtime_;
  Properties properties_;
  std::uint32_t workers_ = 1;
  lm_exec exec_{};
  std::string error_, lost_;
  std::uint64_t generation_ = 0;
  bool capturing_ = false, graphs_on_ = true;
  Memory<R> memory_;
  std::vector<std::unique_ptr<PlanType>> plans_;
  std::optional<GraphCache<R>> graphs_{std::in_place, runtime_};
};

template <class R>
Device<R>& of(lm_device& device) noexcept {
  return static_cast<Device<R>&>(static_cast<typename AbiTypes<R>::Device&>(device));
}
template <class R>
const Device<R>& of(const lm_device& device) noexcept {
  return static_cast<const Device<R>&>(static_cast<const typename AbiTypes<R>::Device&>(device));
}

}  // namespace lumarch::gpu
