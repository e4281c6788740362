// SPDX-License-Identifier: Apache-2.0
#include "march/stepper.hpp"

namespace lumarch {

// The embedded RK4(3) of Balac and Mahe in the interaction picture (physics.md, 16). E1 and E2 cross the halves of the
// step; they are one where the operator does not depend on z.
void Stepper::build_erk43() {
  const lm_view y = y_.view(), k5 = k1_.view(), u = u_.view(), k2 = k_[0].view(), k3 = k_[1].view(), k4 = k_[2].view();
  const lm_view next = y_.view(true), k5_next = k1_.view(true);
  const Part &half1 = parts_.front(), &half2 = parts_.back();
  const lm_view E1 = half1.E.view(), E2 = half2.E.view();
  lm_view middle{}, end{};
  const lm_view *noise_middle = nullptr, *noise_end = nullptr;
  if (options_.noise) {
    middle = noise_stage_.view();
    end = noise_.view(true);
    add_noise(attempt_, middle, noise_.view(), half1);
    add_noise(attempt_, end, middle, half2);
    noise_middle = &middle;
    noise_end = &end;
  }
  add_combine(attempt_, u, {{y, 1, 0, 1}, {k5, 0.5, 1, 1}}, E1);
  equation_->add_rhs(attempt_, u, k2, noise_middle, 0.5);
  add_combine(attempt_, u, {{y, 1, 0, 1}, {k2, 0.5, 1, 0}}, E1);
  equation_->add_rhs(attempt_, u, k3, noise_middle, 0.5);
  add_combine(attempt_, u, {{y, 1, 0, 2}, {k3, 1, 1, 1}}, E2, E1);
  equation_->add_rhs(attempt_, u, k4, noise_end, 1);
  add_combine(attempt_, next,
              {{y, 1, 0, 2}, {k5, 1.0 / 6, 1, 2}, {k2, 1.0 / 3, 1, 1}, {k3, 1.0 / 3, 1, 1}, {k4, 1.0 / 6, 1, 0}}, E2,
              E1);
  equation_->add_rhs(attempt_, next, k5_next, noise_end, 1);
  add_norms(attempt_, next, {{k4, 0.1, 1, 0}, {k5_next, -0.1, 1, 0}});
  stages_ = {{"the field it starts from", y, &y_},
             {"stage 1", k5, &k1_},
             {"stage 2", k2, &k_[0]},
             {"stage 3", k3, &k_[1]},
             {"stage 4", k4, &k_[2]},
             {"the new field", next, &y_},
             {"stage 5", k5_next, &k1_}};
}

}  // namespace lumarch
