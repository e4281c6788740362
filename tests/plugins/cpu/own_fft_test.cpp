// SPDX-License-Identifier: Apache-2.0
// Our own transform: against a plain one in long double, next to FFTW's error in the same test; and its promise of
// equal bits, whatever lies beside a row.
#include <fftw3.h>
#include <plugins/cpu/fft/own.hpp>
#include <plugins/cpu/rows.hpp>

#include <algorithm>

#include "support.hpp"

using namespace cpu_tests;
using lumarch::cpu::Ends;
using lumarch::cpu::FftPasses;
using lumarch::cpu::FftScratch;
using lumarch::cpu::OwnFft;

namespace lumarch::cpu::wide {
extern const FftPasses fft_passes;  // eight lanes, as AVX-512 has, on AVX2
}

namespace {

struct Variant {
  std::string level;
  const FftPasses* passes;
};

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const char* level : {"v2", "v3", "v4", "generic"}) {
    setenv("LUMARCH_CPU_VARIANT", level, 1);
    try {
      all.push_back({level, lumarch::cpu::choose_rows().fft});
    } catch (const std::exception&) {  // this machine has not got it
    }
    unsetenv("LUMARCH_CPU_VARIANT");
  }
#if defined(__x86_64__)
  if (std::any_of(all.begin(), all.end(), [](const Variant& v) { return v.level == "v3"; }))
    all.insert(all.begin(), {"wide", &lumarch::cpu::wide::fft_passes});  // the last is the best
#endif
  return all;
}
const FftPasses& best() { return *variants().back().passes; }

std::vector<std::int64_t> served_up_to(std::int64_t most) {
  std::vector<std::int64_t> all;
  for (std::int64_t n = 1; n <= most; ++n)
    if (OwnFft::serves(n)) all.push_back(n);
  return all;
}

// Some lengths from `from` to 2^20, by a seed.
std::vector<std::int64_t> sample(std::int64_t from, std::size_t count) {
  std::mt19937_64 engine(11);
  std::uniform_int_distribution<std::int64_t> number(from, std::int64_t{1} << 20);
  std::vector<std::int64_t> out;
  while (out.size() < count) {
    std::int64_t n = number(engine);
    while (!OwnFft::serves(n)) ++n;
    if (n <= std::int64_t{1} << 20) out.push_back(n);
  }
  return out;
}

// By the smallest factor of n, each part by the same rule: slow and plain, in long double.
LongRow plain(const LongRow& x, int sign) {
  const std::size_t n = x.size();
  if (n == 1) return x;
  std::size_t r = 2;
  while (n % r != 0) ++r;
  const std::size_t m = n / r;
  std::vector<LongRow> parts;
  for (std::size_t k = 0; k < r; ++k) {
    LongRow part(m);
    for (std::size_t i = 0; i < m; ++i) part[i] = x[i * r + k];
    parts.push_back(plain(part, sign));
  }
  LongRow wave(n), out(n);
  for (std::size_t k = 0; k < n; ++k) {
    const long double angle = 2.0L * std::acos(-1.0L) * static_cast<long double>(k) / static_cast<long double>(n);
    wave[k] = Long(std::cos(angle), static_cast<long double>(sign) * std::sin(angle));
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < r; ++j) {
      const Long a = parts[j][k % m], w = wave[j * k % n];
      out[k] += Long(a.real() * w.real() - a.imag() * w.imag(), a.real() * w.imag() + a.imag() * w.real());
    }
  return out;
}

// The 2-norm of the difference over that of the result.
template <class T>
long double distance(const std::vector<T>& got, const LongRow& expected) {
  long double off = 0, size = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    off += std::norm(Long(got[i]) - expected[i]);
    size += std::norm(expected[i]);
  }
  return size > 0 ? std::sqrt(off / size) : std::sqrt(off);
}

double* doubles(std::vector<Complex>& row) { return reinterpret_cast<double*>(row.data()); }
const double* doubles(const std::vector<Complex>& row) { return reinterpret_cast<const double*>(row.data()); }

struct Own {
  explicit Own(std::int64_t n, const FftPasses& passes = best(), std::size_t width = 1)
      : fft(passes, static_cast<std::size_t>(n)), scratch(1) {
    scratch.reserve(std::max(fft.row_work(), fft.panel_work(width)));
  }
  std::vector<Complex> operator()(const std::vector<Complex>& x, int sign) const {
    std::vector<Complex> y(x.size());
    Ends ends;
    ends.backward = sign > 0;
    fft.row(doubles(x), doubles(y), ends, scratch, 0);
    return y;
  }
  OwnFft fft;
  FftScratch scratch;
};

std::vector<Complex> by_fftw(std::vector<Complex> x, int sign) {
  std::vector<Complex> y(x.size());
  fftw_plan plan = fftw_plan_dft_1d(static_cast<int>(x.size()), reinterpret_cast<fftw_complex*>(x.data()),
                                    reinterpret_cast<fftw_complex*>(y.data()), sign, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return y;
}

// What an error may be: a third of a unit in the last place for each factor of two, and for the table.
long double bound(std::int64_t n) { return 0.35e-16L * (2.0L + std::log2(static_cast<long double>(n))); }

constexpr double marker = 12345.0;

}  // namespace

TEST_CASE("own transforms are closer to the truth than FFTW's, for all lengths to 4096 and a sample to 2^20") {
  auto lengths = served_up_to(4096);
  for (const std::int64_t n : sample(4097, 5)) lengths.push_back(n);
  for (const std::int64_t n : {32768, 65536}) lengths.push_back(n);
  for (const Variant& variant : variants()) {
    CAPTURE(variant.level);
    long double ours = 0, theirs = 0, worst = 0;
    for (const std::int64_t n : lengths) {
      if (n > 512 && variant.passes != &best()) continue;
      CAPTURE(n);
      const Own own(n, *variant.passes);
      const auto x = random_values<Complex>(static_cast<std::size_t>(n), static_cast<unsigned>(n));
      for (const int sign : {-1, 1}) {
        const LongRow expected = plain(longer(x), sign);
        const long double e = distance(own(x, sign), expected);
        CHECK(e <= bound(n));
        ours += e;
        theirs += distance(by_fftw(x, sign), expected);
        worst = std::max(worst, e / bound(n));
      }
    }
    MESSAGE(variant.level << ": mean error " << static_cast<double>(ours / theirs) << " of FFTW's, at most "
                          << static_cast<double>(worst) << " of the bound");
    if (variant.level != "v2") CHECK(ours <= theirs);  // without fused multiply-add there are more roundings
  }
}

TEST_CASE("own real transforms, through fft.exec") {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick());
  auto lengths = served_up_to(2100);
  for (const std::int64_t n : {4096, 6561, 16384, 65536, 131072}) lengths.push_back(n);
  long double ours = 0, theirs = 0;
  for (const std::int64_t n : lengths) {
    CAPTURE(n);
    const auto size = static_cast<std::size_t>(n);
    driver::Array<double> x(device, 1, n), back(device, 1, n);
    driver::Array<Complex> X(device, 1, n / 2 + 1);
    auto values = random_values<double>(x.size, static_cast<unsigned>(n));
    x.put(values);
    const driver::Members members(device, 1);
    driver::List list(device, members);
    list.add("fft.exec", {X.view, x.view}, {device.fft(LM_FFT_R2C, n, LM_FFT_FORWARD)});
    list.add("fft.exec", {back.view, X.view}, {device.fft(LM_FFT_C2R, n, LM_FFT_BACKWARD)});
    device.check(list.each());
    values.resize(size);
    LongRow expected = plain(longer(values), -1);
    expected.resize(size / 2 + 1);
    const auto got = X.row(0);
    CHECK(distance(got, expected) <= bound(n));
    ours += distance(got, expected);
    std::vector<Complex> other(size / 2 + 1);
    fftw_plan plan = fftw_plan_dft_r2c_1d(static_cast<int>(n), values.data(),
                                          reinterpret_cast<fftw_complex*>(other.data()), FFTW_ESTIMATE);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    theirs += distance(other, expected);
    LongRow again(size);  // c2r against the plain transform of the spectrum that it was given
    for (std::size_t k = 0; k < size; ++k) again[k] = k <= size / 2 ? Long(got[k]) : std::conj(Long(got[size - k]));
    again[0] = again[0].real();
    if (n % 2 == 0) again[size / 2] = again[size / 2].real();
    CHECK(distance(back.row(0), plain(again, 1)) <= bound(n));
  }
  MESSAGE("mean error " << static_cast<double>(ours / theirs) << " of FFTW's");
  CHECK(ours <= theirs);
}

TEST_CASE("a column of a panel has the bits of a row, at any width and pitch, in place or not") {
  for (const Variant& variant : variants())
    for (const std::int64_t n : {1, 2, 3, 5, 7, 8, 9, 12, 16, 24, 60, 64, 100, 343, 360, 1024, 40960}) {
      const auto size = static_cast<std::size_t>(n);
      for (std::size_t width = 1; width <= 33; width += n > 400 ? 16 : 1) {
        CAPTURE(variant.level);
        CAPTURE(n);
        CAPTURE(width);
        const Own own(n, *variant.passes, width);
        const std::size_t pitch = width + width % 5, other = width + 3;
        const auto in = random_values<Complex>(size * pitch, 5);
        for (const bool in_place : {false, true}) {
          const std::size_t out_pitch = in_place ? pitch : other;
          std::vector<Complex> out = in_place ? in : std::vector<Complex>(size * other, marker);
          const bool backward = width % 2 == 0;
          own.fft.panel({in_place ? doubles(out) : doubles(in), pitch, doubles(out), out_pitch, width}, backward,
                        own.scratch, 0);
          bool same = true, kept = true;
          for (std::size_t c = 0; c < out_pitch; ++c) {
            std::vector<Complex> column(size), got(size);
            for (std::size_t t = 0; t < size; ++t) {
              got[t] = out[t * out_pitch + c];
              column[t] = c < pitch ? in[t * pitch + c] : 0.0;
            }
            if (c < width)
              same = same && same_bits(got, own(column, backward ? 1 : -1));
            else
              kept = kept && same_bits(got, in_place ? column : std::vector<Complex>(size, marker));
          }
          CHECK(same);
          CHECK(kept);
        }
      }
    }
}

TEST_CASE("v3 and v4 have the same bits, and eight lanes on AVX2 the same as four") {
  std::vector<const FftPasses*> all;
  for (const Variant& variant : variants())
    if (variant.level != "v2" && variant.level != "generic") all.push_back(variant.passes);
  if (all.size() < 2) {
    MESSAGE("skipped: this processor has no AVX2");
    return;
  }
  auto lengths = served_up_to(1200);
  for (const std::int64_t n : {4096, 16384, 30000, 32768, 65536, 100000}) lengths.push_back(n);
  for (const std::int64_t n : lengths) {
    CAPTURE(n);
    const auto x = random_values<Complex>(static_cast<std::size_t>(n), 2);
    const auto first = Own(n, *all[0])(x, -1);
    for (const FftPasses* other : all) CHECK(same_bits(first, Own(n, *other)(x, -1)));
  }
}

TEST_CASE("in place has the bits of out of place, and the input is kept") {
  for (const std::int64_t n : {1, 6, 15, 64, 81, 1000, 4096, 65536}) {
    CAPTURE(n);
    const Own own(n);
    const auto x = random_values<Complex>(static_cast<std::size_t>(n), 3);
    auto y = x;
    const auto expected = own(x, 1);
    CHECK(same_bits(x, y));
    Ends ends;
    ends.backward = true;
    own.fft.row(doubles(y), doubles(y), ends, own.scratch, 0);
    CHECK(same_bits(y, expected));
  }
}

TEST_CASE("round trip, energy, linearity and shifted impulses") {
  for (const std::int64_t n : {1, 2, 7, 8, 45, 64, 210, 729, 1024, 2500, 16384, 50000}) {
    CAPTURE(n);
    const auto size = static_cast<std::size_t>(n);
    const Own own(n);
    const auto x = random_values<Complex>(size, 6), y = random_values<Complex>(size, 7);
    const auto X = own(x, -1), Y = own(y, -1);
    LongRow scaled = longer(x);
    for (auto& v : scaled) v *= static_cast<long double>(n);
    CHECK(distance(own(X, 1), scaled) < 2 * bound(n));
    long double there = 0, here = 0;
    for (std::size_t i = 0; i < size; ++i) {
      there += std::norm(Long(X[i]));
      here += std::norm(Long(x[i]));
    }
    CHECK(std::abs(there / (here * static_cast<long double>(n)) - 1) < 4 * bound(n));
    std::vector<Complex> z(size);
    LongRow sum(size);
    for (std::size_t i = 0; i < size; ++i) {
      z[i] = x[i] - 2.0 * y[i];
      sum[i] = Long(X[i]) - 2.0L * Long(Y[i]);
    }
    CHECK(distance(own(z, -1), sum) < 4 * bound(n));
    for (const std::size_t at : {std::size_t{0}, size / 3, size - 1}) {
      std::vector<Complex> impulse(size);
      impulse[at] = 1.0;
      LongRow wave(size);
      for (std::size_t k = 0; k < size; ++k)
        wave[k] = std::polar(
            1.0L, -2.0L * std::acos(-1.0L) * static_cast<long double>(at * k % size) / static_cast<long double>(n));
      CHECK(distance(own(impulse, -1), wave) < bound(n));
    }
  }
}

TEST_CASE("what is not finite in one row stays out of its neighbours; small numbers stay small numbers") {
  for (const std::int64_t n : {8, 15, 64, 100, 1024}) {
    CAPTURE(n);
    const auto size = static_cast<std::size_t>(n);
    const std::size_t width = 9;
    const Own own(n, best(), width);
    auto in = random_values<Complex>(size * width, 8);
    in[size / 2 * width + 4] = {0.0, INFINITY};
    in[size / 2 * width + 7] = {NAN, 1.0};
    std::vector<Complex> out(in.size());
    own.fft.panel({doubles(in), width, doubles(out), width, width}, false, own.scratch, 0);
    for (std::size_t c = 0; c < width; ++c) {
      std::vector<Complex> column(size), got(size);
      bool finite = true, none = true;
      for (std::size_t t = 0; t < size; ++t) {
        column[t] = in[t * width + c];
        got[t] = out[t * width + c];
        const bool here = std::isfinite(got[t].real()) && std::isfinite(got[t].imag());
        finite = finite && here;
        none = none && !here;
      }
      CHECK(finite == (c != 4 && c != 7));
      CHECK(none == (c == 4 || c == 7));
      if (finite) CHECK(same_bits(got, own(column, -1)));
    }
    auto tiny = random_values<Complex>(size, 9);
    LongRow expected;
    for (auto& v : tiny) {
      v = Complex(std::ldexp(v.real(), -1050), std::ldexp(v.imag(), -1050));
      expected.emplace_back(v);
    }
    expected = plain(expected, -1);
    const auto small = own(tiny, -1);
    for (std::size_t k = 0; k < size; ++k)
      CHECK(std::abs(Long(small[k]) - expected[k]) < 5e-324L * 4 * static_cast<long double>(n));
  }
}
