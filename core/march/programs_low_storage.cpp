// SPDX-License-Identifier: Apache-2.0
#include "march/stepper.hpp"

namespace lumarch {

namespace {

// Carpenter and Kennedy's 2N scheme of five stages (NASA TM 109112, 1994).
constexpr std::size_t stages = 5;
constexpr double A[stages] = {0, -567301805773.0 / 1357537059087, -2404267990393.0 / 2016746695238,
                              -3550918686646.0 / 2091501179385, -1275806237668.0 / 842570457699};
constexpr double B[stages] = {1432997174477.0 / 9575080441755, 5161836677717.0 / 13612068292357,
                              1720146321549.0 / 2090206949498, 3134564353537.0 / 4481467310338,
                              2277821191437.0 / 14882151754819};
constexpr double c[stages + 1] = {0,
                                  1432997174477.0 / 9575080441755,
                                  2526269341429.0 / 6820363962896,
                                  2006345519317.0 / 3224310063776,
                                  2802321613138.0 / 2924317926251,
                                  1};
// What the new field is above a companion of third order: the sum of eps_i d_i.
constexpr double eps[stages] = {-0.0471931870050, 0.155973708677, -0.438838734703, 0.180546059504, 0.0145410145193};

}  // namespace

// The scheme in the interaction picture (physics.md, 16): d = A_i d + h N(y), y = y + B_i d, then both and the error
// are moved on to the next stage. The new field grows in the flipped bank; d, the error and the propagator live within
// the attempt.
void Stepper::build_low_storage() {
  const lm_view y = y_.view(), next = y_.view(true), k = k1_.view(), d = k_[0].view(), error = k_[1].view();
  const lm_view E = E_.view();
  lm_view noise = options_.noise ? noise_.view() : lm_view{};
  for (std::size_t i = 0; i < stages; ++i) {
    equation_->add_rhs(attempt_, i == 0 ? y : next, k, options_.noise ? &noise : nullptr, c[i]);
    if (options_.noise) {
      equation_->add_propagator(attempt_, E, c[i], c[i + 1], equation_->lossy());
      add_apply(attempt_, noise_.view(true), noise, E, false);
      noise = noise_.view(true);
    }
    if (!options_.noise || equation_->lossy()) equation_->add_propagator(attempt_, E, c[i], c[i + 1], false);
    if (i == 0) {  // there is no d yet, and the error is eps_1 d
      add_combine(attempt_, next, {{y, 1, 0, 1}, {k, B[0], 1, 1}}, E);
      add_combine(attempt_, d, {{k, 1, 1, 1}}, E);
      continue;
    }
    add_combine(attempt_, next, {{next, 1, 0, 1}, {d, B[i] * A[i], 0, 1}, {k, B[i], 1, 1}}, E);
    if (i == 1)
      add_combine(attempt_, error, {{d, eps[0] + eps[1] * A[1], 0, 1}, {k, eps[1], 1, 1}}, E);
    else
      add_combine(attempt_, error, {{error, 1, 0, 1}, {d, eps[i] * A[i], 0, 1}, {k, eps[i], 1, 1}}, E);
    if (i + 1 < stages) add_combine(attempt_, d, {{d, A[i], 0, 1}, {k, 1, 1, 1}}, E);
  }
  add_norms(attempt_, next, {{error, 1, 0, 0}});
  stages_ = {{"the field it starts from", y, &y_}, {"the new field", next, &y_}};
}

}  // namespace lumarch
