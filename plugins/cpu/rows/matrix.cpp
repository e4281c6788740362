// SPDX-License-Identifier: Apache-2.0
// A real matrix times a panel of columns. An element's terms are added one after the other from the lowest j up, with
// the sum between two blocks of terms in `out`: neither blocks nor panels nor threads change its bits.
#include "matrix.hpp"

#include "media.hpp"

namespace lumarch::cpu::LUMARCH_ROWS {
namespace {

constexpr std::size_t block = 256;  // terms at a time: a packed panel of them stays in the first cache or near it

// Rows 0 ... tile_rows - 1 of a tile; matrix[r] is a row of the matrix.
LUMARCH_INLINE void tile(const double* const (&matrix)[tile_rows], const double* packed, std::size_t terms,
                         V (&sum)[tile_rows][tile_vectors]) {
  for (std::size_t j = 0; j < terms; ++j) {
    V x[tile_vectors];
    each<tile_vectors>([&](auto v) { x[v] = load_block(packed + j * matrix_columns + v * W); });
    each<tile_rows>([&](auto r) {
      const V factor = all(matrix[r][j]);
      each<tile_vectors>([&](auto v) { sum[r][v] = fused(factor, x[v], sum[r][v]); });
    });
  }
}

}  // namespace

void matrix(const MatrixPanel& p) {
  alignas(64) double packed[block * matrix_columns];
  const bool whole = p.columns == matrix_columns;
  for (std::size_t first = 0; first < p.terms; first += block) {
    const std::size_t terms = p.terms - first < block ? p.terms - first : block;
    for (std::size_t j = 0; j < terms; ++j) {
      const double* const row = p.in + (first + j) * p.in_pitch;
      double* const to = packed + j * matrix_columns;
      for (std::size_t i = 0; i < p.columns; ++i) to[i] = row[i];
      for (std::size_t i = p.columns; i < matrix_columns; ++i) to[i] = 0.0;
    }
    const bool continued = p.add || first > 0;
    for (std::size_t q = 0; q < p.rows; q += tile_rows) {
      const std::size_t rows = p.rows - q < tile_rows ? p.rows - q : tile_rows;
      // Rows behind the last are the last once more: they are not stored.
      const double* from[tile_rows];
      for (std::size_t r = 0; r < tile_rows; ++r)
        from[r] = p.matrix + (q + (r < rows ? r : rows - 1)) * p.matrix_pitch + first;
      V sum[tile_rows][tile_vectors];
      double* const out = p.out + q * p.out_pitch;
      each<tile_rows>([&](auto r) {
        each<tile_vectors>([&](auto v) { sum[r][v] = V{}; });
        if (!continued || r >= rows) return;
        if (whole) {
          each<tile_vectors>([&](auto v) { sum[r][v] = load_loose(out + r * p.out_pitch + v * W); });
        } else {
          double row[matrix_columns] = {};
          for (std::size_t i = 0; i < p.columns; ++i) row[i] = out[r * p.out_pitch + i];
          each<tile_vectors>([&](auto v) { sum[r][v] = load_loose(row + v * W); });
        }
      });
      tile(from, packed, terms, sum);
      each<tile_rows>([&](auto r) {
        if (r >= rows) return;
        if (whole) {
          each<tile_vectors>([&](auto v) { store_loose(out + r * p.out_pitch + v * W, sum[r][v]); });
        } else {
          double row[matrix_columns];
          each<tile_vectors>([&](auto v) { store_loose(row + v * W, sum[r][v]); });
          for (std::size_t i = 0; i < p.columns; ++i) out[r * p.out_pitch + i] = row[i];
        }
      });
    }
  }
}

}  // namespace lumarch::cpu::LUMARCH_ROWS
