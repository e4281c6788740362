// SPDX-License-Identifier: Apache-2.0
// table.*: the functions of the device table, asked wrongly. An error with words, never a crash.
#include <algorithm>
#include <limits>
#include <random>

#include <cstring>

#include "backend/device.hpp"
#include "open_device.hpp"
#include "scene.hpp"

namespace lumarch::conform {

namespace {

constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();

void arg(lm_status status, const std::string& what) {
  expect(status == LM_E_ARG, what + " answers " + status_text(status) + ", not LM_E_ARG");
}
void refused(lm_status status, const std::string& what) {
  expect(status < 0, what + " answers " + status_text(status));
}

void count(const Context& context) {
  const LoadedBackend& b = context.candidate();
  char why[4] = {'x', 'x', 'x', 'x'};
  std::int32_t n = -1;
  arg(b.plugin->device->count(b.host, nullptr, why, sizeof why), "count into NULL");
  expect(b.plugin->device->count(b.host, &n, nullptr, 0) == LM_OK && n >= 0, "count without a place for the reason");
  why[2] = 'x';
  expect(b.plugin->device->count(b.host, &n, why, 2) == LM_OK && why[2] == 'x', "count writes behind why_len");
}

// A zero-terminated line of UTF-8.
template <std::size_t n>
void text_in(const char (&text)[n], const std::string& what) {
  expect(std::memchr(text, 0, n) != nullptr, "info: the " + what + " has no end");
  expect(text[0] != 0, "info: the " + what + " is empty");
  expect(plugin_text(text) == text,
         "info: the " + what + " has control characters, or is no UTF-8: " + plugin_text(text));
}

void info(const Context& context) {
  const lm_device_api& api = *context.candidate().plugin->device;
  std::int32_t n = 0;
  expect(api.count(context.candidate().host, &n, nullptr, 0) == LM_OK, "count fails");
  lm_device_info info{};
  info.struct_size = sizeof info;
  refused(api.info(n, &info), "info of a device behind the last");
  refused(api.info(-1, &info), "info of device -1");
  if (n == 0) throw Skipped("there is no device");
  arg(api.info(0, nullptr), "info into NULL");
  info = {};
  info.struct_size = 4;
  arg(api.info(0, &info), "info into a short struct");
  expect(info.caps == 0 && info.name[0] == 0, "info writes into a struct that is too short");
  std::memset(&info, 0x2A, sizeof info);
  info.struct_size = sizeof info;
  expect(api.info(0, &info) == LM_OK, "info of device 0 fails");
  expect(info.index == 0, "info of device 0 says that it is device " + std::to_string(info.index));
  text_in(info.name, "name");
  text_in(info.id, "id");
}

void open(const Context& context) {
  const LoadedBackend& b = context.candidate();
  const lm_device_api& api = *b.plugin->device;
  char why[128] = "";
  lm_device* device = nullptr;
  arg(api.open(b.host, 0, nullptr, 0, nullptr, why, sizeof why), "open into NULL");
  refused(api.open(b.host, 1000, nullptr, 0, &device, why, sizeof why), "open of device 1000");
  expect(why[0], "open of device 1000 gives no reason");
  refused(api.open(b.host, -1, nullptr, 0, &device, nullptr, 0), "open of device -1");
  for (const auto& [key, value] :
       {std::pair{"no.such.option", "1"}, {"threads", "banana"}, {"threads", "-1"}, {"plan", "banana"}}) {
    const lm_option option = {key, value};
    why[0] = 0;
    arg(api.open(b.host, 0, &option, 1, &device, why, sizeof why), std::string("open with ") + key + " = " + value);
    expect(why[0], std::string("open with ") + key + " = " + value + " gives no reason");
  }
}

void memory(const Context& context) {
  const OpenDevice d(context.candidate(), {});
  const lm_device_api& api = d.api();
  lm_device* const device = d.handle();
  char bytes[64] = {};
  lm_buffer buffer = d.alloc(64), other = d.alloc(32);
  arg(api.alloc(device, 8, nullptr), "alloc into NULL");
  lm_buffer none = 0;
  refused(api.alloc(device, std::uint64_t{1} << 60, &none), "alloc of 2^60 bytes");
  expect(!d.error().empty(), "alloc of 2^60 bytes: last_error is empty");
  refused(api.alloc(device, huge, &none), "alloc of 2^64 - 1 bytes");
  for (const auto& [offset, size] :
       {std::pair{std::uint64_t{1}, std::uint64_t{64}}, {65, 0}, {0, 65}, {huge, 2}, {2, huge}}) {
    const std::string range = " of " + std::to_string(size) + " bytes at " + std::to_string(offset) + " of 64";
    arg(api.upload(device, buffer, offset, bytes, size), "upload" + range);
    arg(api.download(device, buffer, offset, bytes, size), "download" + range);
    arg(api.copy(device, buffer, offset, buffer, 0, size), "copy to a place" + range);
    arg(api.copy(device, buffer, 0, buffer, offset, size), "copy from a place" + range);
    expect(!d.error().empty(), "copy out of range: last_error is empty");
  }
  arg(api.copy(device, other, 0, buffer, 0, 33), "copy of more than the target has");
  for (const lm_buffer wrong : {lm_buffer{0}, lm_buffer{huge}}) {
    arg(api.upload(device, wrong, 0, bytes, 8), "upload to a wrong handle");
    arg(api.download(device, wrong, 0, bytes, 8), "download from a wrong handle");
    arg(api.copy(device, wrong, 0, buffer, 0, 8), "copy to a wrong handle");
    arg(api.copy(device, buffer, 0, wrong, 0, 8), "copy from a wrong handle");
    arg(api.free(device, wrong), "free of a wrong handle");
  }
  arg(api.upload(device, buffer, 0, nullptr, 8), "upload from NULL");
  arg(api.download(device, buffer, 0, nullptr, 8), "download to NULL");
  arg(api.memory_available(device, nullptr), "memory_available into NULL");
}

void freed(const Context& context) {
  const OpenDevice d(context.candidate(), {});
  char bytes[8] = {};
  const lm_buffer buffer = d.alloc(64);
  d.need(d.api().free(d.handle(), buffer), "free");
  arg(d.api().free(d.handle(), buffer), "a second free");
  arg(d.api().upload(d.handle(), buffer, 0, bytes, 8), "upload to a freed buffer");
  arg(d.api().download(d.handle(), buffer, 0, bytes, 8), "download from a freed buffer");
  std::uint64_t size = 0;
  const lm_exec* exec = d.api().exec(d.handle());
  expect(exec && exec->struct_size >= sizeof(lm_exec) && exec->resolve, "exec is NULL or short");
  expect(!exec->resolve(d.handle(), buffer, &size), "resolve of a freed buffer is not NULL");
  expect(!exec->resolve(d.handle(), 0, &size), "resolve of the handle 0 is not NULL");
}

void plans(const Context& context) {
  const OpenDevice d(context.candidate(), usual_options(context.candidate(), false));
  const lm_device_api& api = d.api();
  lm_device* const device = d.handle();
  const lm_fft_desc good = {sizeof good, LM_FFT_C2C, LM_C128, LM_FFT_FORWARD, 16, 0, 0};
  lm_plan* plan = nullptr;
  std::uint64_t work = 0;
  arg(api.plan_fft(device, nullptr, &plan, &work), "plan_fft of NULL");
  arg(api.plan_fft(device, &good, nullptr, &work), "plan_fft into NULL");
  arg(api.plan_fft(device, &good, &plan, nullptr), "plan_fft with work_bytes NULL");
  const auto wrong = [&](const std::string& what, auto change) {
    lm_fft_desc desc = good;
    change(desc);
    const lm_status status = api.plan_fft(device, &desc, &plan, &work);
    expect(status == LM_E_ARG || status == LM_E_UNSUPPORTED,
           "plan_fft with " + what + " answers " + status_text(status));
    expect(!d.error().empty(), "plan_fft with " + what + ": last_error is empty");
  };
  wrong("a short struct", [](lm_fft_desc& f) { f.struct_size = 8; });
  wrong("n = 0", [](lm_fft_desc& f) { f.n = 0; });
  wrong("n = -1", [](lm_fft_desc& f) { f.n = -1; });
  wrong("n = 2^62", [](lm_fft_desc& f) { f.n = std::int64_t{1} << 62; });
  wrong("kind 7", [](lm_fft_desc& f) { f.kind = 7; });
  wrong("kind -1", [](lm_fft_desc& f) { f.kind = -1; });
  wrong("dtype u8", [](lm_fft_desc& f) { f.dtype = LM_U8; });
  wrong("direction 0", [](lm_fft_desc& f) { f.direction = 0; });
  wrong("r2c backward", [](lm_fft_desc& f) { f.kind = LM_FFT_R2C, f.direction = LM_FFT_BACKWARD; });
  wrong("c2r forward", [](lm_fft_desc& f) { f.kind = LM_FFT_C2R, f.direction = LM_FFT_FORWARD; });
  d.need(api.plan_fft(device, &good, &plan, &work), "plan_fft");
  d.need(api.plan_free(device, plan), "plan_free");
  arg(api.plan_free(device, plan), "a second plan_free");
  arg(api.plan_free(device, nullptr), "plan_free of NULL");
  Array array = make_array(LM_C128, 16, 1, 1, {});
  lm_propagator_desc desc = {sizeof desc, 0, 0.5, array.view};
  desc.D.buffer = d.alloc(array.image.size() * sizeof(double));
  arg(api.plan_propagator(device, nullptr, &plan, &work), "plan_propagator of NULL");
  arg(api.plan_propagator(device, &desc, nullptr, &work), "plan_propagator into NULL");
  arg(api.plan_propagator(device, &desc, &plan, nullptr), "plan_propagator with work_bytes NULL");
  desc.D.dtype = LM_F64;
  refused(api.plan_propagator(device, &desc, &plan, &work), "plan_propagator of a real D");
  desc.D.dtype = LM_C128;
  desc.struct_size = 8;
  arg(api.plan_propagator(device, &desc, &plan, &work), "plan_propagator of a short struct");
}

void other(const Context& context) {
  const OpenDevice d(context.candidate(), {});
  expect(d.api().workers(d.handle()) >= 1, "there are no workers");
  (void)d.error();
  if (LM_HAS(&d.api(), preferred_members))
    for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1}, huge})
      (void)d.api().preferred_members(d.handle(), bytes);
  if (!LM_HAS(&d.api(), run)) return;
  lm_members members{};
  members.struct_size = sizeof members;
  const lm_step empty{};
  arg(d.api().run(d.handle(), nullptr, 1, &members), "run of a list that is NULL");
  refused(d.api().run(d.handle(), &empty, 1, nullptr), "run without members");
}

// memory.*: buffers hold what was put there, and nothing else.
void contents(const Context& context) {
  const OpenDevice d(context.candidate(), {});
  const std::uint64_t sizes[] = {1, 7, 63, 64, 65, 1000, 4096, 100001};
  std::vector<lm_buffer> buffers;
  std::vector<std::vector<std::uint8_t>> images;
  std::mt19937_64 bits(context.seed);
  for (const std::uint64_t size : sizes) {
    buffers.push_back(d.alloc(size));
    images.emplace_back(size);
    for (std::uint8_t& byte : images.back()) byte = static_cast<std::uint8_t>(bits());
    d.need(d.api().upload(d.handle(), buffers.back(), 0, images.back().data(), size), "upload");
  }
  for (int i = 0; i < 300; ++i) {
    const std::size_t to = bits() % std::size(sizes), from = bits() % std::size(sizes);
    if (to == from) continue;
    const std::uint64_t length = bits() % (std::min(sizes[to], sizes[from]) + 1);
    const std::uint64_t a = bits() % (sizes[to] - length + 1), b = bits() % (sizes[from] - length + 1);
    std::memcpy(images[to].data() + a, images[from].data() + b, length);
    if (i % 2)
      d.need(d.api().copy(d.handle(), buffers[to], a, buffers[from], b, length), "copy");
    else
      d.need(d.api().upload(d.handle(), buffers[to], a, images[from].data() + b, length), "upload");
  }
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    std::vector<std::uint8_t> now(sizes[k] + 2, 0xA5);
    const std::uint64_t from = sizes[k] / 3;
    d.need(d.api().download(d.handle(), buffers[k], from, now.data() + 1, sizes[k] - from), "download");
    expect(now[0] == 0xA5 && now[sizes[k] - from + 1] == 0xA5, "download writes outside its target");
    expect(std::equal(images[k].begin() + static_cast<std::ptrdiff_t>(from), images[k].end(), now.begin() + 1),
           "a buffer of " + std::to_string(sizes[k]) + " bytes does not hold what was put there");
  }
}

void zero(const Context& context) {
  const OpenDevice d(context.candidate(), {});
  const lm_buffer buffer = d.alloc(64), empty = d.alloc(0);
  char byte = 0;
  for (const std::uint64_t offset : {0u, 64u}) {
    d.need(d.api().upload(d.handle(), buffer, offset, &byte, 0), "upload of nothing");
    d.need(d.api().download(d.handle(), buffer, offset, &byte, 0), "download of nothing");
    d.need(d.api().copy(d.handle(), buffer, offset, buffer, 64 - offset, 0), "copy of nothing");
  }
  d.need(d.api().upload(d.handle(), empty, 0, &byte, 0), "upload of nothing to an empty buffer");
  arg(d.api().upload(d.handle(), empty, 0, &byte, 1), "upload of a byte to an empty buffer");
  d.need(d.api().free(d.handle(), empty), "free of an empty buffer");
}

}  // namespace

void add_table_cases(std::vector<Case>& to) {
  to.push_back({"table.count", 10, &count});
  to.push_back({"table.info", 10, &info});
  to.push_back({"table.open", 10, &open});
  to.push_back({"table.memory", 10, &memory});
  to.push_back({"table.freed", 10, &freed});
  to.push_back({"table.plans", 10, &plans});
  to.push_back({"table.other", 10, &other});
}

void add_memory_cases(std::vector<Case>& to) {
  to.push_back({"memory.contents", 10, &contents});
  to.push_back({"memory.zero", 10, &zero});
}

}  // namespace lumarch::conform
