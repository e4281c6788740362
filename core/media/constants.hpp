// SPDX-License-Identifier: Apache-2.0
// CODATA 2018; exact since 2019 where no digits are missing.
#pragma once

#include <numbers>

namespace lumarch::constants {

inline constexpr double pi = std::numbers::pi;
inline constexpr double c = 299792458.0;                        // m/s
inline constexpr double h = 6.62607015e-34;                     // J s
inline constexpr double hbar = h / (2 * pi);                    // J s
inline constexpr double e = 1.602176634e-19;                    // C
inline constexpr double avogadro = 6.02214076e23;               // 1/mol
inline constexpr double k_B = 1.380649e-23;                     // J/K
inline constexpr double m_e = 9.1093837015e-31;                 // kg
inline constexpr double eps0 = 8.8541878128e-12;                // F/m
inline constexpr double hartree = 4.3597447222071e-18;          // J
inline constexpr double polarisability_au = 1.64877727436e-41;  // C m^2/V, the atomic unit
inline constexpr double atmosphere = 101325;                    // Pa

}  // namespace lumarch::constants
