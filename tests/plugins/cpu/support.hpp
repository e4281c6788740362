// SPDX-License-Identifier: Apache-2.0
// What the tests of the CPU backend share: the plugin, numbers, and one case for all kernels that map rows to a row.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "../driver.hpp"

namespace cpu_tests {

using driver::Complex;
using Long = std::complex<long double>;
using LongRow = std::vector<Long>;

inline const driver::Plugin& plugin() {
  static const driver::Plugin loaded(std::string(LUMARCH_BACKEND_DIR) + "/liblumarch_backend_cpu.so");
  return loaded;
}

// Without measured plans: tests of arithmetic need none.
inline driver::Device::Options quick(const char* threads = "1") { return {{"threads", threads}, {"plan", "estimate"}}; }

inline std::uint32_t flags_of(bool accumulate) { return accumulate ? std::uint32_t{LM_RESPONSE_ACCUMULATE} : 0; }

class Folder {
public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "lumarch-cpu-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path;
};

template <class T>
std::vector<T> random_values(std::size_t n, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::vector<T> out(n);
  for (T& v : out) {
    const double re = number(engine);
    if constexpr (std::is_same_v<T, Complex>)
      v = Complex(re, number(engine));
    else
      v = re;
  }
  return out;
}

template <class T>
LongRow longer(const std::vector<T>& row) {
  return {row.begin(), row.end()};
}

// sum_j x_j exp(sign 2 pi i j k / n), with the angle reduced exactly.
inline LongRow naive_dft(const LongRow& x, int sign) {
  const std::size_t n = x.size();
  const long double turn = 2.0L * std::acos(-1.0L);
  LongRow wave(n), out(n);
  for (std::size_t j = 0; j < n; ++j) {
    const long double angle =
        static_cast<long double>(sign) * turn * static_cast<long double>(j) / static_cast<long double>(n);
    wave[j] = Long(std::cos(angle), std::sin(angle));
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j) out[k] += x[j] * wave[j * k % n];
  return out;
}

// The largest deviation over the largest value.
template <class T>
long double deviation(const std::vector<T>& got, const LongRow& expected) {
  long double worst = 0, size = 0;
  if (got.size() != expected.size()) return INFINITY;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const long double off = std::abs(Long(got[i]) - expected[i]);
    worst = off > worst || std::isnan(off) ? off : worst;
    size = std::max(size, std::abs(expected[i]));
  }
  return size > 0 ? worst / size : worst;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// ---- a kernel whose view `out_view` is written from the others, row by row ----
struct RowCase {
  std::string kernel;
  std::vector<std::int64_t> samples;  // of the inputs
  std::vector<bool> real;             // which of them are f64; empty: none
  std::int64_t out_samples = 0;
  bool out_real = false;
  std::uint32_t out_view = 0;
  bool in_place = false;  // the output is the first input
  std::vector<lm_plan*> plans;
  std::vector<std::byte> params;
  std::uint64_t work = 0;
  // The output row from the input rows, h, and what the output row was.
  std::function<LongRow(const std::vector<LongRow>&, long double, const LongRow&)> expected;
  long double tolerance = 1e-15L;

  template <class P>
  RowCase& with(const P& p) {
    params.resize(sizeof p);
    std::memcpy(params.data(), &p, sizeof p);
    return *this;
  }
};

// Runs it for a batch with its own parities, banks, pitches, h, a flipped and a shared input, two components and an
// active map out of order with members that do not run; compares every row and every byte that must not change.
template <class Out, bool out_is_real = std::is_same_v<Out, double>>
void check_batch(const driver::Device& device, const RowCase& c, std::uint32_t count) {
  CAPTURE(c.kernel);
  CAPTURE(count);
  const std::int64_t components = 2;
  driver::Members members(device, count);
  for (std::uint32_t m = 0; m < count; ++m) {
    members.h[m] = 0.25 + 0.5 * m;
    members.parity[m] = static_cast<std::uint8_t>(m * 5 % 3 % 2);
    members.status[m] = m % 4 == 2 ? LM_STOPPED : LM_RUNNING;
    members.active[m] = count - 1 - m;
  }
  members.get.first = count > 3 ? 1 : 0;  // the last member of all is not asked for
  members.get.n_active = count - members.get.first;
  members.put();

  std::vector<driver::Array<Complex>> complex;
  std::vector<driver::Array<double>> real;
  std::vector<std::pair<bool, std::size_t>> input;
  complex.reserve(c.samples.size());
  real.reserve(c.samples.size());
  std::vector<lm_view> views;
  for (std::size_t i = 0; i < c.samples.size(); ++i) {
    driver::Layout layout;
    layout.banks = i % 2 ? 1 : 2;
    layout.gap = i % 3 ? 0 : 16;
    layout.components = i == 0 || i % 2 ? components : 1;  // some are shared by the components
    layout.shared = i > 0 && i % 2 == 0;
    const auto seed = static_cast<unsigned>(100 + i);
    if (!c.real.empty() && c.real[i]) {
      real.emplace_back(device, count, c.samples[i], layout);
      real.back().put(random_values<double>(real.back().size, seed));
      if (i == 0) real.back().view.flags |= LM_VIEW_FLIP;
      views.push_back(real.back().view);
      input.emplace_back(true, real.size() - 1);
    } else {
      complex.emplace_back(device, count, c.samples[i], layout);
      complex.back().put(random_values<Complex>(complex.back().size, seed));
      if (i == 0) complex.back().view.flags |= LM_VIEW_FLIP;
      views.push_back(complex.back().view);
      input.emplace_back(false, complex.size() - 1);
    }
  }
  const auto in_row = [&](std::size_t i, std::uint32_t m, std::int64_t component) {
    const auto [is_real, at] = input[i];
    const std::uint32_t parity = members.parity[m];
    const auto k = [&](const auto& array) { return array.view.extent[LM_AXIS_COMPONENT] == 1 ? 0 : component; };
    return is_real ? longer(real[at].row(m, parity, k(real[at]))) : longer(complex[at].row(m, parity, k(complex[at])));
  };

  driver::Layout layout;
  layout.banks = 2;
  layout.components = components;
  driver::Array<Out> own(device, count, c.out_samples, layout);
  own.put(random_values<Out>(own.size, 7));
  driver::Array<Out>* out = &own;
  if constexpr (!out_is_real) {
    if (c.in_place) out = &complex[0];
  }
  if (c.in_place)
    views.insert(views.begin(), out->view);
  else
    views.insert(views.begin() + c.out_view, out->view);

  const std::vector<Out> before = out->get();
  std::vector<std::vector<LongRow>> expected(count, std::vector<LongRow>(components));
  for (std::uint32_t m = 0; m < count; ++m)
    for (std::int64_t k = 0; k < components; ++k) {
      std::vector<LongRow> rows;
      for (std::size_t i = 0; i < input.size(); ++i) rows.push_back(in_row(i, m, k));
      expected[m][static_cast<std::size_t>(k)] =
          c.expected(rows, members.h[m], longer(out->row(m, members.parity[m], k)));
    }

  driver::List list(device, members);
  driver::Call& call = list.add(c.kernel, views, c.plans);
  call.params = c.params;
  const auto work = driver::work_area(device, c.work + 64);
  call.work = work.view;
  device.check(list.run());

  std::vector<Out> after = out->get();
  for (std::uint32_t m = 0; m < count; ++m) {
    if (members.status[m] != LM_RUNNING || (count > 3 && m == count - 1)) continue;
    CAPTURE(m);
    for (std::int64_t k = 0; k < components; ++k) {
      CHECK(deviation(out->row(m, members.parity[m], k), expected[m][static_cast<std::size_t>(k)]) <= c.tolerance);
      const std::size_t at = out->at(m, members.parity[m], k);
      std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(at), c.out_samples,
                  after.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  CHECK(same_bits(before, after));  // with the rows that were due put back, nothing else has changed
}

inline void check_batches(const driver::Device& device, const RowCase& c) {
  for (const std::uint32_t count : {1u, 3u, 33u}) {
    if (c.out_real)
      check_batch<double>(device, c, count);
    else
      check_batch<Complex>(device, c, count);
  }
}

}  // namespace cpu_tests
