// SPDX-License-Identifier: Apache-2.0
#include "march/fibre_equation.hpp"

#include <algorithm>

namespace lumarch {

FibreTransforms::FibreTransforms(Device& device, std::int64_t n, bool with_real) {
  to_time = Plan::fft(device, n, LM_FFT_C2C, LM_FFT_FORWARD, false);
  to_frequency = Plan::fft(device, n, LM_FFT_C2C, LM_FFT_BACKWARD, true);
  if (!with_real) return;
  real_forward = Plan::fft(device, n, LM_FFT_R2C, LM_FFT_FORWARD, true);
  real_backward = Plan::fft(device, n, LM_FFT_C2R, LM_FFT_BACKWARD, true);
}

const void* FibreEquation::ResponsePart::address() const {
  return std::visit([](const auto& p) -> const void* { return &p; }, params);
}

std::size_t FibreEquation::ResponsePart::size() const {
  return std::visit([](const auto& p) { return sizeof(p); }, params);
}

FibreEquation::FibreEquation(Device& device, std::vector<FibreTables> members, bool noise)
    : device_(device), tables_(std::move(members)), n_(tables_.front().grid.n) {
  check_members(noise);
  D_ = upload_rows("operator", &FibreTables::D);
  source_ = upload_rows("source", &FibreTables::source);
  pre_ = upload_rows("effective area", &FibreTables::pre);
  raman_ = upload_rows("Raman response", &FibreTables::raman);
  if (noise) unitary_ = upload_rows("operator", &FibreTables::unitary);
  const auto scratch = [&] {
    return RowBlock(device_, RowBlock::Kind::scratch, this->members(), n_, LM_C128, 1, "scratch");
  };
  field_ = scratch();
  polarisation_ = scratch();
  fft_ = FibreTransforms(device_, n_, raman_.given());
  lossless_ = std::all_of(tables_.begin(), tables_.end(), [](const FibreTables& t) { return t.lossless; });
}

void FibreEquation::check_members(bool noise) {
  const FibreTables& first = tables_.front();
  for (const FibreTables& t : tables_)
    if (t.grid.n != n_ || t.kerr != first.kerr || !t.raman != !first.raman || !t.pre != !first.pre ||
        (noise && !t.unitary != !first.unitary))
      throw Error(Fault::problem, "the members of a batch share the number of points and the responses");
  for (const PluginResponse& response : first.own) own_.push_back(resolve(device_.backend(), response));
  for (const FibreTables& t : tables_) {  // one call works on all members, so they have the same values
    bool same = t.own.size() == own_.size() && t.own_first == first.own_first;
    for (std::size_t i = 0; same && i < own_.size(); ++i)
      same = t.own[i].name == own_[i].name && resolve(device_.backend(), t.own[i]).values == own_[i].values;
    if (!same)
      throw Error(Fault::problem, "the members of a batch share the responses of plugins and their parameters");
  }
}

// A table on the device: one row where all members share it, else one each.
template <class T>
RowBlock FibreEquation::upload_rows(const char* name, SharedRow<T> FibreTables::*row) {
  if (!(tables_.front().*row)) return {};
  const bool shared =
      std::all_of(tables_.begin(), tables_.end(), [&](const FibreTables& t) { return t.*row == tables_.front().*row; });
  const auto samples = static_cast<std::int64_t>((tables_.front().*row)->size());
  RowBlock block(device_, shared ? RowBlock::Kind::shared : RowBlock::Kind::own, members(), samples,
                 sizeof(T) == 8 ? LM_F64 : LM_C128, 1, name);
  for (std::uint32_t m = 0; m < (shared ? 1 : members()); ++m)
    block.upload(device_, m, 0, *(tables_[m].*row), "upload tables");
  return block;
}

// The first response overwrites the polarisation, the others add to it.
std::uint32_t FibreEquation::response_flags() const {
  return responses_.empty() ? 0u : std::uint32_t{LM_RESPONSE_ACCUMULATE};
}

// In the order of the problem's list; kerr and raman are one, at the place of the first of them.
void FibreEquation::resolve_kernels() {
  add_own(0, tables_.front().own_first);
  resolve_of_fibre();
  add_own(tables_.front().own_first, own_.size());
}

void FibreEquation::resolve_of_fibre() {
  const FibreTables& tables = tables_.front();
  const lm_kernel_fn both = fused_ ? device_.find("response.kerr_raman") : nullptr;
  const auto add = [this](lm_kernel_fn fn, double c, bool raman) {
    responses_.push_back({fn, lm_p_response{sizeof(lm_p_response), response_flags(), c}, raman});
  };
  if (tables.kerr != 0 && tables.raman && both) {
    add(both, tables.kerr, true);
    used_->add("response.kerr_raman", "fused");
    return;
  }
  if (tables.kerr != 0) {
    add(device_.need("response.kerr"), tables.kerr, false);
    used_->add("response.kerr", "stage");
  }
  if (tables.raman) {
    add(device_.need("response.raman"), 0, true);
    used_->add("response.raman", "stage");
  }
}

void FibreEquation::add_own(std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    const OwnResponse& own = own_[i];
    const auto n = static_cast<std::uint32_t>(own.values.size());
    const lm_p_own_response params{sizeof(lm_p_own_response), response_flags(), n, 0, own.values.data()};
    responses_.push_back({own.fn, params, false});
    used_->add({own.name, own.version, "plugin", own.from});
  }
}

// As a fused right-hand side calls them.
void FibreEquation::describe_responses() {
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
                     2 * bytes_of(n_ / 2 + 1, 16) + bytes_of(n_, 16);
    }
    fused_responses_.push_back(r);
  }
}

void FibreEquation::build(bool fused, KernelsUsed& used) {
  fused_ = fused;
  used_ = &used;
  responses_.clear();
  resolve_kernels();
  rhs_ = fused_ ? device_.find("rhs.fibre") : nullptr;
  describe_responses();
}

void FibreEquation::add_rhs(Program& program, const lm_view& in, const lm_view& out, const lm_view* noise,
                            double /*place*/) {
  if (responses_.empty()) {  // a linear fibre: there is no source
    program.add(device_.need("core.fill"), {out}, lm_p_fill{sizeof(lm_p_fill), 0, 0, 0});
    used_->add("core.fill", "stage");
  } else if (rhs_) {
    add_fused_rhs(program, in, out, noise);
  } else {
    add_composed_rhs(program, in, out, noise);
  }
}

void FibreEquation::add_fused_rhs(Program& program, const lm_view& in, const lm_view& out, const lm_view* noise) {
  lm_p_rhs p{sizeof(lm_p_rhs), static_cast<std::uint32_t>(fused_responses_.size()), fused_responses_.data()};
  std::uint64_t work = 2 * bytes_of(n_, 16);
  for (const lm_response& r : fused_responses_) work = std::max(work, 2 * bytes_of(n_, 16) + r.work_bytes);
  program.add(rhs_, {in, out, source_.view(), pre_.given() ? pre_.view() : lm_view{}, noise ? *noise : lm_view{}}, &p,
              sizeof(p), {&fft_.to_time, &fft_.to_frequency}, work);
  used_->add("rhs.fibre", "fused");
}

void FibreEquation::add_composed_rhs(Program& program, const lm_view& in, const lm_view& out, const lm_view* noise) {
  lm_view from = in;
  if (noise) {
    program.add(device_.need("core.lincomb"), {polarisation_.view(), from, *noise}, plain_sum(2));
    from = polarisation_.view();
  }
  if (pre_.given()) {
    program.add(device_.need("core.mul"), {polarisation_.view(), from, pre_.view()}, nullptr, 0, {});
    from = polarisation_.view();
  }
  program.add(device_.need("fft.exec"), {field_.view(), from}, nullptr, 0, {&fft_.to_time});
  add_responses(program);
  program.add(device_.need("fft.exec"), {out, polarisation_.view()}, nullptr, 0, {&fft_.to_frequency});
  program.add(device_.need("core.mul"), {out, out, source_.view()}, nullptr, 0, {});
  used_->add("fft.exec", "stage");
  used_->add("core.mul", "stage");
}

void FibreEquation::add_responses(Program& program) {
  const lm_view field = field_.view(), polarisation = polarisation_.view();
  for (std::size_t i = 0; i < responses_.size(); ++i) {
    const ResponsePart& part = responses_[i];
    if (part.raman)
      program.add(part.fn, {field, polarisation, raman_.view()}, part.address(), part.size(),
                  {&fft_.real_forward, &fft_.real_backward}, fused_responses_[i].work_bytes);
    else
      program.add(part.fn, {field, polarisation}, part.address(), part.size(), {});
  }
}

const Plan& FibreEquation::propagator(double node, bool unitary) {
  const std::pair key{node, unitary};
  for (const auto& [made, plan] : propagators_)
    if (made == key) return plan;
  lm_propagator_desc desc{};
  desc.struct_size = sizeof(desc);
  desc.node = node;
  desc.lossless = unitary || lossless_;
  desc.D = unitary ? unitary_.view() : D_.view();
  return propagators_.emplace_back(key, Plan(device_, desc)).second;
}

void FibreEquation::add_propagator(Program& program, const lm_view& E, double from, double to, bool unitary) {
  program.add(device_.need("lin.prepare"), {E}, nullptr, 0, {&propagator(to - from, unitary)});
  used_->add("lin.prepare", "stage");
}

void FibreEquation::add_reading(Program& program, const lm_view& state, const lm_view& out) {
  program.add(device_.need("fft.exec"), {out, state}, nullptr, 0, {&fft_.to_time});
  used_->add("fft.exec", "stage");
}

void FibreEquation::add_reads(Program& program, const lm_view& state, const lm_view& spare, const ReadWants& wants,
                              const ReadViews& out) {
  const lm_p_read sum{sizeof(lm_p_read), 0, 1};
  const lm_kernel_fn squares = device_.need("read.samples");
  program.add(squares, {out.spectrum, state}, sum);
  used_->add("read.samples", "stage");
  if (!wants.power) return;
  add_reading(program, state, spare);
  program.add(squares, {out.power, spare}, sum);
}

std::string FibreEquation::suspects() const {
  std::string text;
  for (const OwnResponse& own : own_)
    text += (text.empty() ? "; this run also calls " : ", ") + own.name + " of " + own.from;
  return text;
}

}  // namespace lumarch
