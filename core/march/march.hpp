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
  // The largest share of the energy that was seen at the far ends of k, where it says that the nodes across the beam
  // are too few; 0 where it never did.
  struct Unresolved {
    double share = 0, z = 0;
  } unresolved;
};

// Where a member stands between two attempts: with the stepper's rows, all that those to come depend on.
struct Walk {
  double z = 0, h = 0, wanted = 0;
  double before2 = 0, launch2 = 0, err_last = 0;
  double longest_h = 0, launch_rim = 0;  // of the accepted steps; the launch's share at the rim of k
  std::size_t next_plane = 0, next_wall = 0, next_absorber = 0, next_step = 0, next_look = 0;
  int repeats = 0;
  bool arriving = false;  // a look ended the march, before the rest of what is done where a step ends
  MemberEnd end;
};
struct MemberState {
  Walk walk;
  StepperState stepper;
};

struct MarchEvents {
  std::function<void(std::uint32_t member, std::int64_t index, double z)> plane;
  std::function<void(std::uint32_t member, const AttemptRecord&)> attempt;
  // After what a plane asks for. What is not empty ends the march: why.
  std::function<std::string(std::uint32_t member, double z)> look;
  std::function<bool()> stop;  // polled before every attempt
  // Asked before every attempt, and once more where the march was stopped: whether to keep what it could begin from.
  std::function<bool(bool stopped)> checkpoint_due;
  std::function<void(const std::vector<MemberState>& members)> checkpoint;
  // The largest field of a member as it stands at z, in words, for the message of a march that fails.
  std::function<std::string(std::uint32_t member, double z)> largest;
};

// Error(Fault::problem) where a schedule does not add up to the length, or a plane is no end of a step. Touches
// nothing.
void check_schedule(const MarchOptions& options);

// The members must be loaded, or restored where the march begins from a state that was kept of it. Throws Error where
// the schedule does not fit, or a backend fails.
std::vector<MemberEnd> march(Stepper& stepper, const MarchOptions& options, const MarchEvents& events,
                             const std::vector<MemberState>* from = nullptr);

}  // namespace lumarch
