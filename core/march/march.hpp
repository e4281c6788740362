// SPDX-License-Identifier: Apache-2.0
// Marches the members of a stepper to their end, adaptively or on a fixed schedule, landing exactly on planes.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include <lumarch/problem.hpp>
#include <lumarch/sink.hpp>

#include "march/stepper.hpp"

namespace lumarch {

struct MarchOptions {
  Integrator integrator = Integrator::erk43;
  double length = 0;
  double tolerance = 1e-7;
  std::optional<double> first_step, max_step, min_step;
  std::vector<double> schedule;  // shared by all members; empty: each has its own steps
  std::vector<double> planes;    // rising, within [0, length]
  // Rising, within (0, length): where steps end because the medium jumps, or absorbers act.
  std::vector<double> walls, absorb_at;
  // What changes along z may end in nothing, a gas in vacuum: then an error that is estimated from the end of a step
  // sees none. The last step is at most a thousandth of the length.
  bool approaches_end = false;
  // Rising: there is a look at planes, and at the first end of a step at or behind each of these; on a fixed schedule
  // at the end of a step that is nearest.
  std::vector<double> looks;
};

struct MemberEnd {
  // LM_DONE, LM_STOPPED, LM_NON_FINITE, LM_STEP_TOO_SMALL; LM_CAPPED where the nodes do not hold the beam any more
  std::uint8_t status = LM_RUNNING;
  std::string reason;
  double z = 0;
  std::int64_t accepted = 0, rejected = 0, evaluations = 0;
};

struct MarchEvents {
  std::function<void(std::uint32_t member, std::int64_t index, double z)> plane;
  std::function<void(std::uint32_t member, const AttemptRecord&)> attempt;
  // After what a plane asks for. What is not empty ends the march: why.
  std::function<std::string(std::uint32_t member, double z)> look;
  std::function<bool()> stop;  // polled before every attempt
  // The largest field of a member as it stands at z, in words, for the message of a march that fails.
  std::function<std::string(std::uint32_t member, double z)> largest;
};

// Error(Fault::problem) where a schedule does not add up to the length, or a plane is no end of a step. Touches
// nothing.
void check_schedule(const MarchOptions& options);

// The members must be loaded. Throws Error where the schedule does not fit, or a backend fails.
std::vector<MemberEnd> march(Stepper& stepper, const MarchOptions& options, const MarchEvents& events);

}  // namespace lumarch
