// SPDX-License-Identifier: Apache-2.0
// The row functions themselves: sine, cosine and exponential to the last place, and all variants against each other.
#include <plugins/cpu/rows.hpp>

#include "support.hpp"

using namespace cpu_tests;

namespace {

const lumarch::cpu::RowFunctions* variant(const char* level) {
  setenv("LUMARCH_CPU_VARIANT", level, 1);
  const lumarch::cpu::RowFunctions* rows = nullptr;
  try {
    rows = &lumarch::cpu::choose_rows();
  } catch (const std::exception&) {  // this machine has not got it
  }
  unsetenv("LUMARCH_CPU_VARIANT");
  return rows;
}

std::vector<const lumarch::cpu::RowFunctions*> variants() {
  std::vector<const lumarch::cpu::RowFunctions*> all;
  for (const char* level : {"v2", "v3", "v4", "generic"})
    if (const auto* rows = variant(level)) all.push_back(rows);
  return all;
}

double ulp(double x) { return std::nextafter(std::abs(x), INFINITY) - std::abs(x); }

// Angles of all sizes, and those next to multiples of pi/2, where the reduction has to be good.
std::vector<double> angles() {
  std::mt19937_64 engine(1);
  std::vector<double> out = {0.0, -0.0, 1e-320, 1e8, -1e8, 99999999.5};
  std::uniform_real_distribution<double> exponent(-12, 8), sign(-1, 1);
  for (int i = 0; i < 100000; ++i) out.push_back(std::copysign(std::pow(10.0, exponent(engine)), sign(engine)));
  std::uniform_int_distribution<int> multiple(-63000000, 63000000);
  for (int i = 0; i < 100000; ++i) out.push_back(multiple(engine) * 1.57079632679489661923);
  for (int k = -2000; k <= 2000; ++k) out.push_back(k * 1.57079632679489661923);
  return out;
}

}  // namespace

TEST_CASE("sine and cosine lie within one unit in the last place, up to 1e8") {
  const auto x = angles();
  std::vector<Complex> D, E(x.size());
  for (const double a : x) D.emplace_back(NAN, a);
  for (const auto* rows : variants()) {
    CAPTURE(std::string(rows->level));
    rows->propagator(reinterpret_cast<double*>(E.data()), reinterpret_cast<double*>(D.data()), 1.0, true, x.size());
    long double worst = 0;
    double from_libm = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const long double c = std::cos(static_cast<long double>(x[i])), s = std::sin(static_cast<long double>(x[i]));
      worst = std::max({worst, std::abs(E[i].real() - c) / ulp(static_cast<double>(c)),
                        std::abs(E[i].imag() - s) / ulp(static_cast<double>(s))});
      from_libm = std::max({from_libm, std::abs(E[i].real() - std::cos(x[i])) / ulp(std::cos(x[i])),
                            std::abs(E[i].imag() - std::sin(x[i])) / ulp(std::sin(x[i]))});
    }
    MESSAGE(std::string(rows->level) << ": at most " << static_cast<double>(worst) << " ulp off, " << from_libm
                                     << " from libm");
    CHECK(worst < 1.0L);
    CHECK(from_libm <= 1.0);
  }
}

TEST_CASE("the exponential lies within one and a half units, and what is out of range goes to libm") {
  std::vector<Complex> D, E;
  std::mt19937_64 engine(2);
  std::uniform_real_distribution<double> number(-699, 699), small(-1, 1);
  for (int i = 0; i < 50000; ++i) D.emplace_back(i % 2 ? number(engine) : small(engine), 0.0);
  E.resize(D.size());
  for (const auto* rows : variants()) {
    CAPTURE(std::string(rows->level));
    rows->propagator(reinterpret_cast<double*>(E.data()), reinterpret_cast<double*>(D.data()), 1.0, false, D.size());
    long double worst = 0;
    for (std::size_t i = 0; i < D.size(); ++i) {
      const long double e = std::exp(static_cast<long double>(D[i].real()));
      worst = std::max(worst, std::abs(E[i].real() - e) / ulp(static_cast<double>(e)));
    }
    MESSAGE(std::string(rows->level) << ": at most " << static_cast<double>(worst) << " ulp off");
    CHECK(worst < 1.5L);
    const std::vector<Complex> odd = {{-1e4, 0},     {800, 0}, {0, 1e9},      {0, -3e15},
                                      {0, INFINITY}, {NAN, 0}, {-INFINITY, 1}};
    std::vector<Complex> got(odd.size());
    rows->propagator(reinterpret_cast<double*>(got.data()), reinterpret_cast<const double*>(odd.data()), 1.0, false,
                     odd.size());
    CHECK(got[0] == Complex(0, 0));
    CHECK(std::isinf(got[1].real()));
    CHECK(got[2] == Complex(std::cos(1e9), std::sin(1e9)));
    CHECK(got[3] == Complex(std::cos(-3e15), std::sin(-3e15)));
    CHECK(std::isnan(got[4].real()));
    CHECK(std::isnan(got[5].real()));
    CHECK(got[6] == Complex(0, 0));
  }
}

TEST_CASE("v3 and v4 have the same bits, v2 the same numbers to rounding") {
  const std::size_t n = 1003;
  struct Out {
    const char* level;
    std::vector<std::vector<Complex>> rows;
    double squares;
  };
  std::vector<Out> results;
  const auto a = random_values<Complex>(n, 1), b = random_values<Complex>(n, 2), c = random_values<Complex>(n, 3);
  const auto real = random_values<double>(n, 4);
  const auto d = [](const std::vector<Complex>& row) { return reinterpret_cast<const double*>(row.data()); };
  for (const auto* rows : variants()) {
    Out out{rows->level, {}, 0};
    const auto row = [&](auto&& f) {
      std::vector<Complex> r = c;
      f(reinterpret_cast<double*>(r.data()));
      out.rows.push_back(r);
    };
    const double* x[5] = {d(a), d(b), d(c), d(a), d(b)};
    const double k[5] = {1.0, -0.5, 0.25, 0.125, 3.0};
    const unsigned count[3] = {1, 2, 2}, many[3] = {5, 0, 0};
    row([&](double* r) { rows->multiply(r, d(a), d(b), n); });
    row([&](double* r) { rows->multiply_real(r, d(a), real.data(), n); });
    row([&](double* r) { rows->divide(r, d(a), d(b), n); });
    row([&](double* r) { rows->lincomb(r, x, k, 5, 2 * n); });
    row([&](double* r) { rows->combine(r, x, k, count, d(b), n); });
    row([&](double* r) { rows->combine(r, x, k, many, d(b), n); });
    row([&](double* r) { rows->kerr_raman(r, d(a), real.data(), 0.8, true, n); });
    row([&](double* r) { rows->launch(r, d(a), d(b), real.data(), n); });
    row([&](double* r) { rows->propagator(r, d(a), 30.0, false, n); });
    out.squares = rows->squares(x, k, 5, 2 * n);
    results.push_back(out);
  }
  REQUIRE(!results.empty());
  for (const Out& out : results)
    for (std::size_t i = 0; i < out.rows.size(); ++i) {
      CAPTURE(i);
      CHECK(deviation(out.rows[i], longer(results[0].rows[i])) < 5e-15L);
      CHECK(std::abs(out.squares - results[0].squares) < 1e-14 * out.squares);
      if (results.size() == 3 && std::string(out.level) != "v2") {
        CHECK(same_bits(out.rows[i], results[1].rows[i]));
        CHECK(out.squares == results[1].squares);
      }
    }
}
