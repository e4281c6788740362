// SPDX-License-Identifier: Apache-2.0
// fft.exec against a plain sum, for lengths of all kinds, every kind of plan, and rows of a batch.
#include "support.hpp"

using namespace cpu_tests;

namespace {

// A spectrum of a real row: FFTW takes the first half, and the values at 0 and n/2 to be real.
LongRow mirrored(const LongRow& half, std::size_t n) {
  LongRow full(n);
  for (std::size_t k = 0; k < n; ++k) full[k] = k <= n / 2 ? half[k] : std::conj(half[n - k]);
  full[0] = full[0].real();
  if (n % 2 == 0) full[n / 2] = full[n / 2].real();
  return full;
}

LongRow first_half(LongRow row) {
  row.resize(row.size() / 2 + 1);
  return row;
}

}  // namespace

TEST_CASE("fft.exec: complex, both directions, in place and out of place") {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick());
  for (const std::int64_t n : {1, 2, 3, 4, 5, 7, 8, 12, 13, 31, 37, 64, 97, 100, 128})
    for (const int direction : {LM_FFT_FORWARD, LM_FFT_BACKWARD})
      for (const bool in_place : {false, true}) {
        CAPTURE(n);
        RowCase c;
        c.kernel = "fft.exec";
        c.samples = {n};
        c.out_samples = n;
        c.in_place = in_place;
        c.plans = {device.fft(LM_FFT_C2C, n, direction, in_place)};
        c.tolerance = 1e-15L;
        c.expected = [direction](auto& x, auto, auto&) { return naive_dft(x[0], direction); };
        check_batches(device, c);
      }
}

TEST_CASE("fft.exec: real rows, with the input kept where that was asked for") {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick());
  for (const std::int64_t n : {1, 2, 3, 4, 5, 7, 8, 13, 31, 64, 97, 100}) {
    CAPTURE(n);
    RowCase c;
    c.kernel = "fft.exec";
    c.samples = {n};
    c.real = {true};
    c.out_samples = n / 2 + 1;
    c.plans = {device.fft(LM_FFT_R2C, n, LM_FFT_FORWARD)};
    c.tolerance = 1e-15L;
    c.expected = [](auto& x, auto, auto&) { return first_half(naive_dft(x[0], -1)); };
    check_batches(device, c);
    c.samples = {n / 2 + 1};
    c.real = {false};
    c.out_samples = n;
    c.out_real = true;
    for (const bool destroys : {false, true}) {
      c.plans = {device.fft(LM_FFT_C2R, n, LM_FFT_BACKWARD, false, destroys)};
      c.expected = [n](auto& x, auto, auto&) { return naive_dft(mirrored(x[0], static_cast<std::size_t>(n)), 1); };
      check_batches(device, c);
    }
    driver::Array<Complex> in(device, 1, n / 2 + 1);
    driver::Array<double> out(device, 1, n);
    in.put(random_values<Complex>(in.size, 9));
    const auto before = in.get();
    const driver::Members members(device, 1);
    driver::List list(device, members);
    list.add("fft.exec", {out.view, in.view}, {device.fft(LM_FFT_C2R, n, LM_FFT_BACKWARD)});
    device.check(list.each());
    CHECK(same_bits(before, in.get()));
  }
}

TEST_CASE("fft.exec: long rows go there and back, and have the same bits with one thread and with several") {
  const driver::Host host;
  for (const std::int64_t n : {std::int64_t{1} << 16, std::int64_t{65537}}) {
    std::vector<std::vector<Complex>> results;
    for (const char* threads : {"1", "2", "5"}) {
      const driver::Device device(plugin(), host, quick(threads));
      driver::Array<Complex> x(device, 2, n), y(device, 2, n), z(device, 2, n);
      const auto values = random_values<Complex>(x.size, 3);
      x.put(values);
      const driver::Members members(device, 2);
      driver::List list(device, members);
      list.add("fft.exec", {y.view, x.view}, {device.fft(LM_FFT_C2C, n, LM_FFT_FORWARD)});
      list.add("fft.exec", {z.view, y.view}, {device.fft(LM_FFT_C2C, n, LM_FFT_BACKWARD)});
      device.check(list.each());  // jobs in the arena
      results.push_back(y.get());
      device.check(list.run());  // jobs in turn, members in the arena
      results.push_back(y.get());
      LongRow expected = longer(x.row(1));
      for (auto& v : expected) v *= static_cast<long double>(n);
      CHECK(deviation(z.row(1), expected) < 1e-14L);
    }
    for (const auto& result : results) CHECK(same_bits(result, results[0]));
  }
}

TEST_CASE("plans that cannot be are refused in words") {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick());
  const auto refused = [&](lm_fft_desc desc, lm_status status) {
    lm_plan* plan = nullptr;
    std::uint64_t work = 0;
    CHECK(device.api.plan_fft(device.handle, &desc, &plan, &work) == status);
    CHECK(plan == nullptr);
    CHECK(!device.error().empty());
  };
  const lm_fft_desc good = {sizeof good, LM_FFT_C2C, LM_C128, LM_FFT_FORWARD, 8, 0, 0};
  const auto with = [&](auto change) {
    lm_fft_desc desc = good;
    change(desc);
    return desc;
  };
  refused(with([](auto& d) { d.n = 0; }), LM_E_ARG);
  refused(with([](auto& d) { d.n = -4; }), LM_E_ARG);
  refused(with([](auto& d) { d.n = (std::int64_t{1} << 26) + 1; }), LM_E_ARG);
  refused(with([](auto& d) { d.kind = 9; }), LM_E_ARG);
  refused(with([](auto& d) { d.direction = 0; }), LM_E_ARG);
  refused(with([](auto& d) { d.dtype = LM_C64; }), LM_E_UNSUPPORTED);
  refused(with([](auto& d) { d.dtype = LM_F64; }), LM_E_ARG);
  refused(with([](auto& d) { d.struct_size = 8; }), LM_E_ARG);
  refused(with([](auto& d) { d.kind = LM_FFT_R2C, d.in_place = 1; }), LM_E_UNSUPPORTED);
  refused(with([](auto& d) { d.kind = LM_FFT_C2R; }), LM_E_ARG);
}
