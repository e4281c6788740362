// SPDX-License-Identifier: Apache-2.0
// A device table for backends whose memory is the host's, so that their authors write plans and kernels only.
//
//   struct lm_plan { ... };                                       // what a plan is
//   struct lm_device : lumarch::sdk::HostDevice<lm_plan> { ... };  // and what a device has beside memory and plans
//   struct Own {                                                   // what throws Fault is answered with its status
//     using Device = lm_device;
//     static std::string missing();                   // why there is no device on this machine; "" where there is one
//     static void describe(lm_device_info& info);     // caps, name and id; the rest is filled in
//     static std::unique_ptr<lm_device> open(const lm_host* host, const std::vector<lumarch::sdk::Option>& options);
//     static std::unique_ptr<lm_plan> plan_fft(lm_device&, const lm_fft_desc&, std::uint64_t& work_bytes);
//     static std::unique_ptr<lm_plan> plan_propagator(lm_device&, const lm_propagator_desc&, std::uint64_t&
//     work_bytes);
//   };
//   constexpr lm_device_api device_api = lumarch::sdk::host_device_api<Own>();
//
// The descriptions that plan_fft and plan_propagator get have been checked: double precision, n in 1 ... 2^30, a kind
// and its direction. `preferred_members` and `run` are NULL; an author who has them sets them in a copy of the table.
#pragma once

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <lumarch/abi.h>
#include <lumarch/machine_memory.hpp>
#include <lumarch/sdk/call.hpp>
#include <lumarch/sdk/fault.hpp>
#include <lumarch/sdk/host_memory.hpp>

namespace lumarch::sdk {

struct Option {
  std::string key, value;
};

template <class Plan>
class HostDevice {
public:
  // `workers`: how many threads an own `run` uses; without one there is one. `fill`: see HostMemory.
  explicit HostDevice(std::uint32_t workers = 1, int fill = -1) : memory(fill), errors(workers) {}

  HostMemory memory;
  std::vector<std::unique_ptr<Plan>> plans;
  std::vector<lm_exec> exec;        // one a worker; made by the table's `open`
  std::vector<std::string> errors;  // one a worker

  void note(const char* text, std::uint32_t worker = 0) noexcept {
    try {
      errors[worker < errors.size() ? worker : 0] = text;
    } catch (...) {  // no memory for the text: the status must do
    }
  }
};

// Body(Call) of a kernel; what it throws is noted for the worker that it happened to.
template <class Device, class Body>
lm_status host_kernel(Device* device, const lm_call* call, Body&& body) noexcept {
  if (!device) return LM_E_ARG;
  const auto note = [&](const char* text) { device->note(text, call && call->exec ? call->exec->worker : 0); };
  return fence(note, [&] { body(Call(device, call)); });
}

inline void check(const lm_fft_desc* desc) {
  if (!desc || desc->struct_size < sizeof(lm_fft_desc))
    throw Fault(LM_E_ARG, "plan_fft: the description is missing or too short");
  if (desc->dtype != LM_C128) throw Fault(LM_E_UNSUPPORTED, "plan_fft: there is double precision only");
  if (desc->n < 1 || desc->n > (std::int64_t{1} << 30))
    throw Fault(LM_E_ARG, "plan_fft: n = " + std::to_string(desc->n) + " is not in 1 ... 2^30");
  if (desc->kind < LM_FFT_C2C || desc->kind > LM_FFT_C2R || (desc->direction != 1 && desc->direction != -1))
    throw Fault(LM_E_ARG, "plan_fft: unknown kind or direction");
  if ((desc->kind == LM_FFT_R2C && desc->direction != LM_FFT_FORWARD) ||
      (desc->kind == LM_FFT_C2R && desc->direction != LM_FFT_BACKWARD))
    throw Fault(LM_E_ARG, "plan_fft: r2c is forward and c2r backward");
  if (desc->in_place && desc->kind != LM_FFT_C2C)
    throw Fault(LM_E_UNSUPPORTED, "plan_fft: real transforms are out of place");
}

inline void check(const lm_propagator_desc* desc) {
  if (!desc || desc->struct_size < sizeof(lm_propagator_desc))
    throw Fault(LM_E_ARG, "plan_propagator: the description is missing or too short");
  if (desc->D.dtype != LM_C128) throw Fault(LM_E_UNSUPPORTED, "plan_propagator: D is not complex double");
}

// The functions of the table.
template <class Own>
class HostTable {
  using Device = typename Own::Device;
  static_assert(std::is_same_v<Device, lm_device>, "the ABI hands out lm_device");

  // To `why`, for a caller that has no device yet.
  static auto to(char* why, std::uint32_t why_len) {
    return [=](const char* text) {
      if (why && why_len) std::snprintf(why, why_len, "%s", text);
    };
  }

  template <class Body>
  static lm_status noted(Device* device, Body&& body) noexcept {
    if (!device) return LM_E_ARG;
    return fence([device](const char* text) { device->note(text); }, body);
  }

  // lm_device is not known where this header is read, only where Own is.
  static Device* device_of(Device* device) { return device; }
  static HostMemory& memory_of(Device* device) { return device->memory; }

  static void need(const void* place, const char* what) {
    if (!place) throw Fault(LM_E_ARG, std::string("no place for ") + what);
  }

public:
  static lm_status count(const lm_host*, std::int32_t* n, char* why, std::uint32_t why_len) noexcept {
    if (!n) return LM_E_ARG;
    return fence(to(why, why_len), [&] {
      const std::string missing = Own::missing();
      to(why, why_len)(missing.c_str());
      *n = missing.empty() ? 1 : 0;
    });
  }

  static lm_status info(std::int32_t index, lm_device_info* out) noexcept {
    if (!out || out->struct_size < sizeof(lm_device_info) || index != 0) return LM_E_ARG;
    return fence(to(nullptr, 0), [&] {
      out->index = 0;
      out->memory_bytes = machine::memory().total;
      Own::describe(*out);
    });
  }

  static lm_status open(const lm_host* host, std::int32_t index, const lm_option* options, std::uint32_t n_options,
                        lm_device** out, char* why, std::uint32_t why_len) noexcept {
    return fence(to(why, why_len), [&] {
      need(out, "the device");
      *out = nullptr;
      if (index != 0) throw Fault(LM_E_NO_DEVICE, "there is one device, number 0");
      if (n_options && !options) throw Fault(LM_E_ARG, "the options are missing");
      std::vector<Option> given;
      for (std::uint32_t i = 0; i < n_options; ++i) {
        if (!options[i].key || !options[i].value) throw Fault(LM_E_ARG, "an option without a key or a value");
        given.push_back({options[i].key, options[i].value});
      }
      std::unique_ptr<Device> device = Own::open(host, given);
      const auto workers = static_cast<std::uint32_t>(device->errors.size());
      for (std::uint32_t worker = 0; worker < workers; ++worker)
        device->exec.push_back({sizeof(lm_exec), worker, workers, 0, &resolve, nullptr});
      *out = device.release();
    });
  }

  static void close(lm_device* device) noexcept { std::unique_ptr<Device>{device}.reset(); }
  static const char* last_error(lm_device* device) noexcept {
    return device ? device_of(device)->errors[0].c_str() : "no device";
  }
  static const lm_exec* exec(lm_device* device) noexcept { return device ? device_of(device)->exec.data() : nullptr; }
  static void* resolve(lm_device* device, lm_buffer buffer, std::uint64_t* bytes) noexcept {
    return device_of(device)->memory.resolve(buffer, bytes);
  }

  static lm_status alloc(lm_device* device, std::uint64_t bytes, lm_buffer* out) noexcept {
    return noted(device, [&] {
      need(out, "the handle");
      *out = memory_of(device).alloc(bytes);
    });
  }
  static lm_status free(lm_device* device, lm_buffer buffer) noexcept {
    return noted(device, [&] { memory_of(device).free(buffer); });
  }
  static lm_status upload(lm_device* device, lm_buffer buffer, std::uint64_t offset, const void* from,
                          std::uint64_t bytes) noexcept {
    return noted(device, [&] {
      std::byte* target = memory_of(device).range(buffer, offset, bytes);
      if (bytes && !from) throw Fault(LM_E_ARG, "nothing to upload from");
      if (bytes) std::memcpy(target, from, bytes);
    });
  }
  static lm_status download(lm_device* device, lm_buffer buffer, std::uint64_t offset, void* into,
                            std::uint64_t bytes) noexcept {
    return noted(device, [&] {
      const std::byte* source = memory_of(device).range(buffer, offset, bytes);
      if (bytes && !into) throw Fault(LM_E_ARG, "nowhere to download to");
      if (bytes) std::memcpy(into, source, bytes);
    });
  }
  static lm_status copy(lm_device* device, lm_buffer into, std::uint64_t into_offset, lm_buffer from,
                        std::uint64_t from_offset, std::uint64_t bytes) noexcept {
    return noted(device, [&] {
      std::byte* target = memory_of(device).range(into, into_offset, bytes);
      const std::byte* source = memory_of(device).range(from, from_offset, bytes);
      if (bytes) std::memmove(target, source, bytes);
    });
  }
  static lm_status sync(lm_device* device) noexcept { return device ? LM_OK : LM_E_ARG; }

  static lm_status plan_fft(lm_device* device, const lm_fft_desc* desc, lm_plan** plan, std::uint64_t* work) noexcept {
    return make_plan(device, desc, plan, work, [](auto&... given) { return Own::plan_fft(given...); });
  }
  static lm_status plan_propagator(lm_device* device, const lm_propagator_desc* desc, lm_plan** plan,
                                   std::uint64_t* work) noexcept {
    return make_plan(device, desc, plan, work, [](auto&... given) { return Own::plan_propagator(given...); });
  }
  static lm_status plan_free(lm_device* device, lm_plan* plan) noexcept {
    return noted(device, [&] {
      if (std::erase_if(device_of(device)->plans, [&](const auto& own) { return own.get() == plan; }) == 0)
        throw Fault(LM_E_ARG, "plan_free: no plan of this device");
    });
  }

  static lm_status memory_available(lm_device* device, std::uint64_t* bytes) noexcept {
    return noted(device, [&] {
      need(bytes, "the number");
      *bytes = machine::memory().available;
    });
  }
  static std::uint32_t workers(lm_device* device) noexcept {
    return device ? static_cast<std::uint32_t>(device_of(device)->errors.size()) : 1;
  }

private:
  template <class Desc, class Make>
  static lm_status make_plan(Device* device, const Desc* desc, lm_plan** plan, std::uint64_t* work,
                             Make&& make) noexcept {
    return noted(device, [&] {
      need(plan, "the plan");
      need(work, "the number of work bytes");
      check(desc);
      std::uint64_t bytes = 0;
      device->plans.push_back(make(*device, *desc, bytes));
      *plan = device->plans.back().get();
      *work = bytes;
    });
  }
};

template <class Own>
constexpr lm_device_api host_device_api() {
  using T = HostTable<Own>;
  return {sizeof(lm_device_api),
          0,
          &T::count,
          &T::info,
          &T::open,
          &T::close,
          &T::last_error,
          &T::exec,
          &T::alloc,
          &T::free,
          &T::upload,
          &T::download,
          &T::copy,
          &T::sync,
          &T::plan_fft,
          &T::plan_propagator,
          &T::plan_free,
          &T::memory_available,
          &T::workers,
          nullptr,
          nullptr};
}

}  // namespace lumarch::sdk
