// SPDX-License-Identifier: Apache-2.0
// Statistics that are objects in a problem file: a quantity, its name, and the aperture that the light passes first.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <lumarch/problem.hpp>

#include "problem/reader.hpp"

namespace lumarch::problem {

// Quantities of the spectrum and of the power: what sums over the nodes that an aperture lets through can tell.
[[nodiscard]] bool passes_apertures(Quantity quantity);

// Why a statistic's aperture does not fit the problem; empty where it does, or where there is none.
[[nodiscard]] std::string aperture_refusal(const StatisticRequest& request, const Problem& problem);

using ReadByName = std::function<std::optional<StatisticRequest>(const Node&)>;
[[nodiscard]] std::optional<StatisticRequest> read_statistic_object(const Node& node, const Problem& problem,
                                                                    const ReadByName& by_name);

}  // namespace lumarch::problem
