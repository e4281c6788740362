// SPDX-License-Identifier: Apache-2.0
// The device table of a GPU backend.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include <lumarch/launch/transforms.hpp>

#include "device.hpp"

namespace lumarch::gpu {

template <class R>
struct Table {
  using Fault = sdk::Fault;
  using DeviceType = typename AbiTypes<R>::Device;

  // To `why`, for a caller that has no device yet.
  static auto saying(char* why, std::uint32_t why_len) {
    return [=](const char* text) {
      if (why && why_len) std::snprintf(why, why_len, "%s", text);
    };
  }

  static lm_status count(const lm_host*, std::int32_t* n, char* why, std::uint32_t why_len) noexcept {
    if (!n) return LM_E_ARG;
    *n = 0;
    if (why && why_len) why[0] = 0;
    const auto say = saying(why, why_len);
    return sdk::fence(say, [&] {
      int found = 0;
      const int code = R::count(&found);
      if (code == 0 && found > 0)
        *n = found;
      else
        say(R::why_none(code).c_str());
    });
  }

  static lm_status info(std::int32_t index, lm_device_info* out) noexcept {
    if (!out || out->struct_size < sizeof(lm_device_info)) return LM_E_ARG;
    lm_status status = LM_OK;
    const lm_status fault =
        sdk::fence([](const char*) {},
                   [&] {
                     int found = 0;
                     Properties properties;
                     if (R::count(&found) != 0 || index < 0 || index >= found || R::describe(index, &properties) != 0) {
                       status = LM_E_NO_DEVICE;
                       return;
                     }
                     out->index = index;
                     // Not REPRODUCIBLE: sums are, but the library may transform a row by another algorithm in another
                     // batch.
                     out->caps = LM_CAP_ASYNC | (properties.fast_doubles ? LM_CAP_FP64 : 0);
                     out->memory_bytes = properties.memory_bytes;
                     std::snprintf(out->name, sizeof out->name, "%s", properties.name.c_str());
                     std::snprintf(out->id, sizeof out->id, "%s:%d", R::backend, index);
                   });
    return fault != LM_OK ? fault : status;
  }

  static void read(const lm_option* options, std::uint32_t n) {
    if (n && !options) throw Fault(LM_E_ARG, "the options are missing");
    for (std::uint32_t i = 0; i < n; ++i) {
      if (!options[i].key || !options[i].value) throw Fault(LM_E_ARG, "an option without a key or a value");
      const std::string key = options[i].key, value = options[i].value;
      if (key == "threads" && (value == "0" || value == "1")) continue;
      if (key == "threads")
        throw Fault(LM_E_ARG, "threads = \"" + value + "\": the " + R::backend +
                                  " backend has no threads to choose, one of the host's serves it; leave it out, or 1");
      if (key == "plan")
        throw Fault(LM_E_ARG, "plan = \"" + value + "\": the " + R::backend +
                                  " backend plans without measuring, so there is nothing to choose; leave it out");
      throw Fault(LM_E_ARG, "unknown option \"" + key + "\"; there is threads (0 or 1)");
    }
  }

  static lm_status open(const lm_host* host, std::int32_t index, const lm_option* options, std::uint32_t n_options,
                        lm_device** device, char* why, std::uint32_t why_len) noexcept {
    return sdk::fence(saying(why, why_len), [&] {
      if (!device) throw Fault(LM_E_ARG, "no place for the device");
      *device = nullptr;
      read(options, n_options);
      int found = 0;
      const int code = R::count(&found);
      if (code != 0 || found < 1) throw Fault(LM_E_NO_DEVICE, R::why_none(code));
      if (index < 0 || index >= found)
        throw Fault(LM_E_NO_DEVICE,
                    "there is no device " + std::to_string(index) + "; the last one is " + std::to_string(found - 1));
      if (const std::string not_this = R::why_not(index); !not_this.empty()) throw Fault(LM_E_NO_DEVICE, not_this);
      const Current<R> here(index);
      auto made = std::make_unique<DeviceType>(host, index, &resolve);
      *device = made.release();
    });
  }
  static void close(lm_device* device) noexcept {
    if (device) delete_device(device);
  }
  static const char* last_error(lm_device* device) noexcept {
    return device ? of<R>(*device).noted().c_str() : "no device";
  }
  static const lm_exec* exec(lm_device* device) noexcept { return device ? &of<R>(*device).exec() : nullptr; }

  static lm_status alloc(lm_device* device, std::uint64_t bytes, lm_buffer* buffer) noexcept {
    return entry(device, [&](Device<R>& self) {
      if (!buffer) throw Fault(LM_E_ARG, "no place for the handle");
      *buffer = self.memory().alloc(bytes);
    });
  }
  static lm_status free(lm_device* device, lm_buffer buffer) noexcept {
    // Also of a device that is lost: the handle goes.
    return guarded(device, [&](Device<R>& self) { self.memory().free(buffer); });
  }
  static lm_status upload(lm_device* device, lm_buffer to, std::uint64_t offset, const void* from,
                          std::uint64_t bytes) noexcept {
    return entry(device, [&](Device<R>& self) { self.memory().upload(to, offset, from, bytes); });
  }
  static lm_status download(lm_device* device, lm_buffer from, std::uint64_t offset, void* to,
                            std::uint64_t bytes) noexcept {
    return entry(device, [&](Device<R>& self) { self.memory().download(from, offset, to, bytes); });
  }
  static lm_status copy(lm_device* device, lm_buffer to, std::uint64_t to_offset, lm_buffer from,
                        std::uint64_t from_offset, std::uint64_t bytes) noexcept {
    return entry(device, [&](Device<R>& self) { self.memory().copy(to, to_offset, from, from_offset, bytes); });
  }
  static lm_status sync(lm_device* device) noexcept {
    return entry(device, [](Device<R>& self) { self.memory().wait(); });
  }

  static lm_status plan_fft(lm_device* device, const lm_fft_desc* desc, lm_plan** plan, std::uint64_t* work) noexcept {
    return entry(device, [&](Device<R>& self) {
      if (!desc || desc->struct_size < sizeof(lm_fft_desc))
        throw Fault(LM_E_ARG, "the description is missing or short");
      if (!plan || !work) throw Fault(LM_E_ARG, "no place for the plan");
      check_transform(*desc);
      FftPlan<R> made(*desc);
      made.prepare(self);
      *plan = self.keep(std::move(made));
      *work = launch::fft_work(*desc);
    });
  }
  static lm_status plan_propagator(lm_device* device, const lm_propagator_desc* desc, lm_plan** plan,
                                   std::uint64_t* work) noexcept {
    return entry(device, [&](Device<R>& self) {
      if (!desc || desc->struct_size < sizeof(lm_propagator_desc))
        throw Fault(LM_E_ARG, "the description is missing or short");
      if (!plan || !work) throw Fault(LM_E_ARG, "no place for the plan");
      if (desc->D.dtype != LM_C128) throw Fault(LM_E_ARG, "the operator is c128");
      *plan = self.keep(*desc);
      *work = 0;
    });
  }
  static lm_status plan_free(lm_device* device, lm_plan* plan) noexcept {
    return guarded(device, [&](Device<R>& self) { self.free_plan(plan); });
  }

  static lm_status memory_available(lm_device* device, std::uint64_t* bytes) noexcept {
    return entry(device, [&](Device<R>& self) {
      if (!bytes) throw Fault(LM_E_ARG, "no place for the answer");
      *bytes = self.memory().available();
    });
  }
  static std::uint32_t workers(lm_device* device) noexcept { return device ? of<R>(*device).workers() : 0; }
  // All there are: a launch takes any number of members, and the pieces that stay in the cache are made inside it.
  static std::uint32_t preferred_members(lm_device*, std::uint64_t) noexcept { return 0; }

  // `run` is the shells' run_list, which only nvcc and hipcc compile.
  static constexpr lm_device_api api(decltype(lm_device_api::run) run) {
    return {sizeof(lm_device_api),
            0,
            &count,
            &info,
            &open,
            &close,
            &last_error,
            &exec,
            &alloc,
            &free,
            &upload,
            &download,
            &copy,
            &sync,
            &plan_fft,
            &plan_propagator,
            &plan_free,
            &memory_available,
            &workers,
            &preferred_members,
            run};
  }

private:
  static void* resolve(lm_device* device, lm_buffer buffer, std::uint64_t* bytes) noexcept {
    return of<R>(*device).memory().resolve(buffer, bytes);
  }
  static void delete_device(lm_device* device) noexcept {
    std::unique_ptr<DeviceType>{static_cast<DeviceType*>(device)};
  }

  // Body behind the fence, on the device, its fault noted; entry() also refuses a device that is lost.
  template <class Body>
  static lm_status guarded(lm_device* device, Body&& body) noexcept {
    if (!device) return LM_E_ARG;
    Device<R>& self = of<R>(*device);
    return sdk::fence([&](const char* text) { self.note(text); },
                      [&] {
                        const Current<R> here(self.index());
                        body(self);
                      });
  }
  template <class Body>
  static lm_status entry(lm_device* device, Body&& body) noexcept {
    return guarded(device, [&](Device<R>& self) {
      self.usable();
      body(self);
    });
  }
};

}  // namespace lumarch::gpu
