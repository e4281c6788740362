// SPDX-License-Identifier: Apache-2.0
// The check of the windows' rims along a run: reads them, records them, and warns, stops or refuses.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <lumarch/problem.hpp>
#include <lumarch/run.hpp>
#include <lumarch/sink.hpp>

#include "march/stepper.hpp"
#include "run/plane_reader.hpp"

namespace lumarch {

// Where a run is looked at beside its planes, so that planes and looks are 20 at least, none of them further than a
// tenth of the length from the next, and the end is one of them. Nowhere where the check is off.
struct Looks {
  std::vector<double> places;  // rising
  double longest_step = 0;     // a step that is no longer passes one of them at most; infinite where there are none
};
[[nodiscard]] Looks places_to_look(const Problem& problem);

class RimCheck {
public:
  // `launched`: J, what the absorbers' shares are of.
  RimCheck(const Problem& problem, PlaneReader& reader, const Stepper& stepper, Sink& sink, double launched)
      : problem_(problem), reader_(reader), stepper_(stepper), sink_(sink), launched_(launched) {}

  // Why the run is to stop here, or nothing. Throws Error(Fault::refused) where the problem wants that.
  [[nodiscard]] std::string look(double z);
  [[nodiscard]] const std::vector<std::string>& warnings() const { return state_.warnings; }
  [[nodiscard]] const std::vector<RimShare>& most() const { return state_.most; }

  // What later readings are judged by.
  struct State {
    std::set<std::string> told;  // rims that were warned of
    std::vector<RimShare> most;
    std::vector<std::string> warnings;
  };
  [[nodiscard]] const State& state() const { return state_; }
  void restore(const State& state) { state_ = state; }

private:
  const Problem& problem_;
  PlaneReader& reader_;
  const Stepper& stepper_;
  Sink& sink_;
  double launched_;
  State state_;
};

}  // namespace lumarch
