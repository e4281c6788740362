// SPDX-License-Identifier: Apache-2.0
// What an attempted step is made of: the tableaus as programs of kernel calls (docs/kernels.md).
#include <algorithm>
#include <initializer_list>

#include "march/stepper.hpp"

namespace lumarch {

namespace {

lm_p_combine combine_params(std::size_t n) {
  lm_p_combine p{};
  p.struct_size = sizeof(p);
  p.n = static_cast<std::uint32_t>(n);
  return p;
}

std::uint64_t rounded_row(std::int64_t n) { return (static_cast<std::uint64_t>(n) * 16 + 63) / 64 * 64; }

}  // namespace

void Stepper::use(const char* name, const char* how) {
  const auto same = [&](const KernelUse& k) { return k.name == name; };
  if (std::none_of(used_.begin(), used_.end(), same)) used_.push_back({name, 1, how, {}});
}

const void* Stepper::ResponsePart::address() const {
  return std::visit([](const auto& p) -> const void* { return &p; }, params);
}

std::size_t Stepper::ResponsePart::size() const {
  return std::visit([](const auto& p) { return sizeof(p); }, params);
}

// The first response overwrites the polarisation, the others add to it.
std::uint32_t Stepper::response_flags() const {
  return responses_.empty() ? 0u : std::uint32_t{LM_RESPONSE_ACCUMULATE};
}

// In the order of the problem's list; kerr and raman are one, at the place of the first of them.
void Stepper::resolve_kernels() {
  add_own(0, tables_.front().own_first);
  resolve_of_fibre();
  add_own(tables_.front().own_first, own_.size());
}

void Stepper::resolve_of_fibre() {
  const FibreTables& tables = tables_.front();
  const lm_kernel_fn both = options_.fused ? device_.find("response.kerr_raman") : nullptr;
  const auto add = [this](lm_kernel_fn fn, double c, bool raman) {
    responses_.push_back({fn, lm_p_response{sizeof(lm_p_response), response_flags(), c}, raman});
  };
  if (tables.kerr != 0 && tables.raman && both) {
    add(both, tables.kerr, true);
    use("response.kerr_raman", "fused");
    return;
  }
  if (tables.kerr != 0) {
    add(device_.need("response.kerr"), tables.kerr, false);
    use("response.kerr", "stage");
  }
  if (tables.raman) {
    add(device_.need("response.raman"), 0, true);
    use("response.raman", "stage");
  }
}

void Stepper::add_own(std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    const OwnResponse& own = own_[i];
    const auto n = static_cast<std::uint32_t>(own.values.size());
    const lm_p_own_response params{sizeof(lm_p_own_response), response_flags(), n, 0, own.values.data()};
    responses_.push_back({own.fn, params, false});
    used_.push_back({own.name, own.version, "plugin", own.from});
  }
}

void Stepper::build() {
  used_.clear();
  responses_.clear();
  stages_.clear();
  for (Program* program : programs()) *program = Program{};
  resolve_kernels();
  combine_ = options_.fused ? device_.find("step.combine") : nullptr;
  rhs_ = options_.fused ? device_.find("rhs.fibre") : nullptr;
  raman_tables_ = raman_.given() ? std::vector<lm_view>{raman_.view()} : std::vector<lm_view>{};
  raman_plans_ = {fft_.real_forward.handle(), fft_.real_backward.handle()};
  fused_responses_.clear();
  for (const ResponsePart& part : responses_) {
    lm_response r{};
    r.fn = part.fn;
    r.params = part.address();
    r.params_size = static_cast<std::uint32_t>(part.size());
    if (part.raman) {
      r.tables = raman_tables_.data();
      r.n_tables = 1;
      r.plans = raman_plans_.data();
      r.n_plans = 2;
      r.work_bytes = std::max(fft_.real_forward.work_bytes(), fft_.real_backward.work_bytes()) +
                     2 * rounded_row(n_ / 2 + 1) + rounded_row(n_);
    }
    fused_responses_.push_back(r);
  }

  const lm_view noise = options_.noise ? noise_.view() : lm_view{};
  add_rhs(first_, y_.view(), k1_.view(), options_.noise ? &noise : nullptr);
  // the norms of the launch and of its right-hand side, which suggest the first step
  lm_p_combine norm = combine_params(1);
  norm.term[0] = {1, 0, 0};
  first_.add(device_.need("reduce.error"), {y_.view(), k1_.view()}, norm);
  use("reduce.error", "stage");

  for (std::size_t i = 0; i < propagators_.size(); ++i) {
    add_prepare(propagators_[i], E_[i]);
    if (!noise_E_.empty()) add_prepare(noise_propagators_[i], noise_E_[i]);
  }
  options_.integrator == Integrator::erk43 ? build_erk43() : build_dp54();
  to_time_program_.add(device_.need("fft.exec"), {u_.view(), y_.view()}, nullptr, 0, {&fft_.to_time});
  use("fft.exec", "stage");

  launch_to_time_.add(device_.need("fft.exec"), {y_.view(true), u_.view()}, nullptr, 0, {&fft_.to_time});
  launch_to_frequency_.add(device_.need("fft.exec"), {y_.view(true), u_.view()}, nullptr, 0, {&fft_.to_frequency});

  // A new work area each time, also where the old one would do: an allocation tells the device that lists have changed
  // (abi.h, at `run`).
  std::uint64_t work = 1;
  for (const Program* program : programs()) work = std::max(work, program->work_bytes());
  work_ = RowBlock{};
  work_ = RowBlock(device_, RowBlock::Kind::scratch, members(), static_cast<std::int64_t>(work), LM_U8, 1, "work area");
  for (Program* program : programs()) program->bind(device_, block_.view(), work_);
}

void Stepper::add_prepare(const Plan& plan, const RowBlock& E) {
  prepare_.add(device_.need("lin.prepare"), {E.view()}, nullptr, 0, {&plan});
  use("lin.prepare", "stage");
}

void Stepper::add_apply(Program& program, const lm_view& out, const lm_view& x, const lm_view& E, bool inverse) {
  lm_p_apply p{sizeof(lm_p_apply), inverse ? std::uint32_t{LM_APPLY_INVERSE} : 0u};
  program.add(device_.need("lin.apply"), {out, x, E}, p);
  use("lin.apply", "stage");
}

// The noise at a later place of the step: carried by the unitary part of the operator.
void Stepper::add_noise(const lm_view& out, const lm_view& in, const RowBlock& E) {
  add_apply(attempt_, out, in, E.view(), false);
}

// out = S0 + E (S1 + E S2); out is none of the inputs.
void Stepper::add_combine(Program& program, const lm_view& out, const std::vector<Term>& terms, const lm_view* E) {
  const auto add_sum = [&](lm_kernel_fn fn, const std::vector<Term>& some, bool with_levels, const lm_view* factor) {
    lm_p_combine p = combine_params(some.size());
    std::vector<lm_view> views = {out};
    for (std::size_t j = 0; j < some.size(); ++j) {
      p.term[j] = {some[j].c, some[j].hpow, with_levels ? some[j].level : 0};
      views.push_back(some[j].view);
    }
    if (factor) views.push_back(*factor);
    program.add(fn, std::move(views), &p, sizeof(p), {});
  };
  int level = 0;
  for (const Term& term : terms) level = std::max(level, term.level);
  if (level > 0 && combine_) {
    add_sum(combine_, terms, true, E);
    use("step.combine", "fused");
    return;
  }
  bool started = false;
  for (; level >= 0; --level) {
    std::vector<Term> some;
    if (started) some.push_back({out, 1, 0, 0});
    for (const Term& term : terms)
      if (term.level == level) some.push_back(term);
    if (some.size() > (started ? 1u : 0u)) add_sum(device_.need("core.lincomb"), some, false, nullptr);
    started = true;
    if (level > 0) add_apply(program, out, out, *E, false);
  }
  use("core.lincomb", "stage");
}

void Stepper::add_rhs(Program& program, const lm_view& in, const lm_view& out, const lm_view* noise) {
  if (responses_.empty()) {  // a linear fibre: there is no source
    program.add(device_.need("core.fill"), {out}, lm_p_fill{sizeof(lm_p_fill), 0, 0, 0});
    use("core.fill", "stage");
  } else if (rhs_) {
    add_fused_rhs(program, in, out, noise);
  } else {
    add_composed_rhs(program, in, out, noise);
  }
}

void Stepper::add_fused_rhs(Program& program, const lm_view& in, const lm_view& out, const lm_view* noise) {
  lm_p_rhs p{sizeof(lm_p_rhs), static_cast<std::uint32_t>(fused_responses_.size()), fused_responses_.data()};
  std::uint64_t work = 2 * rounded_row(n_);
  for (const lm_response& r : fused_responses_) work = std::max(work, 2 * rounded_row(n_) + r.work_bytes);
  program.add(rhs_, {in, out, source_.view(), pre_.given() ? pre_.view() : lm_view{}, noise ? *noise : lm_view{}}, &p,
              sizeof(p), {&fft_.to_time, &fft_.to_frequency}, work);
  use("rhs.fibre", "fused");
}

void Stepper::add_composed_rhs(Program& program, const lm_view& in, const lm_view& out, const lm_view* noise) {
  lm_view from = in;
  if (noise) {
    lm_p_combine p = combine_params(2);
    p.term[0] = p.term[1] = {1, 0, 0};
    program.add(device_.need("core.lincomb"), {polarisation_.view(), from, *noise}, p);
    from = polarisation_.view();
  }
  if (pre_.given()) {
    program.add(device_.need("core.mul"), {polarisation_.view(), from, pre_.view()}, nullptr, 0, {});
    from = polarisation_.view();
  }
  program.add(device_.need("fft.exec"), {field_.view(), from}, nullptr, 0, {&fft_.to_time});
  add_responses(program, field_.view(), polarisation_.view());
  program.add(device_.need("fft.exec"), {out, polarisation_.view()}, nullptr, 0, {&fft_.to_frequency});
  program.add(device_.need("core.mul"), {out, out, source_.view()}, nullptr, 0, {});
  use("fft.exec", "stage");
  use("core.mul", "stage");
}

void Stepper::add_responses(Program& program, const lm_view& field, const lm_view& polarisation) {
  for (std::size_t i = 0; i < responses_.size(); ++i) {
    const ResponsePart& part = responses_[i];
    if (part.raman)
      program.add(part.fn, {field, polarisation, raman_.view()}, part.address(), part.size(),
                  {&fft_.real_forward, &fft_.real_backward}, fused_responses_[i].work_bytes);
    else
      program.add(part.fn, {field, polarisation}, part.address(), part.size(), {});
  }
}

// The embedded RK4(3) of Balac and Mahe in the interaction picture (physics.md, 16), E = exp(L h/2).
void Stepper::build_erk43() {
  const lm_view y = y_.view(), k5 = k1_.view(), u = u_.view(), k2 = k_[0].view(), k3 = k_[1].view(), k4 = k_[2].view();
  const lm_view next = y_.view(true), k5_next = k1_.view(true), E = E_[0].view();
  lm_view middle{}, end{};
  const lm_view *noise_middle = nullptr, *noise_end = nullptr;
  if (options_.noise) {
    const RowBlock& unitary = noise_E_.empty() ? E_[0] : noise_E_[0];
    middle = noise_stage_.view();
    end = noise_.view(true);
    add_noise(middle, noise_.view(), unitary);
    add_noise(end, middle, unitary);
    noise_middle = &middle;
    noise_end = &end;
  }
  add_combine(attempt_, u, {{y, 1, 0, 1}, {k5, 0.5, 1, 1}}, &E);
  add_rhs(attempt_, u, k2, noise_middle);
  add_combine(attempt_, u, {{y, 1, 0, 1}, {k2, 0.5, 1, 0}}, &E);
  add_rhs(attempt_, u, k3, noise_middle);
  add_combine(attempt_, u, {{y, 1, 0, 2}, {k3, 1, 1, 1}}, &E);
  add_rhs(attempt_, u, k4, noise_end);
  add_combine(attempt_, next,
              {{y, 1, 0, 2}, {k5, 1.0 / 6, 1, 2}, {k2, 1.0 / 3, 1, 1}, {k3, 1.0 / 3, 1, 1}, {k4, 1.0 / 6, 1, 0}}, &E);
  add_rhs(attempt_, next, k5_next, noise_end);
  lm_p_combine error = combine_params(2);
  error.term[0] = {0.1, 1, 0};
  error.term[1] = {-0.1, 1, 0};
  attempt_.add(device_.need("reduce.error"), {next, k4, k5_next}, error);
  stages_ = {{"the field it starts from", y}, {"stage 1", k5},     {"stage 2", k2}, {"stage 3", k3}, {"stage 4", k4},
             {"the new field", next},         {"stage 5", k5_next}};
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
    add_noise(out, noise_.view(), noise_E_.empty() ? E_[node] : noise_E_[node]);
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
    const lm_view E = E_[node].view();
    add_combine(attempt_, u, sum(a[stage - 1], stage), &E);
    add_rhs(attempt_, u, k[stage], noise_at(node, carried));
    add_apply(attempt_, k[stage], k[stage], E, true);
  }
  const lm_view E = E_[4].view();
  add_combine(attempt_, next, sum(b, 6), &E);
  add_rhs(attempt_, next, k7, noise_at(4, end));
  std::vector<Term> difference = {{k7, -b4[6], 1, 0}};
  for (std::size_t j = 0; j < 6; ++j)
    if (b[j] != b4[j]) difference.push_back({k[j], b[j] - b4[j], 1, 1});
  add_combine(attempt_, u, difference, &E);
  lm_p_combine norm = combine_params(1);
  norm.term[0] = {1, 0, 0};
  attempt_.add(device_.need("reduce.error"), {next, u}, norm);
  stages_ = {{"the field it starts from", y}, {"stage 1", k[0]}};
  const char* names[] = {"stage 2", "stage 3", "stage 4", "stage 5", "stage 6"};
  for (std::size_t j = 1; j <= 5; ++j) stages_.push_back({names[j - 1], k[j]});
  stages_.push_back({"the new field", next});
  stages_.push_back({"stage 7", k7});
}

}  // namespace lumarch
