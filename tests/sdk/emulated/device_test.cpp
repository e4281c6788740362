// The emulated device through the ABI: memory that the host cannot reach, work that waits, faults on request, counters.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "address.hpp"
#include "apart.hpp"
#include "counters.h"
#include "memory.hpp"
#include "options.hpp"
#include "plugins/driver.hpp"

using namespace lumarch::emulated;
using lumarch::test::look;
using lumarch::test::signal_of;
using lumarch::test::touch;

namespace {

const driver::Plugin& plugin() {
  static const driver::Plugin loaded(LUMARCH_BACKEND_DIR "/liblumarch_backend_emulated.so");
  return loaded;
}

struct Emulated {
  Emulated() : Emulated(std::initializer_list<lm_option>{}) {}
  Emulated(std::initializer_list<lm_option> options) : device(plugin(), host, options) {}
  [[nodiscard]] lumarch_emulated_counts counts() const {
    lumarch_emulated_counts out{};
    out.struct_size = sizeof out;
    const auto* table =
        static_cast<const lumarch_emulated_counters*>(plugin().get().extension(LUMARCH_EMULATED_COUNTERS));
    REQUIRE(table);
    REQUIRE(table->read(device.handle, &out) == LM_OK);
    return out;
  }
  [[nodiscard]] lm_device* handle() const { return device.handle; }
  [[nodiscard]] const lm_device_api& api() const { return device.api; }
  driver::Host host;
  driver::Device device;
};

// A list that fills a row with 2.5 - i.
struct Filling {
  explicit Filling(const Emulated& on) : row(on.device, 1, 8), members(on.device, 1), list(on.device, members) {
    list.add("core.fill", {row.view}).set(lm_p_fill{sizeof(lm_p_fill), 0, 2.5, -1});
  }
  driver::Array<driver::Complex> row;
  driver::Members members;
  driver::List list;
};

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("emulated: the host cannot look at device memory") {
  for (const char* guard : {"end", "begin"}) {
    const Emulated e{{"guard", guard}};
    const lm_buffer buffer = e.device.alloc(100);
    const lm_exec* exec = e.api().exec(e.handle());
    std::uint64_t bytes = 0;
    void* const at = exec->resolve(e.handle(), buffer, &bytes);
    REQUIRE(at);
    CHECK(bytes == 100);
    CHECK(reinterpret_cast<std::uintptr_t>(at) % 64 == 0);
    CHECK(signal_of([&] { look(at); }) == SIGSEGV);
    CHECK(signal_of([&] { touch(at); }) == SIGSEGV);
    CHECK(signal_of([&] { look(device_address(at)); }) == 0);
  }
  lm_device_info info{};
  info.struct_size = sizeof info;
  REQUIRE(plugin().api().info(0, &info) == LM_OK);
  CHECK(info.caps == (LM_CAP_ASYNC | LM_CAP_FP64 | LM_CAP_REPRODUCIBLE));
}

TEST_CASE("emulated: buffers lie against a page that faults, behind them or before them") {
  for (const std::uint64_t size : {std::uint64_t{64}, std::uint64_t{4096}, std::uint64_t{10048}})
    for (const bool end : {true, false}) {
      Memory memory(end);
      (void)memory.alloc(64);
      std::byte* const at = memory.range(memory.alloc(size), 0, size);
      (void)memory.alloc(64);
      CHECK(signal_of([&] { touch(at), touch(at + size - 1); }) == 0);
      CHECK(signal_of([&] { look(end ? at + size : at - 1); }) == SIGSEGV);
    }
}

TEST_CASE("emulated: new memory is NaN, freed memory is dead and its addresses are never used again") {
  const Emulated e;
  const lm_buffer buffer = e.device.alloc(80);
  std::vector<double> seen(10, 0.0);
  e.device.check(e.api().download(e.handle(), buffer, 0, seen.data(), 80));
  for (const double x : seen) CHECK(std::isnan(x));

  Memory memory(true);
  const lm_buffer first = memory.alloc(4096);
  std::byte* const at = memory.range(first, 0, 4096);
  const Memory::Pages pages = memory.retire(first);
  CHECK(memory.resolve(first, nullptr) == nullptr);
  CHECK_THROWS_AS((void)memory.range(first, 0, 1), lumarch::sdk::Fault);
  CHECK(signal_of([&] { look(at); }) == 0);  // until the queue gets there
  memory.unmap(pages);
  CHECK(signal_of([&] { look(at); }) == SIGSEGV);
  for (int i = 0; i < 100; ++i) CHECK(memory.range(memory.alloc(4096), 0, 1) > at);
  CHECK_THROWS_AS((void)memory.alloc(distance), lumarch::sdk::Fault);
}

TEST_CASE("emulated: nothing runs before somebody waits") {
  const Emulated e;
  Filling filling(e);
  e.device.check(e.api().sync(e.handle()));
  const auto before = e.counts();
  e.device.check(filling.list.each());
  CHECK(e.counts().elements == before.elements);
  CHECK(e.counts().waits == before.waits);
  e.device.check(e.api().sync(e.handle()));
  CHECK(e.counts().elements == before.elements + 1);
  CHECK(e.counts().waits == before.waits + 1);
  CHECK(filling.row.row(0)[7] == driver::Complex(2.5, -1));
  CHECK(e.counts().downloads == before.downloads + 1);
  CHECK(e.counts().bytes_down == before.bytes_down + filling.row.size * 16);

  const Emulated at_once{{"late", "off"}};
  Filling other(at_once);
  at_once.device.check(other.list.each());
  CHECK(at_once.counts().elements == 1);
}

TEST_CASE("emulated: uploads take their source when they are called, and all keeps its order") {
  const Emulated e;
  const lm_buffer a = e.device.alloc(8), b = e.device.alloc(8), c = e.device.alloc(8);
  double x = 1;
  e.device.check(e.api().upload(e.handle(), a, 0, &x, 8));
  x = 2;
  e.device.check(e.api().copy(e.handle(), b, 0, a, 0, 8));
  e.device.check(e.api().upload(e.handle(), a, 0, &x, 8));
  e.device.check(e.api().copy(e.handle(), c, 0, a, 0, 8));
  x = 3;
  e.device.check(e.api().free(e.handle(), a));  // what is in the queue still has it
  CHECK(e.api().upload(e.handle(), a, 0, &x, 8) == LM_E_ARG);
  double got[2] = {};
  e.device.check(e.api().download(e.handle(), b, 0, &got[0], 8));
  e.device.check(e.api().download(e.handle(), c, 0, &got[1], 8));
  CHECK(got[0] == 1);
  CHECK(got[1] == 2);
  const auto counts = e.counts();
  CHECK(counts.allocations == 3);
  CHECK(counts.frees == 1);
  CHECK(counts.uploads == 2);
  CHECK(counts.bytes_up == 16);
  CHECK(counts.copies == 2);
  CHECK(counts.bytes_copied == 16);
}

TEST_CASE("emulated: a plan that is freed still serves what is in the queue, and may spoil its input") {
  const Emulated e;
  driver::Array<driver::Complex> in(e.device, 1, 4, {}), out(e.device, 1, 4);
  driver::Layout lay;
  lay.scratch = true;
  driver::Array<driver::Complex> s_in(e.device, 64, 4, lay), s_out(e.device, 64, 4, lay);
  driver::Members members(e.device, 1);
  std::uint64_t work_bytes = 0;
  lm_plan* plan = e.device.fft(LM_FFT_C2C, 4, LM_FFT_FORWARD, false, true, &work_bytes);
  const auto work = driver::work_area(e.device, work_bytes);
  const auto zeros = std::vector<driver::Complex>(s_in.size, 1.0);
  s_in.put(zeros);
  in.put(std::vector<driver::Complex>(in.size, 1.0));
  driver::List list(e.device, members);
  list.add("fft.exec", {out.view, in.view}, {plan}).work = work.view;
  list.add("fft.exec", {s_out.view, s_in.view}, {plan}).work = work.view;
  e.device.check(list.each());
  e.device.check(e.api().plan_free(e.handle(), plan));
  CHECK(out.row(0)[0] == driver::Complex(4, 0));
  CHECK(out.row(0)[1] == driver::Complex(0, 0));
  CHECK(s_out.row(0)[0] == driver::Complex(4, 0));
  CHECK(std::isnan(s_in.row(0)[2].real()));      // SCRATCH rows are transformed where they lie
  CHECK(in.row(0)[2] == driver::Complex(1, 0));  // members' rows in the work area
}

TEST_CASE("emulated: what fails in the queue is answered by whoever waits, and a lost device stays lost") {
  const Emulated e{{"lose_launch", "2"}};
  Filling filling(e);
  e.device.check(filling.list.each());
  e.device.check(e.api().sync(e.handle()));
  e.device.check(filling.list.each());  // it is late: nothing has failed yet
  CHECK(e.api().sync(e.handle()) == LM_E_DEVICE_LOST);
  CHECK_MESSAGE(has(e.device.error(), "lost in launch 2, Fill"), e.device.error());
  CHECK(e.api().sync(e.handle()) == LM_E_DEVICE_LOST);
  CHECK(filling.list.each() == LM_E_DEVICE_LOST);
  double x = 0;
  lm_buffer buffer = 0;
  CHECK(e.api().alloc(e.handle(), 8, &buffer) == LM_E_DEVICE_LOST);
  CHECK(e.api().download(e.handle(), filling.row.view.buffer, 0, &x, 8) == LM_E_DEVICE_LOST);
  CHECK(e.api().upload(e.handle(), filling.row.view.buffer, 0, &x, 8) == LM_E_DEVICE_LOST);
  const Emulated next;  // another device is not
  Filling other(next);
  next.device.check(other.list.each());
  next.device.check(next.api().sync(next.handle()));
}

TEST_CASE("emulated: an allocation fails on request") {
  const Emulated e{{"fail_alloc", "2"}};
  (void)e.device.alloc(8);
  lm_buffer buffer = 0;
  CHECK(e.api().alloc(e.handle(), 24, &buffer) == LM_E_NOMEM);
  CHECK_MESSAGE(has(e.device.error(), "allocation 2, of 24 bytes"), e.device.error());
  (void)e.device.alloc(8);
}

TEST_CASE("emulated: a list is repeated from its record until a buffer or a plan comes or goes") {
  const Emulated e;
  Filling filling(e);
  e.device.check(filling.list.run());
  CHECK(e.counts().replays == 0);
  // The rule is that this does not change. A device that repeats what it recorded shows who breaks it.
  const auto list_changed = [&](double re) {
    filling.list.calls()[0].set(lm_p_fill{sizeof(lm_p_fill), 0, re, 0});
    e.device.check(filling.list.run());
    return filling.row.row(0)[0].real();
  };
  CHECK(list_changed(7) == 2.5);
  CHECK(e.counts().replays == 1);
  CHECK(e.counts().elements == 2);
  (void)e.device.alloc(8);
  CHECK(list_changed(8) == 8);
  CHECK(list_changed(9) == 8);
  (void)e.device.fft(LM_FFT_C2C, 8, LM_FFT_FORWARD);
  CHECK(list_changed(10) == 10);
  const Emulated without{{"replay", "off"}};
  Filling other(without);
  without.device.check(other.list.run());
  without.device.check(other.list.run());
  CHECK(without.counts().replays == 0);
}

TEST_CASE("emulated: options are refused with what there is, and the environment gives them too") {
  const auto refusal = [](const char* key, const char* value) {
    try {
      const Emulated e{{key, value}};
    } catch (const std::exception& refused) {
      return std::string(refused.what());
    }
    return std::string("taken");
  };
  CHECK(has(refusal("colour", "red"),
            "there are order, warp, seed, guard, late, replay, fail_alloc, fail_copy, fail_launch, lose_call"));
  CHECK(has(refusal("order", "sideways"), "forward, reversed or shuffled, not 'sideways'"));
  CHECK(has(refusal("warp", "16"), "32 or 64"));
  CHECK(has(refusal("workers", "0"), "a number from 1"));
  CHECK(has(refusal("seed", "-1"), "a number"));
  CHECK(has(refusal("threads", "2"), "from 0 to 1"));
  CHECK(refusal("threads", "1") == "taken");
  const driver::Host host;
  char why[200] = "";
  std::int32_t n = -1;
  const auto count = [&](const char* text) {
    ::setenv("LUMARCH_EMULATED", text, 1);
    const lm_status status = plugin().api().count(host.get(), &n, why, sizeof why);
    ::unsetenv("LUMARCH_EMULATED");
    return status;
  };
  CHECK(count("devices=0") == LM_OK);
  CHECK(n == 0);
  CHECK(has(why, "devices=0"));
  CHECK(count("colour=red") == LM_E_ARG);
  CHECK(has(why, "no option 'colour'"));
  CHECK(count("shuffled") == LM_E_ARG);
  CHECK(has(why, "key=value"));
  CHECK(count("order=shuffled,workers=7") == LM_OK);
  CHECK(n == 1);
  ::setenv("LUMARCH_EMULATED", "workers=7", 1);
  {
    const Emulated e;
    CHECK(e.api().workers(e.handle()) == 7);
    const Emulated more{{"workers", "9"}};
    CHECK(more.api().workers(more.handle()) == 9);
  }
  ::unsetenv("LUMARCH_EMULATED");
}
