// SPDX-License-Identifier: Apache-2.0
// When a list is captured, replayed and captured anew, on the fake runtime.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "../driver.hpp"
#include "fake_runtime.hpp"
#include "plugins/gpu/platform.hpp"

namespace {

using driver::Complex;
using fake::machine;

const driver::Plugin& plugin() {
  static const driver::Plugin own("");
  return own;
}

// A list with a transform: out = FFT(h x), for three members.
struct March {
  static constexpr std::int64_t n = 8;
  static constexpr std::uint32_t count = 3;

  March()
      : started((machine() = {}, true)),
        device(plugin(), host),
        members(device, count),
        x(device, count, n),
        y(device, count, n),
        out(device, count, n),
        work(driver::work_area(device, 4 * 16 * n)),
        list(device, members) {
    x.put(std::vector<Complex>(x.size, 1.0));
    list.add("core.lincomb", {y.view, x.view}).set(driver::combination({{1.0, 1, 0}}));
    list.add("fft.exec", {out.view, y.view}, {device.fft(LM_FFT_C2C, n, LM_FFT_FORWARD)}).work = work.view;
  }

  // Runs the list for a length of step that it must notice; what the calls put into the queue is returned.
  int attempt() {
    h += 1.0;
    for (double& step : members.h) step = h;
    members.put();
    const int before = machine().launches;
    device.check(list.run());
    for (std::uint32_t m = members.get.first; m < members.get.first + members.get.n_active; ++m) {
      const auto row = out.row(m);
      CHECK(row[0] == Complex(static_cast<double>(n) * h));
      CHECK(std::abs(row[3]) < 1e-13);
    }
    return machine().launches - before;
  }
  void no_violations() const {
    for (const std::string& violation : machine().violations) FAIL_CHECK(violation);
  }

  bool started;
  double h = 0.0;
  driver::Host host;
  driver::Device device;
  driver::Members members;
  driver::Array<Complex> x, y, out;
  driver::Array<std::uint8_t> work;
  driver::List list;
};

}  // namespace

TEST_CASE("a list is put into the queue once, captured once, and replayed") {
  March march;
  CHECK(march.attempt() == 3);
  CHECK(machine().captures == 0);
  CHECK(march.attempt() == 3);
  CHECK(machine().captures == 1);
  for (int i = 0; i < 5; ++i) CHECK(march.attempt() == 0);
  CHECK(machine().captures == 1);
  CHECK(machine().replays == 6);
  march.no_violations();
}

TEST_CASE("memory or a plan that comes or goes makes graphs anew") {
  March march;
  for (int i = 0; i < 3; ++i) march.attempt();
  const lm_buffer buffer = march.device.alloc(64);
  CHECK(march.attempt() == 3);
  CHECK(march.attempt() == 3);
  CHECK(march.attempt() == 0);
  march.device.check(march.device.api.free(march.device.handle, buffer));
  CHECK(march.attempt() == 3);
  march.attempt();
  CHECK(march.attempt() == 0);
  lm_plan* plan = march.device.fft(LM_FFT_C2C, 16, LM_FFT_BACKWARD);
  CHECK(march.attempt() == 3);
  march.attempt();
  CHECK(march.attempt() == 0);
  march.device.check(march.device.api.plan_free(march.device.handle, plan));
  CHECK(march.attempt() == 3);
  CHECK(machine().graphs <= 1);  // those of before are gone
  march.no_violations();
}

TEST_CASE("a list that changed, or has other members, is another list") {
  March march;
  for (int i = 0; i < 3; ++i) march.attempt();
  march.members.get.n_active = 2;
  CHECK(march.attempt() == 3);
  CHECK(march.attempt() == 3);
  CHECK(march.attempt() == 0);
  march.members.get.first = 1;
  CHECK(march.attempt() == 3);
  march.members.get.first = 0;
  march.members.get.n_active = 3;
  CHECK(march.attempt() >= 0);
  // A parameter that changed in its place.
  driver::List other(march.device, march.members);
  driver::Call& fill = other.add("core.fill", {march.y.view});
  for (int i = 1; i < 4; ++i) {
    fill.set(lm_p_fill{sizeof(lm_p_fill), 0, static_cast<double>(i), 0.0});
    for (int repeat = 0; repeat < 3; ++repeat) {
      march.device.check(other.run());
      CHECK(march.y.row(2)[5] == Complex(i));
    }
  }
  march.no_violations();
}

TEST_CASE("few graphs are kept: those used last") {
  March march;
  std::vector<driver::List> lists;
  for (std::size_t i = 0; i < 12; ++i) {
    lists.emplace_back(march.device, march.members);
    lists.back().add("core.fill", {march.y.view}).set(lm_p_fill{sizeof(lm_p_fill), 0, static_cast<double>(i), 0.0});
  }
  for (int repeat = 0; repeat < 3; ++repeat)
    for (std::size_t i = 8; i < 12; ++i) march.device.check(lists[i].run());
  CHECK(machine().graphs == 4);
  const int replays = machine().replays;
  for (std::size_t i = 0; i < 4; ++i) march.device.check(lists[i].run());  // fills the cache
  for (std::size_t i = 8; i < 12; ++i) march.device.check(lists[i].run());
  CHECK(machine().replays == replays + 4);
  for (std::size_t i = 4; i < 8; ++i) march.device.check(lists[i].run());  // pushes out the first four
  for (std::size_t i = 8; i < 12; ++i) march.device.check(lists[i].run());
  CHECK(machine().replays == replays + 8);
  CHECK(machine().graphs == 4);
  march.no_violations();
}

TEST_CASE("what cannot be captured is put into the queue for good, with one line in the log") {
  March march;
  march.attempt();
  machine().next_capture = fake::no_capture;
  for (int i = 0; i < 4; ++i) CHECK(march.attempt() == 3);
  CHECK(machine().captures == 0);
  CHECK(march.host.logged(LM_LOG_WARN, "one by one from here on") == 1);
  CHECK(march.host.logged(LM_LOG_WARN, "while a list was captured") == 0);
  CHECK(march.host.logged(LM_LOG_WARN, "a capture does not begin: fakeNoCapture") == 1);
  march.no_violations();
}

TEST_CASE("a kernel that wants memory only while it is captured ends the capture, and nothing is lost") {
  using Platform = lumarch::gpu::Platform<fake::Runtime, fake::Launcher>;
  March march;
  static std::size_t wanted;
  wanted = 16;
  const lm_step step = {[](lm_device* device, const lm_call*) noexcept -> lm_status {
                          return lumarch::sdk::fence([&](const char* text) { Platform::note(*device, text); },
                                                     [&] { (void)Platform::partials(*device, wanted *= 2); });
                        },
                        nullptr};
  lm_call call{};
  call.struct_size = sizeof call;
  call.members = &march.members.get;
  call.exec = march.device.api.exec(march.device.handle);
  lm_step one = step;
  one.call = &call;
  for (int i = 0; i < 3; ++i)
    march.device.check(march.device.api.run(march.device.handle, &one, 1, &march.members.get));
  CHECK(march.host.logged(LM_LOG_WARN, "memory was asked for while a list was captured") == 1);
  CHECK(march.attempt() == 3);
  march.no_violations();
}

TEST_CASE("transforms of more rows get a larger area, and no graph keeps the old one") {
  March march;
  march.members.get.n_active = 1;
  for (int i = 0; i < 3; ++i) march.attempt();
  march.members.get.n_active = 3;  // the area grows
  for (int i = 0; i < 3; ++i) march.attempt();
  march.members.get.n_active = 1;
  for (int i = 0; i < 3; ++i) march.attempt();
  march.no_violations();
}

TEST_CASE("LUMARCH_GPU_GRAPHS=off: nothing is captured") {
  ::setenv("LUMARCH_GPU_GRAPHS", "off", 1);
  March march;
  ::unsetenv("LUMARCH_GPU_GRAPHS");
  for (int i = 0; i < 4; ++i) CHECK(march.attempt() == 3);
  CHECK(machine().captures == 0);
}

TEST_CASE("a fault of a list is that of its call") {
  March march;
  driver::List list(march.device, march.members);
  list.add("core.fill", {march.y.view});
  for (int i = 0; i < 3; ++i) {
    CHECK(list.run() == LM_E_ARG);
    CHECK(march.device.error() == "the parameters are missing or too short");
  }
  CHECK(march.attempt() == 3);  // and graphs are on
  march.attempt();
  CHECK(march.attempt() == 0);
}
