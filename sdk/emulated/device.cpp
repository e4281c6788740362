// SPDX-License-Identifier: Apache-2.0
// The device table of the emulated device.
#include "device.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include <lumarch/launch/table.hpp>
#include <lumarch/machine_memory.hpp>

#include "counters.h"

namespace {

void* resolve(lm_device* device, lm_buffer buffer, uint64_t* bytes) noexcept {
  return device ? device->memory.resolve(buffer, bytes) : nullptr;
}

}  // namespace

lm_device::lm_device(const lumarch::emulated::Options& given, const lm_host* on)
    : options(given), memory(given.guard_at_end), launcher(options), queue(options, counts), host_(on) {
  exec = lm_exec{sizeof(lm_exec), 0, options.workers, 0, &resolve, nullptr};
}

lm_device::~lm_device() {
  if ((counts.buffers == 0 && plans.empty()) || !host_ || !LM_HAS(host_, log)) return;
  char text[120];
  std::snprintf(text, sizeof text, "closed with %llu buffers and %zu plans that nobody freed",
                static_cast<unsigned long long>(counts.buffers.load()), plans.size());
  host_->log(host_->ctx, LM_LOG_WARN, text);
}

void lm_device::called(const char* what) {
  if (++calls_ == options.lose_call)
    queue.lose("the device was lost in call " + std::to_string(calls_) + ", " + what + ", as lose_call asked for");
}

void lm_device::transfer(const char* what) {
  if (++transfers_ == options.fail_copy)
    throw lumarch::sdk::Fault(
        LM_E_DRIVER, "transfer " + std::to_string(transfers_) + ", " + what + ", fails as fail_copy asked for");
}

std::shared_ptr<const lm_plan> lm_device::find(const lm_plan& plan) const {
  const auto at = std::find_if(plans.begin(), plans.end(), [&](const auto& known) { return known.get() == &plan; });
  return at == plans.end() ? nullptr : *at;
}

// As near to a guard as a buffer is, and NaN before each use.
double* lm_device::partials(std::size_t doubles) {
  std::uint64_t bytes = 0;
  auto* base = static_cast<double*>(memory.resolve(partials_, &bytes));
  if (!base || bytes / sizeof(double) < doubles) {
    partials_ = memory.alloc(doubles * sizeof(double));
    base = static_cast<double*>(memory.resolve(partials_, &bytes));
  }
  if (options.guard_at_end) base += bytes / sizeof(double) - doubles;
  queue.put(lumarch::emulated::Kind::transfer, typeid(double),
            [base, doubles] { std::memset(lumarch::emulated::device_address(base), 0xFF, doubles * sizeof(double)); });
  return base;
}

namespace lumarch::emulated {

using sdk::Fault;

namespace {

template <class Body>
lm_status guarded(lm_device* device, Body&& body) noexcept {
  if (!device) return LM_E_ARG;
  return sdk::fence([device](const char* text) { device->error = text; }, body);
}

lm_status count(const lm_host*, int32_t* n, char* why, uint32_t why_len) noexcept {
  if (!n) return LM_E_ARG;
  *n = 0;
  const auto note = [&](const char* text) {
    if (why && why_len) std::snprintf(why, why_len, "%s", text);
  };
  note("");
  return sdk::fence(note, [&] {
    *n = options_of_environment().devices;
    if (*n == 0) note("LUMARCH_EMULATED says devices=0");
  });
}

lm_status info(int32_t index, lm_device_info* out) noexcept {
  if (!out || out->struct_size < sizeof(lm_device_info) || index != 0) return LM_E_ARG;
  out->index = 0;
  out->caps = LM_CAP_ASYNC | LM_CAP_FP64 | LM_CAP_REPRODUCIBLE;
  out->memory_bytes = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  std::snprintf(out->name, sizeof(out->name), "a device without a device, for tests");
  std::snprintf(out->id, sizeof(out->id), "emulated:0");
  return LM_OK;
}

lm_status open(const lm_host* host, int32_t index, const lm_option* options, uint32_t n_options, lm_device** out,
               char* why, uint32_t why_len) noexcept {
  const auto note = [&](const char* text) {
    if (why && why_len) std::snprintf(why, why_len, "%s", text);
  };
  return sdk::fence(note, [&] {
    if (!out) throw Fault(LM_E_ARG, "no place for the device");
    if (n_options && !options) throw Fault(LM_E_ARG, "the options are missing");
    Options all = options_of_environment();
    for (uint32_t i = 0; i < n_options; ++i) {
      if (!options[i].key || !options[i].value) throw Fault(LM_E_ARG, "an option has no key or no value");
      all.set(options[i].key, options[i].value);
    }
    if (index < 0 || index >= all.devices)
      throw Fault(LM_E_NO_DEVICE,
                  all.devices ? "the emulated backend has one device, 0" : "LUMARCH_EMULATED says devices=0");
    *out = std::make_unique<lm_device>(all, host).release();
  });
}

void close(lm_device* device) noexcept { std::unique_ptr<lm_device>{device}; }

const char* last_error(lm_device* device) noexcept { return device ? device->error.c_str() : "no device"; }

const lm_exec* exec(lm_device* device) noexcept { return device ? &device->exec : nullptr; }

lm_status alloc(lm_device* device, uint64_t bytes, lm_buffer* out) noexcept {
  return guarded(device, [&] {
    if (!out) throw Fault(LM_E_ARG, "no place for the handle");
    device->called("alloc");
    device->queue.need_device();
    if (++device->counts.allocations == device->options.fail_alloc)
      throw Fault(LM_E_NOMEM, "allocation " + std::to_string(device->options.fail_alloc) + ", of " +
                                  std::to_string(bytes) + " bytes, fails as fail_alloc asked for");
    Counts& counts = device->counts;
    if (const uint64_t all = device->options.memory; all != 0 && bytes > all - std::min(all, counts.bytes.load()))
      throw Fault(LM_E_NOMEM, std::to_string(bytes) + " bytes are more than is left of the " + std::to_string(all) +
                                  " that the option memory gives");
    *out = device->memory.alloc(bytes);
    ++counts.buffers;
    counts.bytes += bytes;
    counts.most_bytes = std::max(counts.most_bytes.load(), counts.bytes.load());
    device->queue.changed();
  });
}

lm_status free_buffer(lm_device* device, lm_buffer buffer) noexcept {
  return guarded(device, [&] {
    uint64_t bytes = 0;
    (void)device->memory.resolve(buffer, &bytes);
    const Memory::Pages pages = device->memory.retire(buffer);
    ++device->counts.frees;
    --device->counts.buffers;
    device->counts.bytes -= bytes;
    device->queue.changed();
    device->queue.put(Kind::housekeeping, typeid(pages), [device, pages] { device->memory.unmap(pages); });
  });
}

lm_status upload(lm_device* device, lm_buffer to, uint64_t offset, const void* from, uint64_t bytes) noexcept {
  return guarded(device, [&] {
    std::byte* const target = device->memory.range(to, offset, bytes);
    if (bytes && !from) throw Fault(LM_E_ARG, "nothing to upload from");
    device->called("upload");
    device->queue.need_device();
    device->transfer("upload");
    ++device->counts.uploads;
    device->counts.bytes_up += bytes;
    if (!bytes) return;
    const auto* const begin = static_cast<const std::byte*>(from);
    const auto kept = std::make_shared<const std::vector<std::byte>>(begin, begin + bytes);
    device->queue.put(Kind::transfer, typeid(lm_buffer),
                      [target, kept] { std::memcpy(target, kept->data(), kept->size()); });
  });
}

lm_status download(lm_device* device, lm_buffer from, uint64_t offset, void* to, uint64_t bytes) noexcept {
  return guarded(device, [&] {
    const std::byte* const source = device->memory.range(from, offset, bytes);
    if (bytes && !to) throw Fault(LM_E_ARG, "nowhere to download to");
    device->called("download");
    device->transfer("download");
    ++device->counts.downloads;
    ++device->counts.waits;
    device->queue.wait();
    device->counts.bytes_down += bytes;
    if (bytes) std::memcpy(to, source, bytes);
  });
}

lm_status copy(lm_device* device, lm_buffer to, uint64_t to_offset, lm_buffer from, uint64_t from_offset,
               uint64_t bytes) noexcept {
  return guarded(device, [&] {
    std::byte* const target = device->memory.range(to, to_offset, bytes);
    const std::byte* const source = device->memory.range(from, from_offset, bytes);
    device->called("copy");
    device->queue.need_device();
    device->transfer("copy");
    ++device->counts.copies;
    device->counts.bytes_copied += bytes;
    if (!bytes) return;
    device->queue.put(Kind::transfer, typeid(lm_buffer),
                      [target, source, bytes] { std::memmove(target, source, bytes); });
  });
}

lm_status sync(lm_device* device) noexcept {
  return guarded(device, [&] {
    device->called("sync");
    ++device->counts.waits;
    device->queue.wait();
  });
}

lm_plan* keep(lm_device* device, lm_plan plan) {
  device->queue.changed();
  auto kept = std::make_shared<lm_plan>(std::move(plan));
  device->plans.push_back(kept);
  return kept.get();
}

lm_status plan_fft(lm_device* device, const lm_fft_desc* desc, lm_plan** plan, uint64_t* work_bytes) noexcept {
  return guarded(device, [&] {
    device->called("plan_fft");
    device->queue.need_device();
    if (!desc || !plan || !work_bytes || desc->struct_size < sizeof(lm_fft_desc))
      throw Fault(LM_E_ARG, "plan_fft: an argument is missing or too short");
    if (desc->dtype != LM_C128) throw Fault(LM_E_UNSUPPORTED, "the emulated device has double precision only");
    if (desc->n < 1 || desc->n > (int64_t{1} << 30))
      throw Fault(LM_E_ARG, "plan_fft: n = " + std::to_string(desc->n) + " is not in 1 ... 2^30");
    if (desc->kind < LM_FFT_C2C || desc->kind > LM_FFT_C2R || (desc->direction != 1 && desc->direction != -1))
      throw Fault(LM_E_ARG, "plan_fft: unknown kind or direction");
    if ((desc->kind == LM_FFT_R2C && desc->direction != LM_FFT_FORWARD) ||
        (desc->kind == LM_FFT_C2R && desc->direction != LM_FFT_BACKWARD))
      throw Fault(LM_E_ARG, "plan_fft: r2c is forward and c2r backward");
    if (desc->in_place && desc->kind != LM_FFT_C2C)
      throw Fault(LM_E_UNSUPPORTED, "plan_fft: real transforms are out of place");
    *plan = keep(device, {FftPlan{*desc, reference::Fft(static_cast<std::size_t>(desc->n), desc->direction)}});
    *work_bytes = launch::fft_work(*desc);
  });
}

lm_status plan_propagator(lm_device* device, const lm_propagator_desc* desc, lm_plan** plan,
                          uint64_t* work_bytes) noexcept {
  return guarded(device, [&] {
    device->called("plan_propagator");
    device->queue.need_device();
    if (!desc || !plan || !work_bytes || desc->struct_size < sizeof(lm_propagator_desc))
      throw Fault(LM_E_ARG, "plan_propagator: an argument is missing or too short");
    if (desc->D.dtype != LM_C128) throw Fault(LM_E_UNSUPPORTED, "plan_propagator: D is not complex double");
    *plan = keep(device, {PropagatorPlan{*desc}});
    *work_bytes = 0;
  });
}

// What is in the queue keeps the plan until it has run.
lm_status plan_free(lm_device* device, lm_plan* plan) noexcept {
  return guarded(device, [&] {
    if (!plan || !device->find(*plan)) throw Fault(LM_E_ARG, "plan_free: no plan of this device");
    std::erase_if(device->plans, [&](const auto& known) { return known.get() == plan; });
    device->queue.changed();
  });
}

lm_status memory_available(lm_device* device, uint64_t* bytes) noexcept {
  return guarded(device, [&] {
    if (!bytes) throw Fault(LM_E_ARG, "no place for the number");
    *bytes = std::min(machine::memory().available, device->memory.addresses_left());
    if (const uint64_t all = device->options.memory; all != 0)
      *bytes = std::min(*bytes, all - std::min(all, device->counts.bytes.load()));
  });
}

uint32_t workers(lm_device* device) noexcept { return device ? device->options.workers : 1; }

// As much of it as the caller knows.
lm_status read_counters(lm_device* device, lumarch_emulated_counts* out) noexcept {
  constexpr std::size_t first = offsetof(lumarch_emulated_counts, buffers);
  if (!device || !out || out->struct_size < first) return LM_E_ARG;
  const Counts& c = device->counts;
  const lumarch_emulated_counts all = {
      out->struct_size, 0,         c.elements,           c.blocks,    c.transforms, c.waits,  c.allocations,
      c.frees,          c.uploads, c.bytes_up,           c.downloads, c.bytes_down, c.copies, c.bytes_copied,
      c.replays,        c.buffers, device->plans.size(), c.bytes,     c.most_bytes};
  std::memcpy(out, &all, std::min<std::size_t>(out->struct_size, sizeof all));
  return LM_OK;
}

constexpr lumarch_emulated_counters counters = {sizeof(lumarch_emulated_counters), 0, &read_counters};

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
                                  &launch::run_list<Emulated>};

const void* extension(const char* id) noexcept {
  return id && std::strcmp(id, LUMARCH_EMULATED_COUNTERS) == 0 ? &counters : nullptr;
}

}  // namespace lumarch::emulated
