// SPDX-License-Identifier: Apache-2.0
// What an attempted step is made of: the tableaus as programs of kernel calls (docs/kernels.md).
#include <algorithm>

#include "march/stepper.hpp"

namespace lumarch {

namespace {

lm_p_combine combine_params(std::size_t n) {
  lm_p_combine p{};
  p.struct_size = sizeof(p);
  p.n = static_cast<std::uint32_t>(n);
  return p;
}

}  // namespace

void Stepper::add_prepare(const Part& part) {
  equation_->add_propagator(prepare_, part.E.view(), part.from, part.to, false);
  if (part.unitary.given()) equation_->add_propagator(prepare_, part.unitary.view(), part.from, part.to, true);
}

void Stepper::add_apply(Program& program, const lm_view& out, const lm_view& x, const lm_view& E, bool inverse) {
  lm_p_apply p{sizeof(lm_p_apply), inverse ? std::uint32_t{LM_APPLY_INVERSE} : 0u};
  program.add(device_.need("lin.apply"), {out, x, E}, p);
  used_.add("lin.apply", "stage");
}

// The noise at a later place of the step: carried by the unitary part of the operator.
void Stepper::add_noise(const lm_view& out, const lm_view& in, const Part& part) {
  add_apply(attempt_, out, in, part.unitary.given() ? part.unitary.view() : part.E.view(), false);
}

void Stepper::add_sum(Program& program, lm_kernel_fn fn, const lm_view& out, const std::vector<Term>& terms,
                      const lm_view* factor) {
  lm_p_combine p = combine_params(terms.size());
  std::vector<lm_view> views = {out};
  for (std::size_t j = 0; j < terms.size(); ++j) {
    p.term[j] = {terms[j].c, terms[j].hpow, factor ? terms[j].level : 0};
    views.push_back(terms[j].view);
  }
  if (factor) views.push_back(*factor);
  program.add(fn, std::move(views), &p, sizeof(p), {});
}

// out = S0 + last (S1 + first S2); out is none of the inputs. The two factors may be the same rows.
void Stepper::add_combine(Program& program, const lm_view& out, const std::vector<Term>& terms, const lm_view& last,
                          const lm_view& first) {
  int level = 0;
  for (const Term& term : terms) level = std::max(level, term.level);
  if (level > 0 && combine_ && (level == 1 || last.buffer == first.buffer)) {
    add_sum(program, combine_, out, terms, &last);
    used_.add("step.combine", "fused");
    return;
  }
  bool started = false;
  for (; level >= 0; --level) {
    std::vector<Term> some;
    if (started) some.push_back({out, 1, 0, 0});
    for (const Term& term : terms)
      if (term.level == level) some.push_back(term);
    if (some.size() > (started ? 1u : 0u)) add_sum(program, device_.need("core.lincomb"), out, some, nullptr);
    started = true;
    if (level > 0) add_apply(program, out, out, level == 2 ? first : last, false);
  }
  used_.add("core.lincomb", "stage");
}

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
    add_noise(middle, noise_.view(), half1);
    add_noise(end, middle, half2);
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
  lm_p_combine error = combine_params(2);
  error.term[0] = {0.1, 1, 0};
  error.term[1] = {-0.1, 1, 0};
  attempt_.add(device_.need("reduce.error"), {next, k4, k5_next}, error);
  stages_ = {{"the field it starts from", y, &y_},
             {"stage 1", k5, &k1_},
             {"stage 2", k2, &k_[0]},
             {"stage 3", k3, &k_[1]},
             {"stage 4", k4, &k_[2]},
             {"the new field", next, &y_},
             {"stage 5", k5_next, &k1_}};
}

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
    add_noise(out, noise_.view(), parts_[node]);
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
  lm_p_combine norm = combine_params(1);
  norm.term[0] = {1, 0, 0};
  attempt_.add(device_.need("reduce.error"), {next, u}, norm);
  stages_ = {{"the field it starts from", y, &y_}, {"stage 1", k[0], &k1_}};
  const char* names[] = {"stage 2", "stage 3", "stage 4", "stage 5", "stage 6"};
  for (std::size_t j = 1; j <= 5; ++j) stages_.push_back({names[j - 1], k[j], &k_[j - 1]});
  stages_.push_back({"the new field", next, &y_});
  stages_.push_back({"stage 7", k7, &k1_});
}

}  // namespace lumarch
