// SPDX-License-Identifier: Apache-2.0
// Raman's response, the fused response and the fused right-hand side: against plain sums, and against what they are
// composed of.
#include <memory>

#include "support.hpp"

using namespace cpu_tests;

namespace {

LongRow intensity(const LongRow& A) {
  LongRow out;
  for (const Long& a : A) out.emplace_back(std::norm(a));
  return out;
}

// c2r(H r2c(|A|^2)) by plain sums.
LongRow delayed(const LongRow& A, const LongRow& H) {
  const std::size_t n = A.size();
  LongRow spectrum = naive_dft(intensity(A), -1);
  for (std::size_t k = 0; k <= n / 2; ++k) spectrum[k] *= H[k];
  for (std::size_t k = n / 2 + 1; k < n; ++k) spectrum[k] = std::conj(spectrum[n - k]);
  spectrum[0] = spectrum[0].real();
  if (n % 2 == 0) spectrum[n / 2] = spectrum[n / 2].real();
  return naive_dft(spectrum, 1);
}

std::uint64_t row_bytes(std::int64_t n) { return (16 * static_cast<std::uint64_t>(n) + 63) / 64 * 64; }

// All that one right-hand side of a batch needs.
struct Fibre {
  Fibre(const driver::Device& on, std::uint32_t members, std::int64_t n_, bool noisy_, bool pre_)
      : device(on),
        n(n_),
        noisy(noisy_),
        with_pre(pre_),
        u(on, members, n, banked()),
        out(on, members, n),
        A(on, members, n),
        P(on, members, n),
        source(on, members, n, shared()),
        H(on, members, n / 2 + 1, shared()),
        pre(on, members, n, shared()),
        noise(on, members, n),
        work(driver::work_area(on, 0)) {
    u.put(random_values<Complex>(u.size, 1));
    source.put(random_values<Complex>(source.size, 2));
    H.put(random_values<Complex>(H.size, 3));
    pre.put(random_values<double>(pre.size, 4));
    noise.put(random_values<Complex>(noise.size, 5));
    to_time = device.fft(LM_FFT_C2C, n, LM_FFT_FORWARD);
    to_frequency = device.fft(LM_FFT_C2C, n, LM_FFT_BACKWARD);
    real[0] = device.fft(LM_FFT_R2C, n, LM_FFT_FORWARD, false, false, &raman_work);
    real[1] = device.fft(LM_FFT_C2R, n, LM_FFT_BACKWARD, false, true);
    work = driver::work_area(device, 2 * row_bytes(n) + 2 * ((raman_work + 63) / 64 * 64));
    tables[0] = H.view;
    kerr = {sizeof kerr, 0, 0.82};
    raman = {sizeof raman, LM_RESPONSE_ACCUMULATE, 0};
    both = {sizeof both, 0, 0.82};
    const lm_kernel_fn k = on.plugin.kernel("response.kerr"), r = on.plugin.kernel("response.raman"),
                       kr = on.plugin.kernel("response.kerr_raman");
    apart[0] = {k, &kerr, nullptr, nullptr, sizeof kerr, 0, 0, 0, 0};
    apart[1] = {r, &raman, tables, real, sizeof raman, 1, 2, 0, raman_work};
    fused[0] = {kr, &both, tables, real, sizeof both, 1, 2, 0, raman_work};
  }
  static driver::Layout shared() {
    driver::Layout layout;
    layout.shared = true;
    return layout;
  }
  static driver::Layout banked() {
    driver::Layout layout;
    layout.banks = 2;
    return layout;
  }
  driver::Call& add_fused(driver::List& list, const lm_response* responses, std::uint32_t n_responses) {
    driver::Call& call = list.add(
        "rhs.fibre", {u.view, out.view, source.view, with_pre ? pre.view : lm_view{}, noisy ? noise.view : lm_view{}},
        {to_time, to_frequency});
    call.set(lm_p_rhs{sizeof(lm_p_rhs), n_responses, responses});
    call.work = work.view;
    return call;
  }
  void add_composed(driver::List& list) {
    const lm_view first = noisy || with_pre ? P.view : u.view;
    if (noisy) list.add("core.lincomb", {P.view, u.view, noise.view}).set(driver::combination({{1, 0, 0}, {1, 0, 0}}));
    if (with_pre) list.add("core.mul", {P.view, noisy ? P.view : u.view, pre.view});
    list.add("fft.exec", {A.view, first}, {to_time});
    list.add("response.kerr", {A.view, P.view}).set(kerr);
    driver::Call& call = list.add("response.raman", {A.view, P.view, H.view}, {real[0], real[1]});
    call.set(raman);
    call.work = work.view;
    list.add("fft.exec", {A.view, P.view}, {to_frequency});
    list.add("core.mul", {out.view, A.view, source.view});
  }

  const driver::Device& device;
  std::int64_t n;
  bool noisy, with_pre;
  driver::Array<Complex> u, out, A, P, source, H;
  driver::Array<double> pre;
  driver::Array<Complex> noise;
  driver::Array<std::uint8_t> work;
  lm_plan *to_time, *to_frequency, *real[2];
  std::uint64_t raman_work = 0;
  lm_view tables[1];
  lm_p_response kerr, raman, both;
  lm_response apart[2], fused[1];
};

// A response of a stranger: P += i A, by resolve() alone; it checks that it is given its own worker's rows.
lm_status strange(lm_device* device, const lm_call* call) noexcept {
  const lm_view &a = call->views[0], &p = call->views[1];
  if (!(a.flags & LM_VIEW_SCRATCH) || call->members->n_active != 1) return LM_E_ARG;
  auto* from = static_cast<Complex*>(call->exec->resolve(device, a.buffer, nullptr)) + a.offset +
               call->exec->worker * static_cast<std::uint64_t>(a.pitch[0]);
  auto* to = static_cast<Complex*>(call->exec->resolve(device, p.buffer, nullptr)) + p.offset +
             call->exec->worker * static_cast<std::uint64_t>(p.pitch[0]);
  for (std::int64_t i = 0; i < a.extent[LM_AXIS_SAMPLE]; ++i) to[i] = Complex(-from[i].imag(), from[i].real());
  return LM_OK;
}
lm_status failing(lm_device*, const lm_call*) noexcept { return LM_E_INTERNAL; }

}  // namespace

TEST_CASE("response.raman and response.kerr_raman against plain sums") {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick());
  for (const std::int64_t n : {1, 2, 3, 5, 8, 31, 64, 100})
    for (const bool add : {false, true})
      for (const bool with_kerr : {false, true}) {
        CAPTURE(n);
        RowCase c;
        c.kernel = with_kerr ? "response.kerr_raman" : "response.raman";
        c.samples = {n, n / 2 + 1};
        c.out_samples = n;
        c.out_view = 1;
        c.plans = {device.fft(LM_FFT_R2C, n, LM_FFT_FORWARD, false, false, &c.work),
                   device.fft(LM_FFT_C2R, n, LM_FFT_BACKWARD, false, true)};
        c.with(lm_p_response{sizeof(lm_p_response), flags_of(add), 0.82});
        c.tolerance = 3e-15L;
        c.expected = [=](auto& x, auto, const LongRow& before) {
          LongRow out = delayed(x[0], x[1]);
          for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = (add ? before[i] : Long()) +
                     x[0][i] * (out[i] + (with_kerr ? static_cast<long double>(0.82) * std::norm(x[0][i]) : 0.0L));
          return out;
        };
        check_batches(device, c);
      }
}

TEST_CASE("rhs.fibre equals what it is composed of, to the bit with the same responses") {
  const driver::Host host;
  for (const char* threads : {"1", "2"}) {
    const driver::Device device(plugin(), host, quick(threads));
    for (const std::int64_t n : {1, 2, 7, 64, 97, 1000})
      for (const bool noisy : {false, true})
        for (const bool with_pre : {false, true}) {
          CAPTURE(n);
          Fibre f(device, 5, n, noisy, with_pre);
          driver::Members members(device, 5);
          members.parity = {0, 1, 1, 0, 1};
          members.status[3] = LM_NON_FINITE;
          members.active = {4, 2, 3, 0, 1};
          members.put();
          const auto untouched = f.out.row(3);
          driver::List composed(device, members), fused(device, members), one(device, members);
          f.add_composed(composed);
          f.add_fused(fused, f.apart, 2);
          f.add_fused(one, f.fused, 1);
          device.check(composed.each());
          const auto expected = f.out.get();
          device.check(fused.run());
          CHECK(same_bits(f.out.get(), expected));
          device.check(fused.each());
          CHECK(same_bits(f.out.get(), expected));
          device.check(one.run());
          for (const std::uint32_t m : {0u, 1u, 2u, 4u}) {
            const auto at = static_cast<std::ptrdiff_t>(f.out.at(m));
            CHECK(deviation(f.out.row(m),
                            longer(std::vector<Complex>(expected.begin() + at, expected.begin() + at + n))) < 2e-15L);
          }
          CHECK(same_bits(untouched, f.out.row(3)));
        }
  }
}

TEST_CASE("rhs.fibre against plain sums, and without a response") {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick());
  for (const std::int64_t n : {1, 2, 13, 60}) {
    Fibre f(device, 1, n, true, true);
    const driver::Members members(device, 1);
    driver::List list(device, members), empty(device, members);
    f.add_fused(list, f.fused, 1);
    device.check(list.each());
    LongRow x = longer(f.u.row(0));
    const LongRow noise = longer(f.noise.row(0)), pre = longer(f.pre.row(0)), source = longer(f.source.row(0));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = pre[i] * (x[i] + noise[i]);
    const LongRow A = naive_dft(x, -1), R = delayed(A, longer(f.H.row(0)));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = A[i] * (static_cast<long double>(0.82) * std::norm(A[i]) + R[i]);
    LongRow expected = naive_dft(x, 1);
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] *= source[i];
    CHECK(deviation(f.out.row(0), expected) < 5e-15L);
    f.add_fused(empty, nullptr, 0);
    device.check(empty.each());
    for (const Complex& v : f.out.row(0)) CHECK(v == Complex());
  }
}

TEST_CASE("a stranger's response runs inside rhs.fibre, and its failure is the caller's to see") {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick("2"));
  const std::int64_t n = 40;
  Fibre f(device, 6, n, false, false);
  const driver::Members members(device, 6);
  driver::List list(device, members), bad(device, members);
  const lm_response own = {&strange, nullptr, nullptr, nullptr, 0, 0, 0, 0, 0};
  f.add_fused(list, &own, 1);
  device.check(list.run());
  for (std::uint32_t m = 0; m < 6; ++m) {
    LongRow expected = longer(f.u.row(m));
    const LongRow source = longer(f.source.row(0));
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] *= Long(0, n) * source[i];
    CHECK(deviation(f.out.row(m), expected) < 2e-15L);
  }
  const lm_response wrong = {&failing, nullptr, nullptr, nullptr, 0, 0, 0, 0, 0};
  f.add_fused(bad, &wrong, 1);
  CHECK(bad.run() == LM_E_INTERNAL);
  CHECK(device.error().find("response 0") != std::string::npos);
}
