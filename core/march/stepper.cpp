// SPDX-License-Identifier: Apache-2.0
#include "march/stepper.hpp"

#include <algorithm>
#include <cmath>

namespace lumarch {

namespace {

constexpr std::uint32_t numbers_a_member = 2;  // error2, after2

// The distinct places in a step, as fractions of h, at which the propagator is needed.
std::vector<double> nodes(Integrator integrator) {
  if (integrator == Integrator::erk43) return {0.5};
  return {0.2, 0.3, 0.8, 8.0 / 9, 1.0};
}

bool finite(const std::vector<Complex>& row) {
  return std::all_of(row.begin(), row.end(),
                     [](Complex a) { return std::isfinite(a.real()) && std::isfinite(a.imag()); });
}

}  // namespace

Stepper::Stepper(Device& device, std::vector<FibreTables> members, const StepperOptions& options)
    : device_(device),
      tables_(std::move(members)),
      options_(options),
      n_(tables_.front().grid.n),
      block_(device, static_cast<std::uint32_t>(tables_.size()), numbers_a_member),
      loaded_(tables_.size()),
      prepared_h_(tables_.size(), std::nan("")) {
  for (const FibreTables& t : tables_)
    if (t.grid.n != n_ || t.kerr != tables_.front().kerr || !t.raman != !tables_.front().raman ||
        !t.pre != !tables_.front().pre || (options.noise && !t.unitary != !tables_.front().unitary))
      throw Error(Fault::problem, "the members of a batch share the number of points and the responses");
  for (const PluginResponse& response : tables_.front().own) own_.push_back(resolve(device_.backend(), response));
  for (const FibreTables& t : tables_) {  // one call works on all members, so they have the same values
    bool same = t.own.size() == own_.size() && t.own_first == tables_.front().own_first;
    for (std::size_t i = 0; same && i < own_.size(); ++i)
      same = t.own[i].name == own_[i].name && resolve(device_.backend(), t.own[i]).values == own_[i].values;
    if (!same)
      throw Error(Fault::problem, "the members of a batch share the responses of plugins and their parameters");
  }
  allocate();
  make_plans();
  build();
}

// A table on the device: one row where all members share it, else one each.
template <class T>
RowBlock Stepper::upload_rows(const char* name, SharedRow<T> FibreTables::*row) {
  if (!(tables_.front().*row)) return {};
  const bool shared =
      std::all_of(tables_.begin(), tables_.end(), [&](const FibreTables& t) { return t.*row == tables_.front().*row; });
  const auto samples = static_cast<std::int64_t>((tables_.front().*row)->size());
  RowBlock block(device_, shared ? RowBlock::Kind::shared : RowBlock::Kind::own, members(), samples,
                 sizeof(T) == 8 ? LM_F64 : LM_C128, 1, name);
  for (std::uint32_t m = 0; m < (shared ? 1 : members()); ++m)
    device_.upload(block.buffer(), block.byte_offset(m, 0), (tables_[m].*row)->data(), block.row_bytes(),
                   "upload tables");
  return block;
}

void Stepper::allocate() {
  D_ = upload_rows("operator", &FibreTables::D);
  source_ = upload_rows("source", &FibreTables::source);
  pre_ = upload_rows("effective area", &FibreTables::pre);
  raman_ = upload_rows("Raman response", &FibreTables::raman);
  const auto rows = [&](const char* name, int banks) {
    return RowBlock(device_, RowBlock::Kind::own, members(), n_, LM_C128, banks, name);
  };
  const bool erk43 = options_.integrator == Integrator::erk43;
  y_ = rows("state", 2);
  k1_ = rows("right-hand side", 2);
  u_ = rows("stage", 1);
  for (int i = 0; i < (erk43 ? 3 : 5); ++i) k_.push_back(rows("right-hand side", 1));
  for (std::size_t i = 0; i < nodes(options_.integrator).size(); ++i) E_.push_back(rows("propagator", 1));
  if (options_.noise) {
    noise_ = rows("noise", 2);
    noise_stage_ = rows("noise", 1);
    unitary_ = upload_rows("operator", &FibreTables::unitary);
    for (std::size_t i = 0; unitary_.given() && i < E_.size(); ++i) noise_E_.push_back(rows("propagator", 1));
  }
  field_ = RowBlock(device_, RowBlock::Kind::scratch, members(), n_, LM_C128, 1, "scratch");
  polarisation_ = RowBlock(device_, RowBlock::Kind::scratch, members(), n_, LM_C128, 1, "scratch");
}

FibreTransforms::FibreTransforms(Device& device, std::int64_t n, bool with_real) {
  to_time = Plan::fft(device, n, LM_FFT_C2C, LM_FFT_FORWARD, false);
  to_frequency = Plan::fft(device, n, LM_FFT_C2C, LM_FFT_BACKWARD, true);
  if (!with_real) return;
  real_forward = Plan::fft(device, n, LM_FFT_R2C, LM_FFT_FORWARD, true);
  real_backward = Plan::fft(device, n, LM_FFT_C2R, LM_FFT_BACKWARD, true);
}

void Stepper::make_plans() {
  fft_ = FibreTransforms(device_, n_, raman_.given());
  const bool lossless = std::all_of(tables_.begin(), tables_.end(), [](const FibreTables& t) { return t.lossless; });
  for (const double node : nodes(options_.integrator)) {
    lm_propagator_desc desc{};
    desc.struct_size = sizeof(desc);
    desc.node = node;
    desc.lossless = lossless;
    desc.D = D_.view();
    propagators_.emplace_back(device_, desc);
    if (unitary_.given()) {
      desc.lossless = 1;
      desc.D = unitary_.view();
      noise_propagators_.emplace_back(device_, desc);
    }
  }
}

std::uint64_t Stepper::estimate_bytes(const FibreTables& tables, const StepperOptions& options, std::uint32_t members,
                                      std::uint32_t scratch) {
  const auto row = static_cast<std::uint64_t>(tables.grid.n) * sizeof(Complex);
  const bool erk43 = options.integrator == Integrator::erk43;
  const std::uint64_t propagators = erk43 ? 1 : 5;
  const bool own_noise = options.noise && tables.unitary;
  // own: two banks of state and right-hand side, a stage, the derivatives, propagators, three rows of noise
  std::uint64_t own = 4 + 1 + (erk43 ? 3 : 5) + propagators + (options.noise ? 3 : 0) + (own_noise ? propagators : 0);
  std::uint64_t shared = 2 + (own_noise ? 1 : 0);
  std::uint64_t halves = (tables.pre ? 1 : 0) + (tables.raman ? 1 : 0);
  return row * (own * members + shared + 6 * scratch) + row / 2 * halves;
}

Transforms Stepper::transforms() {
  const auto with = [this](const Program& program) {
    return [this, &program](std::vector<Complex>& row) {
      // member 0's rows serve; nothing is loaded while a launch is built
      const std::uint8_t parity = block_.parity[0];
      block_.set_active(1);
      block_.upload(device_);
      device_.upload(u_.buffer(), u_.byte_offset(0, 0), row.data(), u_.row_bytes(), "upload launch");
      program.run();
      device_.download(y_.buffer(), y_.byte_offset(0, parity ^ 1u), row.data(), y_.row_bytes(), "download launch");
      block_.set_active(members());
    };
  };
  return {with(launch_to_time_), with(launch_to_frequency_)};
}

void Stepper::load(const std::vector<Launch>& launches) {
  for (std::uint32_t m = 0; m < members(); ++m) {
    block_.z[m] = block_.h[m] = 0;
    block_.parity[m] = 0;
    block_.status[m] = LM_RUNNING;
    block_.active[m] = m;
    device_.upload(y_.buffer(), y_.byte_offset(m, 0), launches[m].state.data(), y_.row_bytes(), "upload launch");
    if (options_.noise)
      device_.upload(noise_.buffer(), noise_.byte_offset(m, 0), launches[m].noise.data(), noise_.row_bytes(),
                     "upload launch");
  }
  block_.set_active(members());
  block_.upload(device_);
  try {
    run(first_);
  } catch (const Unsupported&) {
    if (!options_.fused) throw;
    options_.fused = false;
    build();
    run(first_);
  }
  block_.download(device_);
  for (std::uint32_t m = 0; m < members(); ++m) loaded_[m] = {after2(m), error2(m)};
}

std::string Stepper::suspects() const {
  std::string text;
  for (const OwnResponse& own : own_)
    text += (text.empty() ? "; this run also calls " : ", ") + own.name + " of " + own.from;
  return text;
}

// A response of a plugin cannot say who it is: its name goes with the error.
void Stepper::run(const Program& program) const {
  try {
    program.run();
  } catch (const Unsupported&) {
    throw;
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    if (own_.empty()) throw;
    throw Error(error.fault(), error.what() + suspects());
  }
}

void Stepper::attempt() {
  bool stale = false;
  for (std::uint32_t i = 0; i < block_.view()->n_active; ++i) {
    const std::uint32_t m = block_.active[i];
    stale = stale || prepared_h_[m] != block_.h[m];
    prepared_h_[m] = block_.h[m];
  }
  block_.upload(device_);
  try {
    if (stale) run(prepare_);
    run(attempt_);
  } catch (const Unsupported&) {  // what an attempt writes is the flipped bank: it can be made again
    if (!options_.fused) throw;
    options_.fused = false;
    build();
    run(prepare_);
    run(attempt_);
  }
  block_.download(device_);
}

void Stepper::read(std::uint32_t member, std::vector<Complex>& state, std::vector<Complex>* time) {
  state.resize(static_cast<std::size_t>(n_));
  device_.download(y_.buffer(), y_.byte_offset(member, block_.parity[member]), state.data(), y_.row_bytes(),
                   "download plane");
  if (!time) return;
  time->resize(static_cast<std::size_t>(n_));
  const std::uint8_t status = block_.status[member];
  const std::uint32_t n_active = block_.view()->n_active, first = block_.active[0];
  block_.status[member] = LM_RUNNING;  // a member that has ended can be read too
  block_.active[0] = member;
  block_.set_active(1);
  block_.upload(device_);
  to_time_program_.run();
  device_.download(u_.buffer(), u_.byte_offset(member, 0), time->data(), u_.row_bytes(), "download plane");
  block_.status[member] = status;
  block_.active[0] = first;
  block_.set_active(n_active);
}

std::string Stepper::first_non_finite(std::uint32_t member) {
  std::vector<Complex> row(static_cast<std::size_t>(n_));
  for (const Stage& stage : stages_) {
    const lm_view& v = stage.view;
    const std::uint64_t flip = (block_.parity[member] ^ (v.flags & LM_VIEW_FLIP ? 1u : 0u)) & 1u;
    const std::uint64_t at = v.offset + flip * v.bank + member * static_cast<std::uint64_t>(v.pitch[0]);
    device_.check(device_.api().download(device_.handle(), v.buffer, at * sizeof(Complex), row.data(),
                                         row.size() * sizeof(Complex)),
                  "download");
    if (!finite(row)) return stage.name;
  }
  return "the error's norm";
}

}  // namespace lumarch
