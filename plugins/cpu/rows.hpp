// SPDX-License-Identifier: Apache-2.0
// What is done to one row, once for each instruction set: rows/ is compiled several times, `open` chooses a table.
#pragma once

#include <cstddef>

namespace lumarch::cpu {

struct FftPasses;
struct MediaRows;

inline constexpr unsigned max_terms = 8;

// Complex rows are n pairs of doubles. `out` may be exactly one of the inputs; any other overlap is not allowed.
struct RowFunctions {
  const char* name;   // for people: "AVX-512"
  const char* level;  // as LUMARCH_CPU_VARIANT spells it: "v4"

  void (*fill)(double* out, double re, double im, std::size_t n);
  // out = sum_j c[j] x[j], j upwards, over `doubles` numbers.
  void (*lincomb)(double* out, const double* const* x, const double* c, unsigned terms, std::size_t doubles);
  void (*multiply)(double* out, const double* x, const double* y, std::size_t n);       // complex by complex
  void (*multiply_real)(double* out, const double* x, const double* y, std::size_t n);  // complex by real
  void (*divide)(double* out, const double* x, const double* E, std::size_t n);         // x conj(E) / |E|^2
  // E = exp(scale D); where lossless, Re D is taken to be 0.
  void (*propagator)(double* E, const double* D, double scale, bool lossless, std::size_t n);

  void (*kerr)(double* P, const double* A, double c, bool accumulate, std::size_t n);
  void (*intensity)(double* I, const double* A, std::size_t n);
  void (*raman)(double* P, const double* A, const double* R, bool accumulate, std::size_t n);
  void (*kerr_raman)(double* P, const double* A, const double* R, double c, bool accumulate, std::size_t n);

  void (*launch)(double* out, const double* u, const double* noise, const double* pre,
                 std::size_t n);  // pre (u + noise)

  // sum |sum_j c[j] x[j]|^2, by a tree that depends on `doubles` alone.
  double (*squares)(const double* const* x, const double* c, unsigned terms, std::size_t doubles);

  // out = S0 + E (S1 + E S2); the terms of level l come after those of the levels before it, count[l] of them.
  void (*combine)(double* out, const double* const* x, const double* c, const unsigned* count, const double* E,
                  std::size_t n);

  const FftPasses* fft;    // fft/passes.hpp
  const MediaRows* media;  // rows/media.hpp
};

// The table to use here: the widest that the machine has, or what LUMARCH_CPU_VARIANT asks for. Throws sdk::Fault
// where that cannot run here, or where none can.
const RowFunctions& choose_rows();

}  // namespace lumarch::cpu
