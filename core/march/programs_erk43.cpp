// SPDX-License-Identifier: Apache-2.0
#include "march/stepper.hpp"

namespace lumarch {

// The embedded RK4(3) of Balac and Mahe in the interaction picture (physics.md, 16). E1 and E2 cross the halves of the
// step; they are one where the operator does not depend on z.
void Stepper::add_erk43(Program& program, const Erk43& rows) {
  const lm_view y = y_.view(), next = y_.view(true), k5 = k1_.view(), k5_next = k1_.view(true), u = u_.view();
  const auto& [k2, k3, k4, E1, E2, middle, end] = rows;
  const lm_view* noise_middle = options_.noise ? &middle : nullptr;
  const lm_view* noise_end = options_.noise ? &end : nullptr;
  add_combine(program, u, {{y, 1, 0, 1}, {k5, 0.5, 1, 1}}, E1);
  equation_->add_rhs(program, u, k2, noise_middle, 0.5);
  add_combine(program, u, {{y, 1, 0, 1}, {k2, 0.5, 1, 0}}, E1);
  equation_->add_rhs(program, u, k3, noise_middle, 0.5);
  add_combine(program, u, {{y, 1, 0, 2}, {k3, 1, 1, 1}}, E2, E1);
  equation_->add_rhs(program, u, k4, noise_end, 1);
  add_combine(program, next,
              {{y, 1, 0, 2}, {k5, 1.0 / 6, 1, 2}, {k2, 1.0 / 3, 1, 1}, {k3, 1.0 / 3, 1, 1}, {k4, 1.0 / 6, 1, 0}}, E2,
              E1);
  equation_->add_rhs(program, next, k5_next, noise_end, 1);
  add_norms(program, next, {{k4, 0.1, 1, 0}, {k5_next, -0.1, 1, 0}});
}

void Stepper::build_erk43() {
  const Part &half1 = parts_.front(), &half2 = parts_.back();
  Erk43 rows{k_[0].view(), k_[1].view(), k_[2].view(), half1.E.view(), half2.E.view(), {}, {}};
  if (options_.noise) {
    rows.noise_middle = noise_stage_.view();
    rows.noise_end = noise_.view(true);
    add_noise(attempt_, rows.noise_middle, noise_.view(), half1);
    add_noise(attempt_, rows.noise_end, rows.noise_middle, half2);
  }
  add_erk43(attempt_, rows);
  stages_ = {{"the field it starts from", y_.view(), &y_},
             {"stage 1", k1_.view(), &k1_},
             {"stage 2", rows.k2, &k_[0]},
             {"stage 3", rows.k3, &k_[1]},
             {"stage 4", rows.k4, &k_[2]},
             {"the new field", y_.view(true), &y_},
             {"stage 5", k1_.view(true), &k1_}};
}

}  // namespace lumarch
