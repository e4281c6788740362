// SPDX-License-Identifier: Apache-2.0
#include "march/march.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "march/controller.hpp"

namespace lumarch {

namespace {

constexpr double meets = 1e-9;  // of the length: positions closer than this are the same

// Of a beam whose half-maximum width is eight nodes some 1e-16 of the energy lies in the outermost tenth of k, with
// three nodes 1e-8, with two 1e-6: from there on it is none. Light that is only scattered there leaves the steps as
// they are; a collapse makes them short.
constexpr double most_at_rim = 1e-6, rim_growth = 1e3, steps_fell = 10;
constexpr int steps_to_look = 32;  // at the rim: seldom enough to cost nothing

template <class... Values>
std::string say(const char* format, Values... values) {
  char text[600];
  std::snprintf(text, sizeof(text), format, values...);
  return text;
}

// One member on its way: where it is, where it must land next, and the step it wants.
struct Walker : Walk {
  bool lands = false;
  double target = 0;
};

class Marcher {
public:
  Marcher(Stepper& stepper, const MarchOptions& options, const MarchEvents& events)
      : stepper_(stepper),
        options_(options),
        events_(events),
        max_step_(options.max_step.value_or(options.length / 2)),
        min_step_(options.min_step.value_or(1e-12 * options.length)),
        walkers_(stepper.members()) {
    check_schedule(options);
  }

  std::vector<MemberEnd> run(const std::vector<MemberState>* from) {
    for (std::uint32_t m = 0; m < walkers_.size(); ++m) from ? go_on(m, (*from)[m].walk) : start(m);
    while (choose_steps()) {
      if (events_.stop && events_.stop()) {
        stop();
        break;
      }
      if (events_.checkpoint_due && events_.checkpoint_due(false)) keep();
      stepper_.attempt();
      MemberBlock& block = stepper_.block();
      for (std::uint32_t i = 0; i < block.view()->n_active; ++i) judge(block.active[i]);
    }
    const auto stopped = [](const Walker& w) { return w.end.status == LM_STOPPED; };
    if (std::any_of(walkers_.begin(), walkers_.end(), stopped) && events_.checkpoint_due &&
        events_.checkpoint_due(true))
      keep();
    std::vector<MemberEnd> ends;
    for (Walker& w : walkers_) {
      w.end.z = w.z;
      ends.push_back(std::move(w.end));
    }
    return ends;
  }

private:
  void start(std::uint32_t m) {
    Walker& w = walkers_[m];
    w.launch2 = w.before2 = stepper_.field2(m);
    w.end.evaluations = 1;
    if (w.launch2 > 0) w.launch_rim = stepper_.rim2(m) / w.launch2;
    if (!std::isfinite(w.launch2) || !std::isfinite(stepper_.source2(m))) {
      finish(m, LM_NON_FINITE,
             stepper_.first_non_finite_loaded(m) + ": lower the power in /launch, or gamma" + stepper_.suspects());
      return;
    }
    // a fraction of the nonlinear length that falls with the tolerance as a step of order 4 does
    const double nonlinear = stepper_.source2(m) > 0 ? std::sqrt(w.launch2 / stepper_.source2(m)) : HUGE_VAL;
    const double guess = std::pow(options_.tolerance, 0.25) * nonlinear;
    w.wanted = options_.first_step.value_or(std::min(guess > 0 ? guess : max_step_, max_step_));
    take_planes(m);
    if (w.end.status == LM_RUNNING && options_.length <= 0) finish(m, LM_DONE, "");
  }

  void go_on(std::uint32_t m, const Walk& walk) {
    Walker& w = walkers_[m];
    static_cast<Walk&>(w) = walk;
    stepper_.block().status[m] = w.end.status;
    if (std::exchange(w.arriving, false)) settle(m);
  }

  // What was stopped is kept as running: so it goes on.
  void keep() const {
    std::vector<MemberState> states;
    for (std::uint32_t m = 0; m < walkers_.size(); ++m) {
      Walk walk = walkers_[m];
      if (walk.end.status == LM_STOPPED) walk.end.status = LM_RUNNING;
      walk.end.reason.clear();
      states.push_back({std::move(walk), stepper_.save(m)});
    }
    events_.checkpoint(states);
  }

  // Reports all planes at the member's present place, and looks where that is due.
  void take_planes(std::uint32_t m) {
    Walker& w = walkers_[m];
    const auto& planes = options_.planes;
    const std::size_t before = w.next_plane;
    while (w.next_plane < planes.size() && planes[w.next_plane] <= w.z) {
      if (events_.plane) events_.plane(m, static_cast<std::int64_t>(w.next_plane), w.z);
      ++w.next_plane;
    }
    const bool due = pass(options_.looks, w.next_look, w.z + reach(w));
    if (!events_.look || (!due && w.next_plane == before)) return;
    if (std::string why = events_.look(m, w.z); !why.empty()) finish(m, LM_STOPPED, std::move(why));
  }

  // How far ahead of a member's place a look may lie that is taken there. Where the next step is known, a look is taken
  // at whichever of its ends is nearer: behind half of a step there is a nearer one.
  [[nodiscard]] double reach(const Walker& w) const {
    const double near = meets * options_.length;
    if (w.next_step >= options_.schedule.size()) return near;
    return std::max(near, options_.schedule[w.next_step] / 2);
  }

  void finish(std::uint32_t m, std::uint8_t status, std::string reason) {
    Walker& w = walkers_[m];
    w.end.status = status;
    w.end.reason = std::move(reason);
    stepper_.block().status[m] = status;
  }

  // Puts the next step of each running member into the block; false when none is left.
  bool choose_steps() {
    MemberBlock& block = stepper_.block();
    std::uint32_t n = 0;
    for (std::uint32_t m = 0; m < walkers_.size(); ++m) {
      Walker& w = walkers_[m];
      if (w.end.status != LM_RUNNING) continue;
      if (options_.schedule.empty())
        choose_adaptive(w, stepper_.longest_step(m));
      else
        choose_scheduled(w);
      if (options_.schedule.empty() && !(w.h >= min_step_) && !w.lands) {
        step_too_small(m);
        continue;
      }
      block.z[m] = w.z;
      block.h[m] = w.h;
      block.active[n++] = m;
    }
    block.set_active(n);
    return n > 0;
  }

  // Where the next step may go at most: to a plane, a wall, or the end.
  [[nodiscard]] double target(const Walker& w) const {
    double next = options_.length;
    const auto look = [&](const std::vector<double>& places, std::size_t i) {
      if (i < places.size()) next = std::min(next, places[i]);
    };
    look(options_.planes, w.next_plane);
    look(options_.walls, w.next_wall);
    look(options_.absorb_at, w.next_absorber);
    return next;
  }

  void choose_adaptive(Walker& w, double longest) {
    w.h = std::min(w.wanted, max_step_);
    // to grow there in a few steps costs less than to begin anew
    constexpr double worth_growing = 16;
    if (w.h <= worth_growing * longest) w.h = std::min(w.h, std::max(longest, min_step_));
    w.target = target(w);
    const double rest = w.target - w.z;
    w.lands = w.h >= rest * (1 - 1e-9);
    const bool too_far = options_.approaches_end && w.target == options_.length && rest > 1e-3 * options_.length;
    w.lands = w.lands && !too_far;
    if (w.lands)
      w.h = rest;
    else if (w.h > rest / 2)
      w.h = rest / 2;  // two even steps to the plane, not a long one and a sliver
  }

  void choose_scheduled(Walker& w) {
    w.h = options_.schedule[w.next_step];
    const double near = meets * options_.length;
    w.target = target(w);
    w.lands = std::abs(w.z + w.h - w.target) <= near;
  }

  void judge(std::uint32_t m) {
    Walker& w = walkers_[m];
    const double after2 = stepper_.after2(m);
    const double err = relative_error(stepper_.error2(m), w.before2, after2, w.launch2, options_.tolerance);
    StepDecision decision = decide(options_.integrator, err, w.err_last);
    if (!options_.schedule.empty()) decision.accept = std::isfinite(err);
    // what comes after a beginning takes shorter steps: to grow now is to be refused then, and to begin again
    if (decision.accept && stepper_.starting(m)) decision.factor = std::min(decision.factor, 1.0);
    w.end.evaluations += stepper_.evaluations(m);
    const AttemptRecord record{w.z, w.h, err, decision.accept};
    decision.accept ? accept(m, decision.factor, err, after2) : reject(m, decision.factor, err);
    if (events_.attempt) events_.attempt(m, record);
    if (decision.accept) arrive(m);
  }

  void accept(std::uint32_t m, double factor, double err, double after2) {
    Walker& w = walkers_[m];
    stepper_.accept(m);
    ++w.end.accepted;
    ++w.next_step;
    w.z = w.lands ? w.target : w.z + w.h;
    w.before2 = after2;
    w.err_last = err;
    w.repeats = 0;
    w.longest_h = std::max(w.longest_h, w.h);
    // a step cut short by a plane says nothing against the one that was wanted
    const bool cut = w.h < w.wanted;
    w.wanted = cut ? std::max(w.wanted, w.h * factor) : w.h * factor;
  }

  // Whether a place was reached; `next` is then the one after it.
  static bool pass(const std::vector<double>& places, std::size_t& next, double z) {
    const std::size_t before = next;
    while (next < places.size() && places[next] <= z) ++next;
    return next != before;
  }

  void arrive(std::uint32_t m) {
    Walker& w = walkers_[m];
    take_planes(m);
    if (w.end.status == LM_RUNNING)
      settle(m);
    else
      w.arriving = true;
  }

  void settle(std::uint32_t m) {
    Walker& w = walkers_[m];
    const bool wall = pass(options_.walls, w.next_wall, w.z), absorber = pass(options_.absorb_at, w.next_absorber, w.z);
    if (wall || absorber) {
      const double near = 1e-3 * (target(w) - w.z);
      absorber ? stepper_.absorb(m, w.z, near) : stepper_.refresh(m, w.z, near);
      w.before2 = stepper_.after2(m);
      ++w.end.evaluations;
    }
    if (options_.schedule.empty() && w.end.accepted % steps_to_look == 0) look_at_rim(m);
    const bool over = options_.schedule.empty() ? w.z >= options_.length : w.next_step == options_.schedule.size();
    if (over && w.end.status == LM_RUNNING) finish(m, LM_DONE, "");
  }

  [[nodiscard]] std::string largest(std::uint32_t m) const {
    return events_.largest ? "; " + events_.largest(m, walkers_[m].z) : std::string();
  }

  // Nothing else ends a march behind a collapse: the nodes bear it, with steps that are small and a beam that is none.
  // Steps that were short from the start do not tell it from light that is scattered: the share alone is kept.
  void look_at_rim(std::uint32_t m) {
    Walker& w = walkers_[m];
    if (!(w.before2 > 0)) return;
    const double share = stepper_.rim2(m) / w.before2;
    if (!(share > most_at_rim && share > rim_growth * w.launch_rim)) return;
    if (share > w.end.unresolved.share) w.end.unresolved = {share, w.z};
    if (!(w.h * steps_fell < w.longest_h)) return;
    std::string reason =
        say("the nodes do not resolve the beam any more at z = %.9g m, in steps of %.3g m (%.3g m before):", w.z, w.h,
            w.longest_h);
    reason += say(" %.2g of its energy lies in the outermost tenth of k, of the launch %.2g", share, w.launch_rim);
    reason += largest(m) +
              "; a beam that collapses ends here: shorten /medium/length, raise the points in /geometry, or " +
              "add a response that stops it (plasma, saturation)";
    finish(m, LM_CAPPED, std::move(reason));
  }

  void step_too_small(std::uint32_t m) {
    const Walker& w = walkers_[m];
    std::string reason = say("the step fell to %.3g m at z = %.9g m, below the smallest of %.3g m (%.3g m before,", w.h,
                             w.z, min_step_, w.longest_h);
    reason += say(" %d refused one after the other), to keep the error below the tolerance of %.3g", w.repeats,
                  options_.tolerance);
    reason += largest(m) +
              "; a larger /march/tolerance, a finer grid or a smaller /march/min_step may help, if the field " +
              "does not grow without bound" + stepper_.suspects();
    finish(m, LM_STEP_TOO_SMALL, std::move(reason));
  }

  void reject(std::uint32_t m, double factor, double err) {
    Walker& w = walkers_[m];
    stepper_.reject(m);
    ++w.end.rejected;
    ++w.repeats;
    w.wanted = w.h * factor;
    w.lands = false;
    constexpr int most_repeats = 10;  // without a finite result: 2^-10 of the step is no matter of accuracy any more
    if (!std::isfinite(err) && (w.repeats >= most_repeats || !options_.schedule.empty()))
      finish(m, LM_NON_FINITE,
             say("a value that is not finite at z = %.9g m, in a step of %.3g m (%d refused one after the other), "
                 "first in %s",
                 w.z, w.h, w.repeats, stepper_.first_non_finite(m).c_str()) +
                 largest(m) +
                 ", in the last finite field; a lower power, a finer grid or a smaller tolerance may help" +
                 stepper_.suspects());
  }

  void stop() {
    for (std::uint32_t m = 0; m < walkers_.size(); ++m)
      if (walkers_[m].end.status == LM_RUNNING) finish(m, LM_STOPPED, say("stopped at z = %.9g m", walkers_[m].z));
  }

  Stepper& stepper_;
  const MarchOptions& options_;
  const MarchEvents& events_;
  double max_step_, min_step_;
  std::vector<Walker> walkers_;
};

}  // namespace

namespace {

void check_ends(const MarchOptions& options, const std::vector<double>& places, const char* what, double near) {
  std::size_t next = 0;
  double z = 0;
  for (const double h : options.schedule) {
    z += h;
    while (next < places.size() && std::abs(places[next] - z) <= near) ++next;
    if (next < places.size() && places[next] < z)
      throw Error(Fault::problem,
                  say("the schedule has no step that ends at %.9g m, a %s; take the steps of an adaptive run",
                      places[next], what));
  }
}

}  // namespace

// Every plane is an end of a step, and the steps make up the length: a replayed run lands where it landed.
void check_schedule(const MarchOptions& options) {
  if (options.schedule.empty()) return;
  double z = 0;
  std::size_t plane = 0;
  const double near = meets * options.length;
  while (plane < options.planes.size() && options.planes[plane] <= near) ++plane;
  for (const double h : options.schedule) {
    z += h;
    if (plane < options.planes.size() && options.planes[plane] < z - near)
      throw Error(Fault::problem,
                  say("the schedule has no step that ends at the plane %.9g m: a step goes from %.9g to "
                      "%.9g m; take the planes of the run it comes from",
                      options.planes[plane], z - h, z));
    while (plane < options.planes.size() && std::abs(options.planes[plane] - z) <= near) ++plane;
  }
  check_ends(options, options.walls, "domain wall", near);
  check_ends(options, options.absorb_at, "place of an absorber", near);
  if (std::abs(z - options.length) > near)
    throw Error(Fault::problem,
                say("the steps of the schedule add up to %.9g m, the medium is %.9g m long", z, options.length));
}

std::vector<MemberEnd> march(Stepper& stepper, const MarchOptions& options, const MarchEvents& events,
                             const std::vector<MemberState>* from) {
  return Marcher(stepper, options, events).run(from);
}

}  // namespace lumarch
