// SPDX-License-Identifier: Apache-2.0
#include "march/route_equation.hpp"

#include <algorithm>

#include <lumarch/error.hpp>

#include "media/constants.hpp"
#include "media/raman.hpp"

namespace lumarch {

namespace {

// Nodes that the work area of rhs.columns holds at once: one where a worker has one node after the other; as many as
// keep a device busy where kernels work on all of them.
constexpr std::uint64_t wide_work_bytes = std::uint64_t{64} << 20;

}  // namespace

RouteEquation::RouteEquation(Device& device, std::shared_ptr<const UppeTables> tables, std::uint32_t members,
                             bool noise)
    : device_(device), tables_(std::move(tables)), members_(members), noise_(noise) {
  const BandGrid& grid = tables_->grid;
  const bool real = grid.half();
  upload_tables();
  to_time_ = real && !tables_->analytic ? Plan::fft(device_, grid.fine, LM_FFT_C2R, LM_FFT_BACKWARD, true)
                                        : Plan::fft(device_, grid.fine, LM_FFT_C2C, LM_FFT_FORWARD, true);
  to_frequency_ = real ? Plan::fft(device_, grid.fine, LM_FFT_R2C, LM_FFT_FORWARD, true)
                       : Plan::fft(device_, grid.fine, LM_FFT_C2C, LM_FFT_BACKWARD, true);
  reading_ = Plan::fft(device_, grid.times, LM_FFT_C2C, LM_FFT_FORWARD, false);
  if (tables_->transverse && tables_->transverse->fourier()) {
    x_there_ = Plan::fft(device_, tables_->inner, LM_FFT_C2C, LM_FFT_BACKWARD, true);
    x_back_ = Plan::fft(device_, tables_->inner, LM_FFT_C2C, LM_FFT_FORWARD, true);
    if (tables_->route == Route::cartesian) {
      y_there_ = Plan::fft(device_, tables_->outer, LM_FFT_C2C, LM_FFT_BACKWARD, true);
      y_back_ = Plan::fft(device_, tables_->outer, LM_FFT_C2C, LM_FFT_FORWARD, true);
    }
  }
  prepare_responses();
}

RowShape RouteEquation::shape() const {
  return {tables_->grid.samples, tables_->inner, tables_->outer, tables_->components};
}

RowShape RouteEquation::reading_shape() const {
  return {tables_->grid.times, tables_->reading_inner, tables_->outer, tables_->components};
}

RowBlock RouteEquation::rows(const RowShape& shape, int dtype, const char* name, RowBlock::Kind kind) const {
  // a lone member has no use for a row a worker
  if (kind == RowBlock::Kind::scratch && members_ == 1) kind = RowBlock::Kind::own;
  return RowBlock(device_, kind, members_, shape, dtype, 1, name);
}

void RouteEquation::upload_tables() {
  const UppeTables& t = *tables_;
  const std::int64_t n = t.grid.samples;
  constexpr auto shared = RowBlock::Kind::shared;
  const auto put = [&](const auto& values, const RowShape& shape, int dtype, const char* name) {
    RowBlock block = rows(shape, dtype, name, shared);
    block.upload(device_, 0, 0, values, "upload tables");
    return block;
  };
  for (const auto& D : t.op.D) {
    D_.push_back(put(D, {n, t.inner, t.outer, t.own_components}, LM_C128, "operator"));
    if (!noise_ || !t.op.lossy) continue;
    std::vector<std::complex<double>> phase(device_.counting() ? 0 : D.size());
    std::transform(D.begin(), D.begin() + static_cast<std::ptrdiff_t>(phase.size()), phase.begin(),
                   [](std::complex<double> d) { return std::complex(0.0, d.imag()); });
    unitary_.push_back(put(phase, {n, t.inner, t.outer, t.own_components}, LM_C128, "operator"));
  }
  pre_ = put(t.pre, RowShape{n}, LM_F64, "band");
  post_ = put(t.post, RowShape{n}, LM_C128, "source");
  if (!t.source.empty()) source_ = put(t.source, {n, t.inner, t.outer, t.own_components}, LM_C128, "source");
  if (!t.to_space.empty()) {
    to_space_ = put(t.to_space, {t.inner, t.space_inner, 1, t.matrix_components}, LM_F64, "overlaps");
    to_state_ = put(t.to_state, {t.space_inner, t.inner, 1, t.matrix_components}, LM_F64, "overlaps");
  }
  if (!t.to_reading.empty()) to_reading_ = put(t.to_reading, {t.inner, t.reading_inner}, LM_F64, "overlaps");
  if (has_current()) {
    current_ = put(t.current, RowShape{n}, LM_C128, "source");
    window_ = put(t.grid.time_window(), RowShape{t.grid.fine}, LM_F64, "window");
  }
}

bool RouteEquation::has_current() const {
  return std::any_of(tables_->responses.begin(), tables_->responses.end(),
                     [](const UppeResponse& r) { return r.output == LM_CURRENT; });
}

// What each response is given beside the field: tables on the device, plans, its work.
void RouteEquation::prepare_responses() {
  for (const UppeResponse& response : tables_->responses) {
    Part part;
    part.given = &response;
    if (response.own) part.own = resolve(device_.backend(), *response.own);
    if (response.rates) {
      const auto n = static_cast<std::int64_t>(response.rates->log_rate.size());
      std::vector<double> both = response.rates->log_rate;
      both.insert(both.end(), response.rates->second.begin(), response.rates->second.end());
      RowBlock& block = response_tables_.emplace_back(rows({n, 2}, LM_F64, "ionisation rates", RowBlock::Kind::shared));
      block.upload(device_, 0, 0, both, "upload tables");
      part.tables.push_back(block.view());
    }
    parts_.push_back(std::move(part));
    if (!response.delayed.empty() || response.silica) upload_delayed(response);
  }
}

// The response's transform, conj(H)/N, made on the device: its transform of h is conj(H) as it is.
void RouteEquation::upload_delayed(const UppeResponse& response) {
  Part& part = parts_.back();
  std::int64_t n = 2;
  while (n < 2 * tables_->grid.fine) n *= 2;
  Plan& there = response_plans_.emplace_back(Plan::fft(device_, n, LM_FFT_R2C, LM_FFT_FORWARD, true));
  Plan& back = response_plans_.emplace_back(Plan::fft(device_, n, LM_FFT_C2R, LM_FFT_BACKWARD, true));
  RowBlock& H =
      response_tables_.emplace_back(rows(RowShape{n / 2 + 1}, LM_C128, "delayed response", RowBlock::Kind::shared));
  part.tables.push_back(H.view());
  part.plans = {there.handle(), back.handle()};
  part.work_bytes = std::max(there.work_bytes(), back.work_bytes()) + bytes_of(n, 8) + 2 * bytes_of(n / 2 + 1, 16);
  if (response.silica) {
    if (device_.counting()) return;
    const double step = 2 * constants::pi / (static_cast<double>(n) * tables_->grid.dt_fine());
    std::vector<std::complex<double>> closed(static_cast<std::size_t>(n / 2 + 1));
    for (std::size_t k = 0; k < closed.size(); ++k)
      closed[k] = std::conj(raman_response(*response.silica, static_cast<double>(k) * step)) / static_cast<double>(n);
    H.upload(device_, 0, 0, closed, "upload tables");
    return;
  }
  std::vector<double> h(static_cast<std::size_t>(n), 0.0);
  for (std::size_t j = 0; j < response.delayed.size() && j < h.size(); ++j)
    h[j] = response.delayed[j] / static_cast<double>(n);
  RowBlock in(device_, RowBlock::Kind::own, 1, n, LM_F64, 1, "delayed response");
  RowBlock out(device_, RowBlock::Kind::own, 1, n / 2 + 1, LM_C128, 1, "delayed response");
  in.upload(device_, 0, 0, h, "upload tables");
  MemberBlock block(device_, 1, 0);
  Program program;
  program.add(device_.need("fft.exec"), {out.view(), in.view()}, nullptr, 0, {&there});
  const RowBlock work(device_, RowBlock::Kind::scratch, 1,
                      static_cast<std::int64_t>(std::max<std::uint64_t>(1, program.work_bytes())), LM_U8, 1,
                      "work area");
  program.bind(device_, block.view(), work);
  block.upload(device_);
  program.run();
  std::vector<std::complex<double>> spectrum;
  out.download(device_, 0, 0, spectrum, "download tables");
  H.upload(device_, 0, 0, spectrum, "upload tables");
}

void RouteEquation::build(bool fused, KernelsUsed& used) {
  fused_ = fused;
  used_ = &used;
  slots_.clear();
  slots_used_ = 0;
  stages_.clear();
  for (Part& part : parts_) {
    if (part.own) {
      part.fn = part.own->fn;
      used_->add({part.own->name, part.own->version, "plugin", part.own->from});
      continue;
    }
    part.fn = device_.need(part.given->kernel.c_str(), part.given->version);
    used_->add(part.given->kernel, "stage", part.given->version);
  }
  columns_ = fused ? device_.find("rhs.columns") : nullptr;
  const std::int64_t nodes = tables_->outer * tables_->space_inner;
  together_ = 1;
  if (!(device_.info().caps & LM_CAP_HOST_MEMORY)) {
    const std::uint64_t node =
        4 * bytes_of(tables_->grid.fine, 16) * static_cast<std::uint64_t>(tables_->space_components);
    together_ = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(wide_work_bytes / node, 1, static_cast<std::uint64_t>(nodes)));
  }
}

std::string RouteEquation::suspects() const {
  std::string text;
  for (const Part& part : parts_)
    if (part.own) text += (text.empty() ? "; this run also calls " : ", ") + part.own->name + " of " + part.own->from;
  return text;
}

std::uint32_t RouteEquation::n_scales() const {
  const bool poled = tables_->optics->poling_period() > 0;
  if (uniform() && !poled) return 0;
  constexpr std::uint32_t places = 8, parts = 12;  // of a step; parts also those of noise
  return places * (static_cast<std::uint32_t>(tables_->responses.size()) + 2) +
         parts * static_cast<std::uint32_t>(tables_->op.D.size());
}

// 1 + the entry of the member block's factors that holds `scale` at a place in the step; 0 for none.
std::uint32_t RouteEquation::slot(const std::function<double(double)>& scale, double place) {
  if (!scale) return 0;
  slots_.push_back({[scale, place](double z, double h, double* out) { *out = scale(z + place * h); }, 1});
  return ++slots_used_;
}

// In a step between two walls the domain is that of its middle, at its ends too.
std::uint32_t RouteEquation::slot(const UppeResponse& response, double place) {
  return slot(response.scale, response.domains ? 0.5 : place);
}

void RouteEquation::scales(std::uint32_t, double z, double h, double* out) const {
  for (const Slot& slot : slots_) {
    slot.fill(z, h, out);
    out += slot.count;
  }
}

void RouteEquation::add_propagator(Program& program, const lm_view& E, double from, double to, bool unitary) {
  const std::vector<RowBlock>& D = unitary && !unitary_.empty() ? unitary_ : D_;
  if (uniform()) {
    const std::pair key{to - from, unitary};
    auto made = propagators_.find(key);
    if (made == propagators_.end()) {
      lm_propagator_desc desc{};
      desc.struct_size = sizeof(desc);
      desc.node = to - from;
      desc.lossless = unitary || !tables_->op.lossy;
      desc.D = D.front().view();
      made = propagators_.emplace(key, Plan(device_, desc)).first;
    }
    program.add(device_.need("lin.prepare"), {E}, nullptr, 0, {&made->second});
    used_->add("lin.prepare", "stage");
    return;
  }
  const auto terms = static_cast<std::uint32_t>(D.size());
  const std::uint32_t first = slots_used_ + 1;
  slots_.push_back({[weights = tables_->op.weights, from, to](double z, double h, double* out) {
                      weights(z + from * h, z + to * h, out);
                    },
                    terms});
  slots_used_ += terms;
  for (std::uint32_t at = 0; at < terms; at += LM_MAX_TERMS) {
    const std::uint32_t n = std::min<std::uint32_t>(LM_MAX_TERMS, terms - at);
    if (at > 0 && !product_.given()) product_ = rows(shape(), LM_C128, "propagator", RowBlock::Kind::scratch);
    std::vector<lm_view> views = {at == 0 ? E : product_.view()};
    for (std::uint32_t r = 0; r < n; ++r) views.push_back(D[at + r].view());
    const lm_p_scaled p{sizeof(lm_p_scaled), n, first + at, 0};
    program.add(device_.need("lin.prepare", 2), std::move(views), &p, sizeof(p), {});
    if (at > 0) program.add(device_.need("core.mul"), {E, E, product_.view()}, nullptr, 0, {});
  }
  used_->add("lin.prepare", "stage", 2);
}

}  // namespace lumarch
