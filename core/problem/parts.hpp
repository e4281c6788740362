// SPDX-License-Identifier: Apache-2.0
// The parts of a problem file, one function a part; what is wrong is left in the context. A number that could not be
// read stays at its default, so later checks look at what is there.
#pragma once

#include <lumarch/problem.hpp>

#include "problem/reader.hpp"

namespace lumarch::problem {

inline constexpr std::int64_t kMostPoints = std::int64_t{1} << 26;  // in time
inline constexpr std::int64_t kMostPlanes = 1000000;

// What was read so far that others depend on: what relates parts is judged only where both could be read.
struct Sound {
  bool time = true, geometry = true, medium = true, field = true;
};

// A length of z that steps and planes lie in, and the word for what is that long.
struct Extent {
  double length = 0;
  const char* body = "fibre";
};

[[nodiscard]] TimeAxis read_time(const Node& node, bool uppe);
[[nodiscard]] Fibre read_medium(const Node& node);
// Reads field, time, geometry and medium of the problem before these.
[[nodiscard]] std::vector<Response> read_responses(const Node& node, const Problem& problem, const Sound& sound);
[[nodiscard]] std::vector<Pulse> read_launch(const Node& node, const Problem& problem);
[[nodiscard]] Noise read_noise(const Node& node);
[[nodiscard]] March read_march(const Node& node, const Extent& extent);
[[nodiscard]] std::vector<double> read_planes(const Node& node, const Extent& extent);
[[nodiscard]] std::vector<double> even_planes(std::int64_t count, double length);
[[nodiscard]] Boundary read_boundary(const Node& node, bool uppe, EdgeCheck& edge);
// Reads the responses of the problem too.
[[nodiscard]] std::vector<StatisticRequest> read_statistics(const Node& node, const Problem& problem,
                                                            const Sound& sound);
[[nodiscard]] std::vector<StatisticRequest> usual_statistics(const Problem& problem);
[[nodiscard]] OutputRequest read_output(const Node& node);
[[nodiscard]] BackendRequest read_backend(const Node& node);

// Why the problem cannot have such a response, or such a statistic; empty where it can.
[[nodiscard]] std::string response_refusal(const Response& response, const Problem& problem, const Sound& sound = {});
[[nodiscard]] std::string statistic_refusal(Quantity quantity, const Problem& problem, const Sound& sound = {});

// What needs several parts at once: the pulses in the grid, curves over the pulses.
void check_whole(const Problem& problem, Context& context, const Sound& sound = {});

// The same of the model uppe: the medium in the geometry, beams in the window.
void check_uppe_whole(const Problem& problem, Context& context, const Sound& sound);

// That there is anything to march; asked only where the launch itself could be read.
void check_light(const Problem& problem, Context& context);

// --set, on the tree before it is read.
void apply(const std::vector<Override>& overrides, Json& root, Context& context);

// The parts of a JSON pointer (RFC 6901); none where it is malformed.
[[nodiscard]] std::optional<std::vector<std::string>> steps_of(const std::string& pointer);
// What they lead to; NULL where there is nothing.
[[nodiscard]] const Json* find_at(const Json& root, const std::vector<std::string>& steps);

// The wavelength in the range where it can be one; 835 for "835 nm" is the usual slip.
[[nodiscard]] std::optional<double> read_wavelength(const Node& node);

}  // namespace lumarch::problem
