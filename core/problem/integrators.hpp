// SPDX-License-Identifier: Apache-2.0
// What the words of choices::integrator mean.
#pragma once

#include <array>

#include <lumarch/problem.hpp>

namespace lumarch::problem {

// In the order of the words, those that come later last.
inline constexpr std::array integrators = {Integrator::erk43, Integrator::dp54, Integrator::low_storage,
                                           Integrator::adams};

}  // namespace lumarch::problem
