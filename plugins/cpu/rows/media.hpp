// SPDX-License-Identifier: Apache-2.0
// Rows of the kernels for transverse routes and for media in SI, as a table of functions that each instruction set
// fills. What they mean: docs/kernels.md.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lumarch::cpu {

// What the field and the polarisation of a response are: complex both, real both, complex and real.
enum class Field { envelope, real, analytic };
inline constexpr unsigned most_components = 2, most_read_components = 8;

struct KerrRow {
  Field field;
  unsigned components;
  bool add, third_harmonic;
  double c, saturation;
  double omega0, t0, dt;  // the carrier, where one is needed
};

struct PlasmaRow {
  bool complex;  // the field: its real part counts
  unsigned components;
  bool add;
  double density, acceleration, ionisation_energy, fraction, dt;
  const double *log_rate, *second;  // m values from field_min on, and the second differences of their spline
  std::int64_t m;
  double field_min, field_step;
};

// At most `matrix_columns` doubles of each row: out[q] = sum over j, upwards, of matrix[q][j] in[j], or that added to
// out. Pitches count doubles.
struct MatrixPanel {
  double* out;
  std::size_t out_pitch;
  const double* in;
  std::size_t in_pitch;
  const double* matrix;
  std::size_t matrix_pitch, rows, terms, columns;
  bool add;
};

// Rows of the components of a node, complex, and a weight of each; the weights may be NULL, of ones.
struct SquaresRow {
  const double* x[most_read_components];
  const double* weight[most_read_components];
  unsigned components;
  bool real;  // Re x alone counts
  std::size_t n;
};

struct MediaRows {
  void (*multiply_doubles)(double* out, const double* x, const double* y, std::size_t n);
  // out = factor weight in (weight may be NULL), of neighbours; conjugated; and out (+)= factor weight in.
  void (*pad)(double* out, const double* in, const double* weight, double factor, bool conjugate, std::size_t n);
  void (*crop)(double* out, const double* in, const double* weight, double factor, bool conjugate, bool add,
               std::size_t n);
  void (*kerr)(double* const* P, const double* const* E, const KerrRow& k, std::size_t n);
  void (*chi2)(double* P, const double* E, const KerrRow& k, std::size_t n);
  // What is convolved: E.E or its mean over a cycle; of the tensor, element (i, j).
  void (*trace)(double* q, const double* const* E, bool complex, unsigned components, std::size_t n);
  void (*tensor)(double* q, const double* const* E, bool complex, unsigned components, unsigned i, unsigned j,
                 std::size_t n);
  void (*respond)(double* P, const double* E, const double* R, Field field, double c, bool add, std::size_t n);
  void (*plasma)(double* const* J, const double* const* E, const PlasmaRow& p, std::size_t n);
  void (*matrix)(const MatrixPanel& panel);
  // out[s] += c weight[s] |x|^2, or the square of Re x; and over a row and its components, the sum and the largest.
  void (*add_squares)(double* out, const SquaresRow& row, double c);
  double (*sum_squares)(const SquaresRow& row);
  double (*peak_squares)(const SquaresRow& row);
  std::size_t matrix_columns;
};

}  // namespace lumarch::cpu
