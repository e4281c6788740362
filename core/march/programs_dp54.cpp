// SPDX-License-Identifier: Apache-2.0
#include "march/stepper.hpp"

namespace lumarch {

// Dormand and Prince 5(4) (J. Comput. Appl. Math. 6, 19, 1980) in the interaction picture: the derivatives are carried
// back to the step's start, k^ = E(-c h) N; the fifth-order row advances, the last derivative is the next step's first.
void Stepper::build_dp54() {
  constexpr double a[5][5] = {{1.0 / 5},
                              {3.0 / 40, 9.0 / 40},
                              {44.0 / 45, -56.0 / 15, 32.0 / 9},
                              {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                              {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}};
  constexpr double b[6] = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84};
  constexpr double b4[7] = {5179.0 / 57600, 0, 7571.0 / 16695, 393.0 / 640, -92097.0 / 339200, 187.0 / 2100, 1.0 / 40};
  const lm_view y = y_.view(), u = u_.view(), next = y_.view(true), k7 = k1_.view(true);
  std::vector<lm_view> k = {k1_.view()};
  for (const RowBlock& row : k_) k.push_back(row.view());
  lm_view carried{}, end{};
  if (options_.noise) carried = noise_stage_.view(), end = noise_.view(true);
  const auto noise_at = [&](std::size_t node, const lm_view& out) -> const lm_view* {
    if (!options_.noise) return nullptr;
    add_noise(attempt_, out, noise_.view(), parts_[node]);
    return &out;
  };
  const auto sum = [&](const double* weights, std::size_t n) {
    std::vector<Term> terms = {{y, 1, 0, 1}};
    for (std::size_t j = 0; j < n; ++j)
      if (weights[j] != 0) terms.push_back({k[j], weights[j], 1, 1});
    return terms;
  };
  for (std::size_t stage = 1; stage <= 5; ++stage) {  // stages 2 ... 6, the last at c = 1
    const std::size_t node = stage - 1;
    const lm_view E = parts_[node].E.view();
    add_combine(attempt_, u, sum(a[stage - 1], stage), E);
    equation_->add_rhs(attempt_, u, k[stage], noise_at(node, carried), parts_[node].to);
    add_apply(attempt_, k[stage], k[stage], E, true);
  }
  const lm_view E = parts_[4].E.view();
  add_combine(attempt_, next, sum(b, 6), E);
  equation_->add_rhs(attempt_, next, k7, noise_at(4, end), 1);
  std::vector<Term> difference = {{k7, -b4[6], 1, 0}};
  for (std::size_t j = 0; j < 6; ++j)
    if (b[j] != b4[j]) difference.push_back({k[j], b[j] - b4[j], 1, 1});
  add_combine(attempt_, u, difference, E);
  add_norms(attempt_, next, {{u, 1, 0, 0}});
  stages_ = {{"the field it starts from", y, &y_}, {"stage 1", k[0], &k1_}};
  const char* names[] = {"stage 2", "stage 3", "stage 4", "stage 5", "stage 6"};
  for (std::size_t j = 1; j <= 5; ++j) stages_.push_back({names[j - 1], k[j], &k_[j - 1]});
  stages_.push_back({"the new field", next, &y_});
  stages_.push_back({"stage 7", k7, &k1_});
}

}  // namespace lumarch
