// SPDX-License-Identifier: Apache-2.0
#include "march/stepper.hpp"

namespace lumarch {

// A prediction by Adams and Bashforth's third order, one evaluation there, a correction by Adams and Moulton's fourth
// (physics.md, 16). The right-hand sides at the last three places are kept as if they were at the step's start; the one
// of the prediction stays the next step's first.
void Stepper::build_adams() {
  const lm_view y = y_.view(), next = y_.view(true), u = u_.view(), E = parts_.front().E.view();
  const lm_view F0 = k1_.view(), F1 = k_[0].view(), F2 = k_[1].view(), f = k1_.view(true);
  lm_view end{};
  if (options_.noise) {
    end = noise_.view(true);
    add_noise(attempt_, end, noise_.view(), parts_.front());
  }
  const int predict = static_cast<int>(equation_->n_scales()) + 1, correct = predict + 3, error = correct + 4;
  add_scaled(attempt_, "core.lincomb", u,
             {{y, 1, 0, 0}, {F0, 1, 1, predict}, {F1, 1, 1, predict + 1}, {F2, 1, 1, predict + 2}});
  add_apply(attempt_, u, u, E, false);
  equation_->add_rhs(attempt_, u, f, options_.noise ? &end : nullptr, 1);
  add_scaled(attempt_, "core.lincomb", next,
             {{y, 1, 0, 0}, {F0, 1, 1, correct + 1}, {F1, 1, 1, correct + 2}, {F2, 1, 1, correct + 3}});
  add_apply(attempt_, next, next, E, false);
  add_scaled(attempt_, "core.lincomb", next, {{next, 1, 0, 0}, {f, 1, 1, correct}});
  add_scaled(attempt_, "core.lincomb", u, {{F0, 1, 1, error + 1}, {F1, 1, 1, error + 2}, {F2, 1, 1, error + 3}});
  add_apply(attempt_, u, u, E, false);
  add_scaled(attempt_, "reduce.error", next, {{u, 1, 0, 0}, {f, 1, 1, error}});
  add_history(attempt_);
  build_adams_start();
  stages_ = {{"the field it starts from", y, &y_},
             {"the right-hand side there", F0, &k1_},
             {"the new field", next, &y_},
             {"the right-hand side at its end", f, &k1_}};
}

// What lies behind, moved on to the end of the step.
void Stepper::add_history(Program& program) {
  const lm_view E = parts_.front().E.view();
  add_apply(program, k_[0].view(true), k1_.view(), E, false);
  add_apply(program, k_[1].view(true), k_[0].view(), E, false);
}

// erk43, whose second and third stages stand where the history will.
void Stepper::build_adams_start() {
  const lm_view E1 = E_.view(), E2 = equation_->uniform() ? E1 : E2_.view();
  Erk43 rows{k_[0].view(true), k_[1].view(true), k_[2].view(), E1, E2, {}, {}};
  const auto half = [&](const lm_view& E, double from, bool unitary) {
    equation_->add_propagator(start_, E, from, from + 0.5, unitary);
  };
  if (options_.noise) {
    rows.noise_middle = noise_stage_.view();
    rows.noise_end = noise_.view(true);
    half(E1, 0, equation_->lossy());
    add_apply(start_, rows.noise_middle, noise_.view(), E1, false);
    half(E1, 0.5, equation_->lossy());
    add_apply(start_, rows.noise_end, rows.noise_middle, E1, false);
  }
  half(E1, 0, false);
  if (!equation_->uniform()) half(E2, 0.5, false);
  add_erk43(start_, rows);
  add_history(start_);
}

}  // namespace lumarch
