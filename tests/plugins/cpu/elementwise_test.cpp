// SPDX-License-Identifier: Apache-2.0
// The kernels that work element by element, against the same formula in long double.
#include "support.hpp"

using namespace cpu_tests;

namespace {

const std::vector<std::int64_t> lengths = {1, 2, 3, 7, 31, 64, 257, 1000};

LongRow sum_of(const std::vector<LongRow>& x, const lm_p_combine& p, std::int32_t level, long double h, std::size_t n) {
  LongRow out(n);
  for (std::uint32_t j = 0; j < p.n; ++j)
    for (std::size_t i = 0; p.term[j].level == level && i < n; ++i)
      out[i] += (p.term[j].hpow ? h : 1.0L) * static_cast<long double>(p.term[j].c) * x[j][i];
  return out;
}

}  // namespace

TEST_CASE("core.fill sets complex and real rows") {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick());
  for (const auto n : lengths) {
    RowCase c;
    c.kernel = "core.fill";
    c.out_samples = n;
    c.with(lm_p_fill{sizeof(lm_p_fill), 0, 1.5, -2.5});
    c.tolerance = 0;
    c.expected = [n](auto&, auto, auto&) { return LongRow(static_cast<std::size_t>(n), Long(1.5L, -2.5L)); };
    check_batches(device, c);
    c.out_real = true;
    c.expected = [n](auto&, auto, auto&) { return LongRow(static_cast<std::size_t>(n), Long(1.5L)); };
    check_batches(device, c);
  }
}

TEST_CASE("core.lincomb sums 1 to 8 terms, also in place") {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick());
  for (const auto n : lengths)
    for (std::size_t terms = 1; terms <= 8; ++terms)
      for (const bool in_place : {false, true}) {
        CAPTURE(n);
        CAPTURE(terms);
        std::vector<lm_term> t;
        for (std::size_t j = 0; j < terms; ++j)
          t.push_back({0.5 + 0.25 * static_cast<double>(j), static_cast<int>(j % 2), 0});
        const lm_p_combine p = driver::combination(t);
        RowCase c;
        c.kernel = "core.lincomb";
        c.samples.assign(terms, n);
        c.out_samples = n;
        c.in_place = in_place;
        c.with(p);
        c.tolerance = 4e-15L;
        c.expected = [p, n](auto& x, auto h, auto&) { return sum_of(x, p, 0, h, static_cast<std::size_t>(n)); };
        check_batches(device, c);
      }
}

TEST_CASE("core.mul and lin.apply multiply, also in place; INVERSE divides") {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick());
  for (const auto n : lengths)
    for (const bool in_place : {false, true}) {
      CAPTURE(n);
      RowCase c;
      c.kernel = "core.mul";
      c.samples = {n, n};
      c.out_samples = n;
      c.in_place = in_place;
      c.expected = [](auto& x, auto, auto&) {
        LongRow out = x[0];
        for (std::size_t i = 0; i < out.size(); ++i) out[i] *= x[1][i];
        return out;
      };
      check_batches(device, c);
      c.real = {false, true};
      check_batches(device, c);
      c.real = {};
      c.kernel = "lin.apply";
      c.with(lm_p_apply{sizeof(lm_p_apply), 0});
      check_batches(device, c);
      c.with(lm_p_apply{sizeof(lm_p_apply), LM_APPLY_INVERSE});
      c.expected = [](auto& x, auto, auto&) {
        LongRow out = x[0];
        for (std::size_t i = 0; i < out.size(); ++i) out[i] /= x[1][i];
        return out;
      };
      check_batches(device, c);
    }
}

TEST_CASE("response.kerr overwrites or adds") {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick());
  for (const auto n : lengths)
    for (const bool add : {false, true}) {
      RowCase c;
      c.kernel = "response.kerr";
      c.samples = {n};
      c.out_samples = n;
      c.out_view = 1;
      c.with(lm_p_response{sizeof(lm_p_response), flags_of(add), 0.82});
      c.expected = [add](auto& x, auto, const LongRow& before) {
        LongRow out(x[0].size());
        for (std::size_t i = 0; i < out.size(); ++i)
          out[i] = (add ? before[i] : Long()) + static_cast<long double>(0.82) * std::norm(x[0][i]) * x[0][i];
        return out;
      };
      check_batches(device, c);
    }
}

TEST_CASE("step.combine follows Horner's rule for all patterns of levels, also in place") {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick());
  const std::vector<std::vector<int>> patterns = {{0},
                                                  {1},
                                                  {2},
                                                  {0, 1},
                                                  {1, 0},
                                                  {1, 1},
                                                  {2, 1},
                                                  {2, 0, 1},
                                                  {2, 2, 1, 1, 0},
                                                  {0, 0, 1, 1, 1, 2, 2},
                                                  {0, 0, 0},
                                                  {2, 2, 2, 0},
                                                  {1, 1, 1, 1},
                                                  {1, 2, 0, 1, 2, 0, 1, 2},
                                                  {0, 0, 0, 0, 0, 0, 0, 0}};
  for (const std::int64_t n : {1, 5, 127, 128, 300})
    for (const auto& levels : patterns)
      for (const bool in_place : {false, true}) {
        std::vector<lm_term> t;
        for (std::size_t j = 0; j < levels.size(); ++j)
          t.push_back({1.0 - 0.3 * static_cast<double>(j), static_cast<int>(j % 2), levels[j]});
        const lm_p_combine p = driver::combination(t);
        RowCase c;
        c.kernel = "step.combine";
        c.samples.assign(levels.size() + 1, n);
        c.out_samples = n;
        c.in_place = in_place;
        c.with(p);
        c.tolerance = 4e-15L;
        c.expected = [p, n](auto& x, auto h, auto&) {
          const auto size = static_cast<std::size_t>(n);
          const LongRow s0 = sum_of(x, p, 0, h, size), s1 = sum_of(x, p, 1, h, size), s2 = sum_of(x, p, 2, h, size);
          LongRow out(size);
          for (std::size_t i = 0; i < size; ++i) out[i] = s0[i] + x.back()[i] * (s1[i] + x.back()[i] * s2[i]);
          return out;
        };
        check_batches(device, c);
      }
}

TEST_CASE("lin.prepare exponentiates a shared and an own operator") {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick());
  for (const bool shared : {false, true})
    for (const bool lossless : {false, true})
      for (const auto n : lengths) {
        driver::Layout layout;
        layout.shared = shared;
        driver::Array<Complex> D(device, 3, n, layout), E(device, 3, n);
        auto values = random_values<Complex>(D.size, 5);
        for (auto& v : values) v *= 300.0;
        D.put(values);
        driver::Members members(device, 3);
        members.h = {0.5, 1.0, 2.0};
        members.status[1] = LM_DONE;
        members.put();
        const auto before = E.row(1);
        driver::List list(device, members);
        list.add("lin.prepare", {E.view}, {device.propagator(D.view, 0.5, lossless)});
        device.check(list.each());
        CHECK(same_bits(E.row(1), before));
        for (const std::uint32_t m : {0u, 2u}) {
          const auto got = E.row(m), d = D.row(shared ? 0 : m);
          for (std::size_t i = 0; i < got.size(); ++i) {
            const double s = 0.5 * members.h[m];
            const Long x(lossless ? 0.0L : static_cast<long double>(s * d[i].real()),
                         static_cast<long double>(s * d[i].imag()));
            const Long expected = std::exp(x);
            CHECK(std::abs(Long(got[i]) - expected) <= 4e-16L * std::abs(expected));
          }
        }
      }
}

TEST_CASE("reduce.error sums over samples and components of each member") {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick());
  for (const std::int64_t n : {1, 2, 15, 16, 17, 255, 256, 257, 1000, 5000}) {
    const lm_p_combine p = driver::combination({{1.0, 0, 0}, {-0.5, 1, 0}}, 2);
    driver::Layout two;
    two.components = 2;
    driver::Array<Complex> y(device, 3, n, two), a(device, 3, n, two), b(device, 3, n, two);
    y.put(random_values<Complex>(y.size, 1));
    a.put(random_values<Complex>(a.size, 2));
    b.put(random_values<Complex>(b.size, 3));
    driver::Members members(device, 3, 5);
    members.h = {0.5, 1.0, 2.0};
    members.status[2] = LM_CAPPED;
    members.numbers.assign(15, -7.0);
    members.put();
    driver::List list(device, members);
    list.add("reduce.error", {y.view, a.view, b.view}).set(p);
    device.check(list.each());
    const auto numbers = members.read_numbers();
    for (std::uint32_t m = 0; m < 3; ++m) {
      long double error = 0, norm = 0;
      for (std::int64_t k = 0; k < 2; ++k) {
        const LongRow ry = longer(y.row(m, 0, k)), ra = longer(a.row(m, 0, k)), rb = longer(b.row(m, 0, k));
        for (std::size_t i = 0; i < ry.size(); ++i) {
          error += std::norm(ra[i] - 0.5L * static_cast<long double>(members.h[m]) * rb[i]);
          norm += std::norm(ry[i]);
        }
      }
      for (const std::size_t other : {0u, 1u, 4u}) CHECK(numbers[5 * m + other] == -7.0);
      if (m == 2) {
        CHECK(numbers[12] == -7.0);
        continue;
      }
      CHECK(std::abs(numbers[5 * m + 2] - error) <= 2e-15L * error);
      CHECK(std::abs(numbers[5 * m + 3] - norm) <= 2e-15L * norm);
    }
  }
}

TEST_CASE("values that are not finite pass through") {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick());
  driver::Array<Complex> x(device, 1, 8), E(device, 1, 8);
  auto values = random_values<Complex>(x.size, 4);
  values[3] = Complex(NAN, 0);
  values[5] = Complex(1.0, INFINITY);
  x.put(values);
  const driver::Members members(device, 1);
  driver::List list(device, members);
  list.add("lin.prepare", {E.view}, {device.propagator(x.view, 1.0, false)});
  list.add("reduce.error", {x.view, x.view}).set(driver::combination({{1.0, 0, 0}}));
  device.check(list.each());
  const auto got = E.row(0);
  for (std::size_t i = 0; i < 8; ++i) CHECK(std::isfinite(got[i].real()) == (i != 3 && i != 5));
  CHECK(std::isnan(members.read_numbers()[0]));
}
