// SPDX-License-Identifier: Apache-2.0
// The parts of a problem file, one function a part; what is wrong is left in the context. A number that could not be
// read stays at its default, so later checks look at what is there.
#pragma once

#include <lumarch/problem.hpp>

#include "problem/reader.hpp"

namespace lumarch::problem {

[[nodiscard]] TimeAxis read_time(const Node& node);
[[nodiscard]] Fibre read_medium(const Node& node);
[[nodiscard]] std::vector<Response> read_responses(const Node& node);
[[nodiscard]] std::vector<Pulse> read_launch(const Node& node);
[[nodiscard]] Noise read_noise(const Node& node);
[[nodiscard]] March read_march(const Node& node, double length);
[[nodiscard]] std::vector<double> read_planes(const Node& node, double length);
[[nodiscard]] std::vector<double> even_planes(std::int64_t count, double length);
void read_boundary(const Node& node);
[[nodiscard]] std::vector<StatisticRequest> read_statistics(const Node& node);
[[nodiscard]] std::vector<StatisticRequest> usual_statistics();
[[nodiscard]] OutputRequest read_output(const Node& node);
[[nodiscard]] BackendRequest read_backend(const Node& node);

// What needs several parts at once: the pulses in the grid, curves over the pulses.
void check_whole(const Problem& problem, Context& context);

// That there is anything to march; asked only where the launch itself could be read.
void check_light(const Problem& problem, Context& context);

// --set, on the tree before it is read.
void apply(const std::vector<Override>& overrides, Json& root, Context& context);

// The wavelength in the range where it can be one; 835 for "835 nm" is the usual slip.
[[nodiscard]] std::optional<double> read_wavelength(const Node& node);

}  // namespace lumarch::problem
