// SPDX-License-Identifier: Apache-2.0
// Members over threads: the same bits alone and in a batch, with one thread and with several; and how a list fails.
#include "support.hpp"

using namespace cpu_tests;

namespace {

// A step of an interaction-picture method, on rows of the members and scratch rows; returns all that it wrote.
struct March {
  March(const driver::Device& device, std::uint32_t members, std::int64_t n)
      : u(device, members, n, banked()),
        D(device, members, n),
        E(device, workers(device), n, scratch()),
        k(device, workers(device), n, scratch()),
        block(device, members),
        list(device, block) {
    lm_plan* const there = device.fft(LM_FFT_C2C, n, LM_FFT_FORWARD);
    lm_plan* const back = device.fft(LM_FFT_C2C, n, LM_FFT_BACKWARD, true);
    list.add("lin.prepare", {E.view}, {device.propagator(D.view, 0.5, true)});
    list.add("fft.exec", {k.view, u.view}, {there});
    list.add("response.kerr", {k.view, k.view}).set(lm_p_response{sizeof(lm_p_response), 0, 1e-3});
    list.add("fft.exec", {k.view, k.view}, {back});
    list.add("step.combine", {u.flipped(), u.view, k.view, E.view}).set(driver::combination({{1, 0, 2}, {0.5, 1, 1}}));
    list.add("reduce.error", {u.flipped(), k.view}).set(driver::combination({{0.1, 1, 0}}));
  }
  static driver::Layout banked() {
    driver::Layout layout;
    layout.banks = 2;
    return layout;
  }
  static driver::Layout scratch() {
    driver::Layout layout;
    layout.scratch = true;
    return layout;
  }
  static std::uint32_t workers(const driver::Device& device) { return device.api.workers(device.handle); }

  driver::Array<Complex> u, D, E, k;
  driver::Members block;
  driver::List list;
};

struct Result {
  std::vector<Complex> row;
  std::vector<double> numbers;
};

std::vector<Result> march(const char* threads, const std::vector<std::uint32_t>& which, std::int64_t n) {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick(threads));
  const auto count = static_cast<std::uint32_t>(which.size());
  March m(device, count, n);
  auto u = m.u.get(), D = m.D.get();
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto row = random_values<Complex>(static_cast<std::size_t>(n), which[i]);
    std::copy(row.begin(), row.end(), u.begin() + static_cast<std::ptrdiff_t>(m.u.at(i, i % 2)));
    std::copy(row.begin(), row.end(), D.begin() + static_cast<std::ptrdiff_t>(m.D.at(i)));
    m.block.h[i] = 0.01 * (1 + which[i]);
    m.block.parity[i] = static_cast<std::uint8_t>(i % 2);
  }
  m.u.put(u);
  m.D.put(D);
  m.block.put();
  device.check(m.list.run());
  const auto numbers = m.block.read_numbers();
  std::vector<Result> out;
  for (std::uint32_t i = 0; i < count; ++i)
    out.push_back({m.u.row(i, (i + 1) % 2), {numbers.begin() + 4 * i, numbers.begin() + 4 * i + 2}});
  return out;
}

lm_status fails_from_3(lm_device*, const lm_call* call) noexcept {
  return call->members->first >= 3 ? LM_E_DRIVER : LM_OK;
}

}  // namespace

TEST_CASE("a member has the same bits alone, in a batch, and at any number of threads") {
  std::vector<std::uint32_t> all;
  for (std::uint32_t m = 0; m < 33; ++m) all.push_back(m);
  for (const std::int64_t n : {std::int64_t{300}, std::int64_t{4096}, std::int64_t{1} << 16}) {
    CAPTURE(n);
    const auto last = n > 4096 ? std::vector<std::uint32_t>{0, 1, 2} : all;
    const auto one = march("1", last, n);
    for (const char* threads : {"1", "2", "3"}) {
      const auto other = march(threads, last, n);
      for (std::size_t m = 0; m < last.size(); ++m) {
        CHECK(same_bits(one[m].row, other[m].row));
        CHECK(same_bits(one[m].numbers, other[m].numbers));
      }
    }
    for (const std::uint32_t m : {0u, 1u, 2u}) {
      const auto alone = march("2", {m}, n);
      CHECK(same_bits(one[m].row, alone[0].row));
      CHECK(same_bits(one[m].numbers, alone[0].numbers));
    }
  }
}

TEST_CASE("of several failures a list tells the one of the lowest entry, with its words") {
  const driver::Host host;
  for (const char* threads : {"1", "4"}) {
    const driver::Device device(plugin(), host, quick(threads));
    const driver::Members members(device, 16);
    for (int again = 0; again < 20; ++again) {
      driver::List list(device, members);
      list.add("core.fill", {}).fn = &fails_from_3;
      CHECK(list.run() == LM_E_DRIVER);
      CHECK(device.error() == "kernel 0 answered with status -4 and left no words");
      list.add("core.fill", {});
      CHECK(list.run() == LM_E_ARG);  // entries 0 to 2 fail in the second step, and come first
      CHECK(device.error().find("views") != std::string::npos);
    }
  }
}

TEST_CASE("an empty list and an empty range do nothing") {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick("2"));
  driver::Members members(device, 2);
  driver::List list(device, members);
  device.check(list.run());
  members.get.n_active = 0;
  list.add("core.fill", {});
  device.check(list.run());
}

TEST_CASE("shutdown ends the threads, and a device that is opened after it works") {
  const std::vector<std::uint32_t> which = {0, 1, 2, 3};
  const auto before = march("2", which, 500);
  plugin().get().shutdown();
  const auto after = march("2", which, 500);
  for (std::size_t m = 0; m < which.size(); ++m) CHECK(same_bits(before[m].row, after[m].row));
}
