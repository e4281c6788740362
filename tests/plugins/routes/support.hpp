// SPDX-License-Identifier: Apache-2.0
// What these tests share: the backend that LUMARCH_TEST_BACKEND names, fields with components and nodes, plain sums.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "../driver.hpp"

namespace routes {

using driver::Complex;
using Long = long double;
using LongComplex = std::complex<Long>;

constexpr Long pi = 3.14159265358979323846264338327950288L;

inline std::string setting(const char* name, const char* otherwise) {
  const char* text = std::getenv(name);
  return text ? text : otherwise;
}

inline const driver::Plugin& plugin() {
  static const driver::Plugin loaded(std::string(LUMARCH_BACKEND_DIR) + "/liblumarch_backend_" +
                                     setting("LUMARCH_TEST_BACKEND", "reference") + ".so");
  return loaded;
}

// An open device, closed with the process.
inline const driver::Device& device() {
  static const driver::Host host;
  static const std::string threads = setting("LUMARCH_TEST_THREADS", "1");
  static const driver::Device::Options options =
      setting("LUMARCH_TEST_BACKEND", "reference") == "cpu"
          ? driver::Device::Options{{"threads", threads.c_str()}, {"plan", "estimate"}}
          : driver::Device::Options{};
  static const driver::Device opened(plugin(), host, options);
  return opened;
}

struct Nodes {
  std::int64_t components = 1, outer = 1, inner = 1;
};

// Rows of two members with components and nodes; every second member has other numbers.
template <class T>
class Field {
public:
  Field(std::int64_t n, Nodes nodes = {}, bool shared = false)
      : nodes_(nodes), n_(n), array_(device(), members, n, layout(nodes, shared)), values_(array_.size) {}

  static constexpr std::uint32_t members = 2;

  Field& random(unsigned seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    for (T& v : values_) {
      const double re = number(engine);
      if constexpr (std::is_same_v<T, Complex>)
        v = Complex(re, number(engine));
      else
        v = re;
    }
    return *this;
  }
  // f(sample) for all rows, or f(component, sample).
  template <class F>
  Field& set(F f) {
    for (std::uint32_t m = 0; m < (array_.view.pitch[0] ? members : 1); ++m)
      for (std::int64_t c = 0; c < nodes_.components; ++c)
        for (std::int64_t y = 0; y < nodes_.outer; ++y)
          for (std::int64_t x = 0; x < nodes_.inner; ++x)
            for (std::int64_t s = 0; s < n_; ++s) at(m, c, y, x, s) = f(c, y, x, s);
    return *this;
  }
  [[nodiscard]] std::size_t index(std::uint32_t m, std::int64_t c, std::int64_t y, std::int64_t x,
                                  std::int64_t s) const {
    const lm_view& v = array_.view;
    return static_cast<std::size_t>(m * v.pitch[0] + c * v.pitch[1] + y * v.pitch[2] + x * v.pitch[3] + s);
  }
  T& at(std::uint32_t m, std::int64_t c, std::int64_t y, std::int64_t x, std::int64_t s) {
    return values_[index(m, c, y, x, s)];
  }
  [[nodiscard]] const T& at(std::uint32_t m, std::int64_t c, std::int64_t y, std::int64_t x, std::int64_t s) const {
    return values_[index(m, c, y, x, s)];
  }
  [[nodiscard]] const lm_view& view() const { return array_.view; }
  void upload() const { array_.put(values_); }
  void download() { values_ = array_.get(); }
  [[nodiscard]] std::int64_t n() const { return n_; }
  [[nodiscard]] const Nodes& nodes() const { return nodes_; }

private:
  static driver::Layout layout(const Nodes& nodes, bool shared) {
    driver::Layout out;
    out.shared = shared;
    out.components = nodes.components;
    out.outer = nodes.outer;
    out.inner = nodes.inner;
    return out;
  }
  Nodes nodes_;
  std::int64_t n_;
  driver::Array<T> array_;
  std::vector<T> values_;
};

constexpr Long scale_of(std::uint32_t member, int slot) { return 0.5L + 0.25L * member + 0.125L * slot; }

// One call on both members, whose four factors are scale_of().
template <class P>
void call(const std::string& kernel, const std::vector<lm_view>& views, const P* params,
          const std::vector<lm_plan*>& plans = {}, std::uint64_t work_bytes = 0) {
  driver::Members all(device(), 2, 4, 4);
  for (std::uint32_t m = 0; m < 2; ++m)
    for (int slot = 0; slot < 4; ++slot)
      all.scales[m * 4 + static_cast<unsigned>(slot)] = static_cast<double>(scale_of(m, slot));
  all.put();
  driver::List list(device(), all);
  driver::Call& one = list.add(kernel, views, plans);
  if (params) one.set(*params);
  const auto work = driver::work_area(device(), work_bytes + 64);
  if (work_bytes) {
    one.work = work.view;
    one.work.extent[LM_AXIS_SAMPLE] = static_cast<std::int64_t>(work_bytes);
  }
  device().check(list.each());
}
inline const lm_p_axis* no_params = nullptr;

constexpr std::uint64_t round_up(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

// The largest deviation over the largest value: add() what was got and what is right, then ask.
class Off {
public:
  void add(LongComplex got, LongComplex right) {
    const Long off = std::abs(got - right);
    if (!(off <= worst_)) worst_ = off;
    largest_ = std::max(largest_, std::abs(right));
  }
  [[nodiscard]] double operator()() const { return static_cast<double>(largest_ > 0 ? worst_ / largest_ : worst_); }

private:
  Long worst_ = 0, largest_ = 0;
};

// sum_j x_j exp(sign 2 pi i j k / n)
inline std::vector<LongComplex> sums(const std::vector<LongComplex>& x, int sign) {
  const std::size_t n = x.size();
  std::vector<LongComplex> wave(n), out(n);
  for (std::size_t j = 0; j < n; ++j)
    wave[j] = std::polar(1.0L, static_cast<Long>(sign) * 2 * pi * static_cast<Long>(j) / static_cast<Long>(n));
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j) out[k] += x[j] * wave[j * k % n];
  return out;
}

}  // namespace routes
