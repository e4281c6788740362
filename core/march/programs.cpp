// SPDX-License-Identifier: Apache-2.0
// What the programs of attempted steps are made of (docs/kernels.md); each tableau has a file of its own.
#include <algorithm>

#include "march/stepper.hpp"

namespace lumarch {

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
void Stepper::add_noise(Program& program, const lm_view& out, const lm_view& in, const Part& part) {
  add_apply(program, out, in, part.unitary.given() ? part.unitary.view() : part.E.view(), false);
}

// numbers = the squares of the 2-norms of the sum of the terms, and of y.
void Stepper::add_norms(Program& program, const lm_view& y, const std::vector<Term>& terms) {
  add_sum(program, device_.need("reduce.error"), y, terms, false, nullptr);
  used_.add("reduce.error", "stage");
}

void Stepper::add_scaled(Program& program, const char* kernel, const lm_view& out, const std::vector<Term>& terms) {
  add_sum(program, device_.need(kernel, 2), out, terms, true, nullptr);
  used_.add(kernel, "stage", 2);
}

void Stepper::add_sum(Program& program, lm_kernel_fn fn, const lm_view& out, const std::vector<Term>& terms,
                      bool levels, const lm_view* factor) {
  lm_p_combine p{};
  p.struct_size = sizeof(p);
  p.n = static_cast<std::uint32_t>(terms.size());
  std::vector<lm_view> views = {out};
  for (std::size_t j = 0; j < terms.size(); ++j) {
    p.term[j] = {terms[j].c, terms[j].hpow, levels ? terms[j].level : 0};
    views.push_back(terms[j].view);
  }
  if (factor) views.push_back(*factor);
  program.add(fn, std::move(views), &p, sizeof(p), {});
}

// out = S0 + last (S1 + first S2). The two factors may be the same rows; out may be an input where all terms have one
// level.
void Stepper::add_combine(Program& program, const lm_view& out, const std::vector<Term>& terms, const lm_view& last,
                          const lm_view& first) {
  int level = 0;
  for (const Term& term : terms) level = std::max(level, term.level);
  if (level > 0 && combine_ && (level == 1 || last.buffer == first.buffer)) {
    add_sum(program, combine_, out, terms, true, &last);
    used_.add("step.combine", "fused");
    return;
  }
  bool started = false;
  for (; level >= 0; --level) {
    std::vector<Term> some;
    if (started) some.push_back({out, 1, 0, 0});
    for (const Term& term : terms)
      if (term.level == level) some.push_back(term);
    if (some.size() > (started ? 1u : 0u)) add_sum(program, device_.need("core.lincomb"), out, some, false, nullptr);
    started = true;
    if (level > 0) add_apply(program, out, out, level == 2 ? first : last, false);
  }
  used_.add("core.lincomb", "stage");
}

}  // namespace lumarch
