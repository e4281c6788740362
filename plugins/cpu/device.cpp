// SPDX-License-Identifier: Apache-2.0
// The device table: what there is, how it opens, memory and plans.
#include "device.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "machine.hpp"

namespace {
void* resolve(lm_device* device, lm_buffer buffer, uint64_t* bytes) noexcept {
  return device->memory.resolve(buffer, bytes);
}
}  // namespace

lm_device::lm_device(const lumarch::cpu::Host& on, const lumarch::cpu::RowFunctions& with, unsigned count,
                     lumarch::cpu::Effort plans_by)
    : host(on),
      rows(with),
      threads(count),
      effort(plans_by),
      wisdom(on, on.cache_directory()),
      own(*with.fft, count),
      errors(count) {
  for (unsigned worker = 0; worker < threads; ++worker)
    exec.push_back({sizeof(lm_exec), worker, threads, 0, &resolve, nullptr});
  if (threads > 1) pool = std::make_unique<lumarch::cpu::Threads>(threads);
}

namespace lumarch::cpu {
namespace {

using sdk::Fault;

void say(char* why, uint32_t why_len, const char* text) {
  if (why && why_len) std::snprintf(why, why_len, "%s", text);
}

std::string name_of(unsigned threads, const RowFunctions& rows) {
  return std::to_string(threads) + (threads == 1 ? " thread, " : " threads, ") + rows.name;
}

// To `why`, for a caller that has no device yet.
auto saying(char* why, uint32_t why_len) {
  return [=](const char* text) { say(why, why_len, text); };
}

lm_status count(const lm_host*, int32_t* n, char* why, uint32_t why_len) noexcept {
  if (!n) return LM_E_ARG;
  *n = 0;
  const lm_status status = sdk::fence(saying(why, why_len), [&] {
    (void)choose_rows();
    *n = 1;
  });
  return status == LM_E_NO_DEVICE || status == LM_E_ARG ? LM_OK : status;
}

lm_status info(int32_t index, lm_device_info* info) noexcept {
  if (index != 0) return LM_E_NO_DEVICE;
  if (!info || info->struct_size < sizeof(lm_device_info)) return LM_E_ARG;
  return sdk::fence(saying(nullptr, 0), [&] {
    info->index = 0;
    info->caps = LM_CAP_FP64 | LM_CAP_HOST_MEMORY | LM_CAP_REPRODUCIBLE;
    info->memory_bytes = memory_total();
    std::snprintf(info->name, sizeof info->name, "%s", name_of(usable_threads(), choose_rows()).c_str());
    std::snprintf(info->id, sizeof info->id, "cpu:0");
  });
}

struct Options {
  unsigned threads = 0;
  Effort effort = Effort::automatic;
};

Options read(const lm_option* options, uint32_t n) {
  Options out;
  if (n && !options) throw Fault(LM_E_ARG, "the options are missing");
  for (uint32_t i = 0; i < n; ++i) {
    if (!options[i].key || !options[i].value) throw Fault(LM_E_ARG, "an option without a key or a value");
    const std::string_view key = options[i].key, value = options[i].value;
    if (key == "threads") {
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), out.threads);
      if (error != std::errc() || end != value.data() + value.size() || out.threads > most_threads)
        throw Fault(LM_E_ARG, "threads = \"" + std::string(value) + "\": a number from 1 to " +
                                  std::to_string(most_threads) + ", or 0 for all of the machine");
    } else if (key == "plan") {
      if (value != "estimate" && value != "measure" && value != "patient")
        throw Fault(LM_E_ARG, "plan = \"" + std::string(value) + "\": estimate, measure or patient");
      out.effort = value == "estimate" ? Effort::estimate : value == "measure" ? Effort::measure : Effort::patient;
    } else {
      throw Fault(LM_E_ARG, "unknown option \"" + std::string(key) + "\"; there are threads and plan");
    }
  }
  if (out.threads == 0) out.threads = usable_threads();
  return out;
}

// LUMARCH_CPU_TRANSFORMS = own or fftw: fftw takes FFTW for all lengths, to compare with.
bool with_own_transforms() {
  const char* const which = std::getenv("LUMARCH_CPU_TRANSFORMS");
  if (!which || !*which || std::string_view(which) == "own") return true;
  if (std::string_view(which) == "fftw") return false;
  throw Fault(LM_E_ARG, std::string("LUMARCH_CPU_TRANSFORMS=") + which + " is neither own nor fftw");
}

lm_status open(const lm_host* host, int32_t index, const lm_option* options, uint32_t n_options, lm_device** device,
               char* why, uint32_t why_len) noexcept {
  return sdk::fence(saying(why, why_len), [&] {
    if (!device) throw Fault(LM_E_ARG, "no place for the device");
    *device = nullptr;
    if (index != 0) throw Fault(LM_E_NO_DEVICE, "there is one device, number 0");
    const Options asked = read(options, n_options);
    auto made = std::make_unique<lm_device>(Host(host), choose_rows(), asked.threads, asked.effort);
    made->own.enabled = with_own_transforms();
    *device = made.release();
  });
}

void close(lm_device* device) noexcept { std::unique_ptr<lm_device>{device}.reset(); }

const char* last_error(lm_device* device) noexcept { return device ? device->errors[0].c_str() : "no device"; }
const lm_exec* exec(lm_device* device) noexcept { return device->exec.data(); }

// Body behind the fence, its fault noted.
template <class Body>
lm_status noted(lm_device* device, Body&& body) noexcept {
  if (!device) return LM_E_ARG;
  const auto note = [&](const char* text) { device->note(text); };
  return sdk::fence(note, body);
}

// Large pages for large buffers: fewer misses in long strided passes. Only advice, so a refusal is no fault.
void advise(std::byte* data, uint64_t bytes) {
  constexpr std::uintptr_t page = std::uintptr_t{1} << 21;
  const auto begin = (reinterpret_cast<std::uintptr_t>(data) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(data) + bytes) / page * page;
  if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

lm_status alloc(lm_device* device, uint64_t bytes, lm_buffer* buffer) noexcept {
  return noted(device, [&] {
    if (!buffer) throw Fault(LM_E_ARG, "no place for the handle");
    *buffer = device->memory.alloc(bytes);
    if (bytes >= (uint64_t{4} << 20)) advise(device->memory.range(*buffer, 0, bytes), bytes);
  });
}

lm_status free_buffer(lm_device* device, lm_buffer buffer) noexcept {
  return noted(device, [&] { device->memory.free(buffer); });
}

lm_status upload(lm_device* device, lm_buffer to, uint64_t offset, const void* from, uint64_t bytes) noexcept {
  return noted(device, [&] {
    std::byte* at = device->memory.range(to, offset, bytes);
    if (bytes && !from) throw Fault(LM_E_ARG, "nothing to upload from");
    if (bytes) std::memcpy(at, from, bytes);
  });
}

lm_status download(lm_device* device, lm_buffer from, uint64_t offset, void* to, uint64_t bytes) noexcept {
  return noted(device, [&] {
    const std::byte* at = device->memory.range(from, offset, bytes);
    if (bytes && !to) throw Fault(LM_E_ARG, "nowhere to download to");
    if (bytes) std::memcpy(to, at, bytes);
  });
}

lm_status copy(lm_device* device, lm_buffer to, uint64_t to_offset, lm_buffer from, uint64_t from_offset,
               uint64_t bytes) noexcept {
  return noted(device, [&] {
    std::byte* out = device->memory.range(to, to_offset, bytes);
    const std::byte* in = device->memory.range(from, from_offset, bytes);
    if (bytes) std::memmove(out, in, bytes);
  });
}

lm_status sync(lm_device*) noexcept { return LM_OK; }

lm_status plan_fft(lm_device* device, const lm_fft_desc* desc, lm_plan** plan, uint64_t* work_bytes) noexcept {
  return noted(device, [&] {
    if (!desc || desc->struct_size < sizeof(lm_fft_desc)) throw Fault(LM_E_ARG, "the description is missing or short");
    if (!plan || !work_bytes) throw Fault(LM_E_ARG, "no place for the plan");
    const JobsIn jobs_in(device->pool.get());  // a measurement runs as the transform will
    device->plans.push_back(std::unique_ptr<lm_plan>(
        new lm_plan{device, Fft(device->host, device->wisdom, device->effort, device->own, *desc)}));
    *plan = device->plans.back().get();
    // Transforms need none; the Raman kernels, which have no other way to say what they need, are asked for here.
    *work_bytes = desc->kind == LM_FFT_R2C ? raman_work(desc->n) : 0;
  });
}

lm_status plan_propagator(lm_device* device, const lm_propagator_desc* desc, lm_plan** plan,
                          uint64_t* work_bytes) noexcept {
  return noted(device, [&] {
    if (!desc || desc->struct_size < sizeof(lm_propagator_desc))
      throw Fault(LM_E_ARG, "the description is missing or short");
    if (!plan || !work_bytes) throw Fault(LM_E_ARG, "no place for the plan");
    if (desc->D.dtype != LM_C128) throw Fault(LM_E_ARG, "the operator is c128");
    device->plans.push_back(std::unique_ptr<lm_plan>(new lm_plan{device, *desc}));
    *plan = device->plans.back().get();
    *work_bytes = 0;
  });
}

lm_status plan_free(lm_device* device, lm_plan* plan) noexcept {
  return noted(device, [&] {
    if (std::erase_if(device->plans, [&](const auto& own) { return own.get() == plan; }) == 0)
      throw Fault(LM_E_ARG, "no plan of this device");
  });
}

lm_status available(lm_device* device, uint64_t* bytes) noexcept {
  return noted(device, [&] {
    if (!bytes) throw Fault(LM_E_ARG, "no place for the answer");
    *bytes = memory_available();
    if (const uint64_t budget = device->host.memory_budget())
      *bytes = std::min(*bytes, budget > device->memory.used() ? budget - device->memory.used() : 0);
  });
}

uint32_t workers(lm_device* device) noexcept { return device->threads; }

// At least a member a thread, and beyond that what stays in half of the last cache, a multiple of the threads.
uint32_t preferred_members(lm_device* device, uint64_t bytes_a_member) noexcept {
  const uint64_t fit = last_level_cache_bytes() / 2 / std::max<uint64_t>(bytes_a_member, 1);
  const uint64_t rounds = std::clamp<uint64_t>(fit / device->threads, 1, 4096);
  return static_cast<uint32_t>(rounds * device->threads);
}

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
                                  &available,
                                  &workers,
                                  &preferred_members,
                                  &run_list};

}  // namespace lumarch::cpu
