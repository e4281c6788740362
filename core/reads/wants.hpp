// SPDX-License-Identifier: Apache-2.0
// Which sums over a state the statistics of a problem take.
#pragma once

#include <lumarch/problem.hpp>

#include "march/readings.hpp"
#include "translate/uppe.hpp"

namespace lumarch {

// Of a fibre: its spectrum, and its power where a statistic looks at the time.
[[nodiscard]] ReadWants wants_of(const Problem& problem);

// Of a uppe plane: what its record has, and what its statistics and warnings are made of.
[[nodiscard]] ReadWants wants_of(const Problem& problem, const UppeTables& tables);

// Which of the far or near apertures of such wants is a request's: they stand there in the order of the requests, each
// once.
[[nodiscard]] std::size_t which_aperture(const Problem& problem, const Aperture& aperture);

}  // namespace lumarch
