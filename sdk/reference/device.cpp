// SPDX-License-Identifier: Apache-2.0
#include "device.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace lumarch::reference {

namespace {

template <class Body>
lm_status guarded(lm_device* device, Body&& body) noexcept {
  if (!device) return LM_E_ARG;
  return sdk::fence([device](const char* text) { device->error = text; }, body);
}

lm_status count(const lm_host*, int32_t* n, char* why, uint32_t why_len) noexcept {
  if (!n) return LM_E_ARG;
  *n = 1;
  if (why && why_len) why[0] = 0;
  return LM_OK;
}

lm_status info(int32_t index, lm_device_info* out) noexcept {
  if (!out || out->struct_size < sizeof(lm_device_info) || index != 0) return LM_E_ARG;
  out->index = 0;
  out->caps = LM_CAP_FP64 | LM_CAP_HOST_MEMORY | LM_CAP_REPRODUCIBLE;
  out->memory_bytes = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  std::snprintf(out->name, sizeof(out->name), "plain C++, one thread");
  std::snprintf(out->id, sizeof(out->id), "reference:0");
  return LM_OK;
}

void* resolve(lm_device* device, lm_buffer buffer, uint64_t* bytes) noexcept {
  return device->memory.resolve(buffer, bytes);
}

lm_status open(const lm_host*, int32_t index, const lm_option* options, uint32_t n_options, lm_device** out, char* why,
               uint32_t why_len) noexcept {
  const auto note = [&](const char* text) {
    if (why && why_len) std::snprintf(why, why_len, "%s", text);
  };
  return sdk::fence(note, [&] {
    if (!out) throw sdk::Fault(LM_E_ARG, "no place for the device");
    if (index != 0) throw sdk::Fault(LM_E_NO_DEVICE, "the reference backend has one device, 0");
    for (uint32_t i = 0; i < n_options; ++i) {
      const std::string key = options[i].key, value = options[i].value;
      if (key == "threads" && (value == "0" || value == "1")) continue;
      throw sdk::Fault(LM_E_ARG,
                       "the reference backend runs on one thread and has no plans to choose: it does not take " + key +
                           " = " + value);
    }
    auto device = std::make_unique<lm_device>();
    device->exec = lm_exec{sizeof(lm_exec), 0, 1, 0, &resolve, nullptr};
    *out = device.release();
  });
}

void close(lm_device* device) noexcept { std::unique_ptr<lm_device>{device}; }

const char* last_error(lm_device* device) noexcept { return device ? device->error.c_str() : "no device"; }

const lm_exec* exec(lm_device* device) noexcept { return device ? &device->exec : nullptr; }

lm_status alloc(lm_device* device, uint64_t bytes, lm_buffer* out) noexcept {
  return guarded(device, [&] {
    if (!out) throw sdk::Fault(LM_E_ARG, "no place for the handle");
    *out = device->memory.alloc(bytes);
  });
}

lm_status free_buffer(lm_device* device, lm_buffer buffer) noexcept {
  return guarded(device, [&] { device->memory.free(buffer); });
}

lm_status upload(lm_device* device, lm_buffer to, uint64_t offset, const void* from, uint64_t bytes) noexcept {
  return guarded(device, [&] {
    std::byte* target = device->memory.range(to, offset, bytes);
    if (bytes && !from) throw sdk::Fault(LM_E_ARG, "nothing to upload from");
    if (bytes) std::memcpy(target, from, bytes);
  });
}

lm_status download(lm_device* device, lm_buffer from, uint64_t offset, void* to, uint64_t bytes) noexcept {
  return guarded(device, [&] {
    const std::byte* source = device->memory.range(from, offset, bytes);
    if (bytes && !to) throw sdk::Fault(LM_E_ARG, "nowhere to download to");
    if (bytes) std::memcpy(to, source, bytes);
  });
}

lm_status copy(lm_device* device, lm_buffer to, uint64_t to_offset, lm_buffer from, uint64_t from_offset,
               uint64_t bytes) noexcept {
  return guarded(device, [&] {
    std::byte* target = device->memory.range(to, to_offset, bytes);
    const std::byte* source = device->memory.range(from, from_offset, bytes);
    if (bytes) std::memmove(target, source, bytes);
  });
}

lm_status sync(lm_device* device) noexcept { return device ? LM_OK : LM_E_ARG; }

lm_plan* keep(lm_device* device, lm_plan plan) {
  device->plans.push_back(std::make_unique<lm_plan>(std::move(plan)));
  return device->plans.back().get();
}

lm_status plan_fft(lm_device* device, const lm_fft_desc* desc, lm_plan** plan, uint64_t* work_bytes) noexcept {
  return guarded(device, [&] {
    if (!desc || !plan || !work_bytes || desc->struct_size < sizeof(lm_fft_desc))
      throw sdk::Fault(LM_E_ARG, "plan_fft: an argument is missing or too short");
    if (desc->dtype != LM_C128) throw sdk::Fault(LM_E_UNSUPPORTED, "the reference backend has double precision only");
    if (desc->n < 1 || desc->n > (int64_t{1} << 30))
      throw sdk::Fault(LM_E_ARG, "plan_fft: n = " + std::to_string(desc->n) + " is not in 1 ... 2^30");
    if (desc->kind < LM_FFT_C2C || desc->kind > LM_FFT_C2R || (desc->direction != 1 && desc->direction != -1))
      throw sdk::Fault(LM_E_ARG, "plan_fft: unknown kind or direction");
    if ((desc->kind == LM_FFT_R2C && desc->direction != LM_FFT_FORWARD) ||
        (desc->kind == LM_FFT_C2R && desc->direction != LM_FFT_BACKWARD))
      throw sdk::Fault(LM_E_ARG, "plan_fft: r2c is forward and c2r backward");
    if (desc->in_place && desc->kind != LM_FFT_C2C)
      throw sdk::Fault(LM_E_UNSUPPORTED, "plan_fft: real transforms are out of place");
    *plan = keep(device, lm_plan{FftPlan{*desc, Fft(static_cast<std::size_t>(desc->n), desc->direction)}});
    *work_bytes = 0;
  });
}

lm_status plan_propagator(lm_device* device, const lm_propagator_desc* desc, lm_plan** plan,
                          uint64_t* work_bytes) noexcept {
  return guarded(device, [&] {
    if (!desc || !plan || !work_bytes || desc->struct_size < sizeof(lm_propagator_desc))
      throw sdk::Fault(LM_E_ARG, "plan_propagator: an argument is missing or too short");
    if (desc->D.dtype != LM_C128) throw sdk::Fault(LM_E_UNSUPPORTED, "plan_propagator: D is not complex double");
    *plan = keep(device, lm_plan{PropagatorPlan{*desc}});
    *work_bytes = 0;
  });
}

lm_status plan_free(lm_device* device, lm_plan* plan) noexcept {
  return guarded(device, [&] {
    const auto at = std::find_if(device->plans.begin(), device->plans.end(), [&](auto& p) { return p.get() == plan; });
    if (at == device->plans.end()) throw sdk::Fault(LM_E_ARG, "plan_free: no plan of this device");
    device->plans.erase(at);
  });
}

lm_status memory_available(lm_device* device, uint64_t* bytes) noexcept {
  return guarded(device, [&] {
    if (!bytes) throw sdk::Fault(LM_E_ARG, "no place for the number");
    *bytes = static_cast<uint64_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  });
}

uint32_t workers(lm_device*) noexcept { return 1; }

}  // namespace

const lm_device_api device_api = {sizeof(lm_device_api),
                                  0,
                                  &count,
                                  &info,
                                  &open,
                                  &close,
                                  &last_error,
                                  &exec,
                                  &alloc,
                                  &free_buffer,
                                  &upload,
                                  &download,
                                  &copy,
                                  &sync,
                                  &plan_fft,
                                  &plan_propagator,
                                  &plan_free,
                                  &memory_available,
                                  &workers,
                                  nullptr,
                                  nullptr};

}  // namespace lumarch::reference
