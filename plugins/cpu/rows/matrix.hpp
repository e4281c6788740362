// SPDX-License-Identifier: Apache-2.0
// The tile of a matrix product: rows of the result by whole vectors of it.
#pragma once

#include "../fft/lanes.hpp"

namespace lumarch::cpu::LUMARCH_ROWS {

// As many accumulators as registers hold beside what is multiplied: 24 of 32 (AVX-512), 12 of 16.
inline constexpr std::size_t tile_rows = W == 8 ? 8 : 4, tile_vectors = 3;
inline constexpr std::size_t matrix_columns = tile_vectors * W;

}  // namespace lumarch::cpu::LUMARCH_ROWS
