// SPDX-License-Identifier: Apache-2.0
// The device that CUDA and HIP share, on the fake runtime: what can be right or wrong without a GPU.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "../driver.hpp"
#include "fake_runtime.hpp"

namespace {

using fake::machine;

// A machine as new for each test, and nothing left of it at its end.
struct Fresh {
  Fresh() { machine() = {}; }
  ~Fresh() {
    CHECK(machine().live.empty());
    CHECK(machine().pinned == 0);
    CHECK(machine().events == 0);
    CHECK(machine().graphs == 0);
    CHECK(machine().current == 0);
    for (const std::string& violation : machine().violations) FAIL_CHECK(violation);
  }
  Fresh(const Fresh&) = delete;
  Fresh& operator=(const Fresh&) = delete;
};

const driver::Plugin& plugin() {
  static const driver::Plugin own("");  // this program
  return own;
}

std::string refused(std::vector<lm_option> options) {
  char why[256] = "";
  lm_device* device = nullptr;
  const auto n = static_cast<std::uint32_t>(options.size());
  CHECK(plugin().api().open(nullptr, 0, options.data(), n, &device, why, sizeof why) == LM_E_ARG);
  CHECK(device == nullptr);
  return why;
}

bool holds(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("no device: the reason is the runtime's") {
  const Fresh fresh;
  machine().devices = 0;
  char why[256] = "";
  std::int32_t n = 7;
  CHECK(plugin().api().count(nullptr, &n, why, sizeof why) == LM_OK);
  CHECK(n == 0);
  CHECK(std::string(why) == "no fake GPU: fakeNoDevice (as the test wants it)");
  lm_device* device = nullptr;
  CHECK(plugin().api().open(nullptr, 0, nullptr, 0, &device, why, sizeof why) == LM_E_NO_DEVICE);
  CHECK(holds(why, "no fake GPU"));
  lm_device_info info{};
  info.struct_size = sizeof info;
  CHECK(plugin().api().info(0, &info) == LM_E_NO_DEVICE);
}

TEST_CASE("a device describes itself, and does not claim equal bits") {
  const Fresh fresh;
  machine().devices = 2;
  lm_device_info info{};
  info.struct_size = sizeof info;
  CHECK(plugin().api().info(1, &info) == LM_OK);
  CHECK(std::string(info.id) == "fakegpu:1");
  CHECK(info.caps == (LM_CAP_ASYNC | LM_CAP_FP64));
  CHECK(info.memory_bytes == machine().memory);
  CHECK(plugin().api().info(2, &info) == LM_E_NO_DEVICE);
  char why[256] = "";
  lm_device* device = nullptr;
  CHECK(plugin().api().open(nullptr, 2, nullptr, 0, &device, why, sizeof why) == LM_E_NO_DEVICE);
  CHECK(holds(why, "no device 2; the last one is 1"));
}

TEST_CASE("options: threads of 0 or 1, and nothing else") {
  const Fresh fresh;
  const driver::Host host;
  { const driver::Device device(plugin(), host, {{"threads", "1"}}); }
  { const driver::Device device(plugin(), host, {{"threads", "0"}}); }
  CHECK(holds(refused({{"threads", "4"}}), "threads = \"4\": the fakegpu backend has no threads to choose"));
  CHECK(holds(refused({{"plan", "measure"}}), "plan = \"measure\""));
  CHECK(holds(refused({{"colour", "red"}}), "unknown option \"colour\"; there is threads"));
  CHECK(holds(refused({{nullptr, "red"}}), "without a key"));
}

TEST_CASE("handles are not used twice, and ranges are checked") {
  const Fresh fresh;
  const driver::Host host;
  const driver::Device device(plugin(), host);
  const auto& api = device.api;
  const lm_buffer a = device.alloc(100);
  CHECK(api.free(device.handle, a) == LM_OK);
  CHECK(device.alloc(100) != a);
  CHECK(api.free(device.handle, a) == LM_E_ARG);
  CHECK(device.error() == "no such buffer: " + std::to_string(a));
  char byte = 0;
  CHECK(api.upload(device.handle, a, 0, &byte, 1) == LM_E_ARG);
  const lm_buffer b = device.alloc(100);
  CHECK(api.upload(device.handle, b, 100, &byte, 1) == LM_E_ARG);
  CHECK(holds(device.error(), "bytes 100 to 101 of a buffer that has 100"));
  CHECK(api.download(device.handle, b, UINT64_MAX, &byte, 2) == LM_E_ARG);
  CHECK(api.upload(device.handle, b, 100, nullptr, 0) == LM_OK);
  CHECK(api.upload(device.handle, b, 0, nullptr, 1) == LM_E_ARG);
  CHECK(api.exec(device.handle)->resolve(device.handle, a, nullptr) == nullptr);
}

TEST_CASE("a small upload leaves its source alone, and waits only where the ring wraps") {
  const Fresh fresh;
  const driver::Host host;
  const driver::Device device(plugin(), host);
  const lm_buffer buffer = device.alloc(40 * 8);
  const int waits = machine().waits;
  for (std::uint64_t i = 0; i < 40; ++i) {
    std::uint64_t source = i;
    device.check(device.api.upload(device.handle, buffer, i * 8, &source, 8));
    source = 999;  // before anything has happened in the stream
  }
  CHECK(machine().waits == waits);
  CHECK(machine().event_waits == 40 - 4);
  std::vector<std::uint64_t> got(40), want(40);
  std::iota(want.begin(), want.end(), 0u);
  device.check(device.api.download(device.handle, buffer, 0, got.data(), 40 * 8));
  CHECK(got == want);
}

TEST_CASE("crossings of every size arrive whole, also at odd offsets") {
  const Fresh fresh;
  const driver::Host host;
  const driver::Device device(plugin(), host);
  // Sizes of the fake runtime: small to 1024 bytes, large from 65536, in chunks of 4096, three at a time.
  for (const std::size_t bytes : {1, 1023, 1024, 1025, 65535, 65536, 65537, 12 * 4096, 200001}) {
    CAPTURE(bytes);
    const lm_buffer buffer = device.alloc(bytes + 13);
    std::vector<unsigned char> source(bytes), got(bytes);
    for (std::size_t i = 0; i < bytes; ++i) source[i] = static_cast<unsigned char>(i * 7 + i / 251);
    const std::vector<unsigned char> want = source;
    device.check(device.api.upload(device.handle, buffer, 13, source.data(), bytes));
    std::fill(source.begin(), source.end(), 0xEE);
    device.check(device.api.download(device.handle, buffer, 13, got.data(), bytes));
    CHECK(got == want);
    device.check(device.api.free(device.handle, buffer));
  }
  CHECK(machine().pinned == 2);  // one ring a kind
}

TEST_CASE("a copy onto itself is that of memmove") {
  const Fresh fresh;
  const driver::Host host;
  const driver::Device device(plugin(), host);
  const lm_buffer buffer = device.alloc(16);
  const std::string text = "0123456789abcdef";
  for (const auto& [to, from] : {std::pair<std::uint64_t, std::uint64_t>{3, 1}, {1, 3}, {8, 0}, {2, 2}}) {
    std::string want = text, got(16, ' ');
    std::memmove(want.data() + to, text.data() + from, 8);
    device.check(device.api.upload(device.handle, buffer, 0, text.data(), 16));
    device.check(device.api.copy(device.handle, buffer, to, buffer, from, 8));
    device.check(device.api.download(device.handle, buffer, 0, got.data(), 16));
    CHECK(got == want);
  }
}

TEST_CASE("memory that is not there: how much was asked for, how much is free, and the device goes on") {
  const Fresh fresh;
  machine().memory = 1 << 20;
  driver::Host host;
  const driver::Device device(plugin(), host);
  lm_buffer buffer = 0;
  CHECK(device.api.alloc(device.handle, 1 << 21, &buffer) == LM_E_NOMEM);
  CHECK(device.error() == "no memory for a buffer of 2097152 bytes, 1048576 are free");
  CHECK(device.api.alloc(device.handle, UINT64_MAX, &buffer) == LM_E_NOMEM);
  buffer = device.alloc(1000);
  lm_buffer other = 0;
  CHECK(device.api.alloc(device.handle, 1 << 20, &other) == LM_E_NOMEM);
  CHECK(device.error() == "no memory for a buffer of 1048576 bytes, 1047576 are free (fakeNoMemory)");
  std::uint64_t available = 0;
  device.check(device.api.memory_available(device.handle, &available));
  CHECK(available == (1 << 20) - 1000);
  host.budget = 4000;
  device.check(device.api.memory_available(device.handle, &available));
  CHECK(available == 3000);
  host.budget = 10;
  device.check(device.api.memory_available(device.handle, &available));
  CHECK(available == 0);
}

TEST_CASE("a device that is lost says so in every later call, and closes") {
  const Fresh fresh;
  const driver::Host host;
  struct Gone {
    ~Gone() {
      for (const auto& [at, bytes] : machine().live) std::free(at);
      machine().live.clear();
    }
  } const what_was_on_it;
  const driver::Device device(plugin(), host);
  const lm_buffer buffer = device.alloc(8);
  double value = 0;
  machine().next_wait = fake::lost;
  CHECK(device.api.download(device.handle, buffer, 0, &value, 8) == LM_E_DEVICE_LOST);
  const std::string said = device.error();
  CHECK(holds(said, "the device is lost: fakeLost (it fell off the bus), noticed in waiting for a copy"));
  CHECK(device.api.upload(device.handle, buffer, 0, &value, 8) == LM_E_DEVICE_LOST);
  CHECK(device.error() == said);
  CHECK(device.api.sync(device.handle) == LM_E_DEVICE_LOST);
  lm_buffer other = 0;
  CHECK(device.api.alloc(device.handle, 8, &other) == LM_E_DEVICE_LOST);
  CHECK(device.api.free(device.handle, buffer) == LM_E_DEVICE_LOST);
  CHECK(device.api.free(device.handle, buffer) == LM_E_ARG);  // the handle went
}

TEST_CASE("a launch that fails is an error of its call, and no other") {
  const Fresh fresh;
  const driver::Host host;
  const driver::Device device(plugin(), host);
  const driver::Members members(device, 1);
  const driver::Array<driver::Complex> out(device, 1, 4);
  driver::List list(device, members);
  list.add("core.fill", {out.view}).set(lm_p_fill{sizeof(lm_p_fill), 0, 1.0, 2.0});
  machine().next_launch = fake::odd;
  CHECK(list.each() == LM_E_DRIVER);
  CHECK(device.error() == "fakeOdd (as the test wants it), noticed in a launch");
  CHECK(list.each() == LM_OK);
  CHECK(out.row(0)[3] == driver::Complex(1.0, 2.0));
}

TEST_CASE("the caller's device is current again after every call") {
  const Fresh fresh;  // checks that work went to the device's own
  machine().devices = 2;
  const driver::Host host;
  lm_device* device = nullptr;
  const auto& api = plugin().api();
  REQUIRE(api.open(host.get(), 1, nullptr, 0, &device, nullptr, 0) == LM_OK);
  CHECK(machine().current == 0);
  lm_buffer buffer = 0;
  double value = 4.0;
  CHECK(api.alloc(device, 8, &buffer) == LM_OK);
  CHECK(api.upload(device, buffer, 0, &value, 8) == LM_OK);
  CHECK(api.download(device, buffer, 0, &value, 8) == LM_OK);
  CHECK(machine().current == 0);
  api.close(device);
}

TEST_CASE("a transform of one sample is a copy") {
  const Fresh fresh;
  const driver::Host host;
  const driver::Device device(plugin(), host);
  const driver::Members members(device, 3);
  const driver::Array<driver::Complex> z(device, 3, 1);
  const driver::Array<double> x(device, 3, 1);
  const auto work = driver::work_area(device, 128);
  std::vector<double> reals(x.size, 0.0);
  for (std::uint32_t m = 0; m < 3; ++m) reals[x.at(m)] = m + 0.5;
  x.put(reals);
  driver::List list(device, members);
  list.add("fft.exec", {z.view, x.view}, {device.fft(LM_FFT_R2C, 1, LM_FFT_FORWARD)}).work = work.view;
  CHECK(list.each() == LM_OK);
  for (std::uint32_t m = 0; m < 3; ++m) CHECK(z.row(m)[0] == driver::Complex(m + 0.5, 0.0));
  x.put(std::vector<double>(x.size, 9.0));
  driver::List back(device, members);
  back.add("fft.exec", {x.view, z.view}, {device.fft(LM_FFT_C2R, 1, LM_FFT_BACKWARD)}).work = work.view;
  CHECK(back.each() == LM_OK);
  for (std::uint32_t m = 0; m < 3; ++m) CHECK(x.row(m)[0] == m + 0.5);
}

TEST_CASE("real rows at odd addresses are refused: a library would read pairs") {
  const Fresh fresh;
  const driver::Host host;
  const driver::Device device(plugin(), host);
  const driver::Members members(device, 2);
  driver::Layout scratch;
  scratch.scratch = true;
  const driver::Array<double> x(device, device.api.workers(device.handle), 8, scratch);
  const driver::Array<driver::Complex> z(device, device.api.workers(device.handle), 5, scratch);
  driver::List list(device, members);
  lm_view odd = x.view;
  odd.offset = 1;
  odd.pitch[LM_AXIS_MEMBER] = 7;
  list.add("fft.exec", {z.view, odd}, {device.fft(LM_FFT_R2C, 8, LM_FFT_FORWARD)});
  CHECK(list.each() == LM_E_ARG);
  CHECK(holds(device.error(), "does not begin at a multiple of 16 bytes"));
}
