// SPDX-License-Identifier: Apache-2.0
// A list of calls, member by member: a member's rows stay in the cache through the whole list, and members go to the
// threads. Who runs a member changes no bits.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

#include "device.hpp"

namespace lumarch::cpu {
namespace {

// The whole list for the members given, as this worker.
lm_status run_as(lm_device* device, std::uint32_t worker, const lm_step* list, uint32_t n, const lm_members& members) {
  for (uint32_t i = 0; i < n; ++i) {
    lm_call call{};
    const lm_call* from = list[i].call;
    std::memcpy(&call, from, std::min<std::size_t>(from->struct_size, sizeof call));
    call.struct_size = std::min<uint32_t>(from->struct_size, sizeof call);
    call.members = &members;
    call.exec = &device->exec[worker];
    const lm_status status = list[i].fn(device, &call);
    if (status == LM_OK) continue;
    if (device->errors[worker].empty()) device->note(sdk::silent("kernel", i, status).c_str(), worker);
    return status;
  }
  return LM_OK;
}

// The failure of the lowest entry of the active map: the same one whatever the threads did.
class FirstFailure {
public:
  [[nodiscard]] bool before(uint32_t entry) const noexcept { return lowest_.load(std::memory_order_relaxed) < entry; }
  void add(uint32_t entry, lm_status status, const std::string& text) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (before(entry)) return;
    lowest_ = entry;
    status_ = status;
    try {
      text_ = text;
    } catch (...) {  // no memory for the text: the status must do
      text_.clear();
    }
  }
  [[nodiscard]] lm_status status() const noexcept { return status_; }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
  std::mutex mutex_;
  std::atomic<uint32_t> lowest_{UINT32_MAX};
  lm_status status_ = LM_OK;
  std::string text_;
};

}  // namespace

lm_status run_list(lm_device* device, const lm_step* list, uint32_t n, const lm_members* members) noexcept {
  if (!device) return LM_E_ARG;
  lm_status result = LM_OK;
  const auto note = [&](const char* text) { device->note(text); };
  const lm_status fault = sdk::fence(note, [&] {
    sdk::check_list(list, n, members);
    FirstFailure failure;
    const auto member = [&](uint32_t worker, uint32_t i) {
      if (failure.before(i)) return;
      lm_members one = sdk::copy_of(*members);
      one.first = members->first + i;
      one.n_active = 1;
      device->errors[worker].clear();  // a kernel of another plugin says nothing, and must not inherit old words
      const lm_status status = run_as(device, worker, list, n, one);
      if (status != LM_OK) failure.add(i, status, device->errors[worker]);
    };
    if (members->n_active <= 1 || !device->pool) {
      const JobsIn jobs_in(members->n_active == 1 ? device->pool.get() : nullptr);
      for (uint32_t i = 0; i < members->n_active; ++i) member(0, i);
    } else {
      device->pool->for_each(members->n_active, [&](uint32_t i, unsigned worker) {
        const JobsIn serial(nullptr);
        member(worker, i);
      });
    }
    result = failure.status();
    if (result != LM_OK) device->note(failure.text().c_str());
  });
  return fault != LM_OK ? fault : result;
}

}  // namespace lumarch::cpu
