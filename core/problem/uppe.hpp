// SPDX-License-Identifier: Apache-2.0
// What the model uppe adds to problem files: the limits of its values, and how its parts have to fit each other. The
// same rules for what is read from a file and for what a program made.
#pragma once

#include <string>

#include <lumarch/problem.hpp>

#include "problem/reader.hpp"

namespace lumarch::problem {

// ---- limits ----

inline constexpr std::int64_t kMostModes = 99;  // of a number of modes
inline constexpr int kLeastNodes = 4, kMostNodes = 4096;
inline constexpr std::int64_t kMostRadial = 1 << 14;     // a Hankel transform's matrix is points^2
inline constexpr std::int64_t kMostCartesian = 1 << 15;  // along one axis
inline constexpr std::int64_t kMostLine = 1 << 20;
inline constexpr double kWidest = 1;                        // m, of anything across the beam
inline constexpr double kMostPressure = 1e9;                // Pa
inline constexpr double kHottest = 1e4;                     // K
inline constexpr double kMostIndex = 10;                    // of refraction
inline constexpr double kMostChi2 = 1e-6;                   // m/V
inline constexpr int kLeastTubes = 3, kMostTubes = 100;     // of an antiresonant fibre
inline constexpr double kMostTilt = 1.5707963267948966;     // rad
inline constexpr double kSteepestCut = 1.5707963267948968;  // rad: 90 deg as it is read
inline constexpr double kMostBirefringence = 1;
inline constexpr double kSumWithin = 1e-6;  // shares sum to 1 within this

// Why the name is none of a mode; empty where it is one.
[[nodiscard]] std::string mode_refusal(const std::string& name);

// Without the y that goes without saying: equal modes have equal names.
[[nodiscard]] std::string short_mode(const std::string& name);

// ---- parts of problem files ----

[[nodiscard]] Geometry read_geometry(const Node& node);
// None where there is no telling which medium it is.
[[nodiscard]] std::optional<Medium> read_uppe_medium(const Node& node, double& length);
[[nodiscard]] GasFill read_gas_fill(const Object& object, double length);
[[nodiscard]] Profile read_taper(const Node& node, double length);
// A pin in an object that has one of a pin's keys.
[[nodiscard]] bool has_pin(const Object& object);
[[nodiscard]] std::optional<Pin> read_pin(const Object& object);
[[nodiscard]] Material read_material(const Node& node);
[[nodiscard]] std::optional<double> read_transverse(const Node& node, const char* example);
[[nodiscard]] std::optional<bool> flag(const std::optional<Node>& node);
void read_beam(const Node& node, Pulse& pulse);
void read_mode_shares(const Node& node, Pulse& pulse);

// ---- what fits what ----

[[nodiscard]] inline bool in_free_space(Route route) { return route >= Route::radial; }
[[nodiscard]] bool is_guide(const Medium& medium);
[[nodiscard]] const GasFill* gas_of(const Medium& medium);     // null where it holds none, not even vacuum
[[nodiscard]] const Profile* radius_of(const Medium& medium);  // null where none can change along z
[[nodiscard]] double birefringence_of(const Medium& medium);
[[nodiscard]] const std::string& type_of_medium(const Medium& medium);

// What the pins of a problem are of: guides, pulses with a soliton order, one at a time.
void check_pins(const Problem& problem, Context& context);

}  // namespace lumarch::problem
