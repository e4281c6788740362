// SPDX-License-Identifier: Apache-2.0
#include "march/stepper.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "march/fibre_equation.hpp"

namespace lumarch {

namespace {

constexpr std::uint32_t numbers_a_member = 2;  // error2, after2
constexpr std::uint32_t absorber_numbers = 6;  // of Equation::add_absorbers, after those
constexpr std::uint32_t n_weights = 11;        // of adams, after the equation's factors

// The parts of a step that have a propagator of their own, as fractions of h. erk43 crosses the halves one after the
// other; low-storage makes its propagators within the attempt, all in the same rows.
std::vector<std::pair<double, double>> parts_of(Integrator integrator, bool uniform) {
  if (integrator == Integrator::low_storage) return {};
  if (integrator == Integrator::adams) return {{0, 1}};
  if (integrator == Integrator::dp54) return {{0, 0.2}, {0, 0.3}, {0, 0.8}, {0, 8.0 / 9}, {0, 1}};
  if (uniform) return {{0, 0.5}};
  return {{0, 0.5}, {0.5, 1}};
}

// The first place of a non-finite value in a member's rows; empty where there is none.
std::string non_finite_place(const std::vector<Complex>& rows, const RowShape& shape) {
  const auto at = std::find_if(rows.begin(), rows.end(),
                               [](Complex a) { return !std::isfinite(a.real()) || !std::isfinite(a.imag()); });
  if (at == rows.end()) return {};
  std::int64_t index = at - rows.begin();
  const auto next = [&](std::int64_t n) {
    const std::int64_t i = index % n;
    index /= n;
    return std::to_string(i) + " of " + std::to_string(n);
  };
  std::string text = " at frequency " + next(shape.samples);
  if (shape.inner > 1 || shape.outer > 1) text += ", node " + next(shape.inner);
  if (shape.outer > 1) text += " along x and " + next(shape.outer) + " along y";
  if (shape.components > 1) text += ", component " + next(shape.components);
  return text;
}

}  // namespace

Stepper::Stepper(Device& device, std::unique_ptr<Equation> equation, const StepperOptions& options)
    : device_(device),
      equation_(std::move(equation)),
      options_(options),
      block_(device, equation_->members(), numbers_a_member + (equation_->absorbs() ? absorber_numbers : 0),
             equation_->n_scales() + (options.integrator == Integrator::adams ? n_weights : 0)),
      loaded_(equation_->members()),
      absorbed_(equation_->members()),
      prepared_h_(equation_->members(), std::nan("")),
      reads_here_(options.reads_here && device.find("read.samples") && device.find("read.nodes")),
      history_(equation_->members()) {
  if (options_.rim) edge_reader_ = EdgeReader(device_, *options_.rim);
  allocate();
  build();
}

Stepper::Stepper(Device& device, std::vector<FibreTables> members, const StepperOptions& options)
    : Stepper(device, std::make_unique<FibreEquation>(device, std::move(members), options.noise), options) {}

RowBlock Stepper::rows(const char* name, int banks) {
  return RowBlock(device_, RowBlock::Kind::own, equation_->members(), equation_->shape(), LM_C128, banks, name);
}

// Rows that hold nothing from one attempt to the next: one a worker, where that is fewer than one a member.
RowBlock Stepper::passing_rows(const char* name) {
  const RowBlock::Kind kind = members() == 1 ? RowBlock::Kind::own : RowBlock::Kind::scratch;
  return RowBlock(device_, kind, members(), equation_->shape(), LM_C128, 1, name);
}

void Stepper::allocate() {
  const bool own_noise = options_.noise && equation_->lossy();
  y_ = rows("state", 2);
  if (options_.integrator == Integrator::low_storage) {
    k1_ = passing_rows("right-hand side");
    k_.push_back(passing_rows("sum of right-hand sides"));
    k_.push_back(passing_rows("error"));
    E_ = passing_rows("propagator");
  } else if (options_.integrator == Integrator::adams) {
    k1_ = rows("right-hand side", 2);
    for (int i = 0; i < 2; ++i) k_.push_back(rows("right-hand side before", 2));
    k_.push_back(passing_rows("right-hand side"));
    u_ = passing_rows("stage");
    E_ = passing_rows("propagator");
    if (!equation_->uniform()) E2_ = passing_rows("propagator");
  } else {
    k1_ = rows("right-hand side", 2);
    u_ = rows("stage", 1);
    for (int i = 0; i < (options_.integrator == Integrator::erk43 ? 3 : 5); ++i)
      k_.push_back(rows("right-hand side", 1));
  }
  for (const auto& [from, to] : parts_of(options_.integrator, equation_->uniform()))
    parts_.push_back({from, to, rows("propagator", 1), own_noise ? rows("propagator", 1) : RowBlock{}});
  if (options_.noise) {
    noise_ = rows("noise", 2);
    if (options_.integrator != Integrator::low_storage) noise_stage_ = rows("noise", 1);
  }
  if ((!reads_here_ || edge_reader_.given()) && equation_->reading_shape() != equation_->shape())
    own_reading_ = RowBlock(device_, RowBlock::Kind::own, members(), equation_->reading_shape(), LM_C128, 1, "reading");
}

std::vector<Program*> Stepper::programs() {
  std::vector<Program*> all = {&first_, &prepare_, &start_, &attempt_, &reading_program_, &absorb_};
  for (Program& rim : rims_) all.push_back(&rim);
  for (Read& read : reads_) all.push_back(&read.program);
  return all;
}

void Stepper::build() {
  used_.clear();
  stages_.clear();
  const std::vector<lm_view> rims = equation_->rims(y_.view());
  rims_.assign(rims.size(), Program{});
  for (Program* program : programs()) *program = Program{};
  equation_->build(options_.fused, used_);
  combine_ = options_.fused ? device_.find("step.combine") : nullptr;

  const lm_view noise = options_.noise ? noise_.view() : lm_view{};
  equation_->add_rhs(first_, y_.view(), k1_.view(), options_.noise ? &noise : nullptr, 0);
  // the norms of the launch and of its right-hand side, which suggest the first step
  add_norms(first_, y_.view(), {{k1_.view(), 1, 0, 0}});

  for (const Part& part : parts_) add_prepare(part);
  build_attempt();
  build_reads();
  if (equation_->absorbs()) equation_->add_absorbers(absorb_, y_.view(), numbers_a_member);

  for (std::size_t i = 0; i < rims.size(); ++i) add_norms(rims_[i], rims[i], {{rims[i], 1, 0, 0}});

  // A new work area each time, also where the old one would do: an allocation tells the device that lists have changed
  // (abi.h, at `run`).
  std::uint64_t work = 1;
  for (const Program* program : programs()) work = std::max(work, program->work_bytes());
  work_ = RowBlock{};
  work_ = RowBlock(device_, RowBlock::Kind::scratch, members(), static_cast<std::int64_t>(work), LM_U8, 1, "work area");
  for (Program* program : programs()) program->bind(device_, block_.view(), work_);
}

// The flipped bank is what an attempt overwrites: free between attempts.
void Stepper::build_reads() {
  if (!reads_here_ || edge_reader_.given()) equation_->add_reading(reading_program_, y_.view(), reading_view());
  if (!reads_here_) return;
  const ReadShape shape{equation_->shape(), equation_->reading_shape().samples};
  reads_.clear();
  reads_.reserve(options_.reads.size());
  for (const ReadWants& wants : options_.reads) {
    Read& read = reads_.emplace_back(Read{ReadRows(device_, members(), shape, wants), {}});
    equation_->add_reads(read.program, y_.view(), y_.view(true), wants, read.rows.views());
  }
}

lm_view Stepper::reading_view() const { return own_reading_.given() ? own_reading_.view() : y_.view(true); }

std::optional<EdgeRim> Stepper::read_time_rim(std::uint32_t member) {
  std::optional<EdgeRim> rim;
  if (!edge_reader_.given()) return rim;
  alone(member, 0, [&] {
    run(reading_program_);
    rim = edge_reader_.read(reading_view(), block_.view(), used_);
  });
  return rim;
}

void Stepper::build_attempt() {
  switch (options_.integrator) {
    case Integrator::erk43:
      return build_erk43();
    case Integrator::dp54:
      return build_dp54();
    case Integrator::low_storage:
      return build_low_storage();
    case Integrator::adams:
      return build_adams();
  }
}

int Stepper::evaluations(std::uint32_t member) const noexcept {
  switch (options_.integrator) {
    case Integrator::erk43:
      return 4;
    case Integrator::dp54:
      return 6;
    case Integrator::low_storage:
      return 5;
    case Integrator::adams:
      break;
  }
  return loaded_[member].starting ? 4 : 1;
}

double Stepper::longest_step(std::uint32_t member) const {
  return options_.integrator == Integrator::adams ? history_[member].longest_step() : HUGE_VAL;
}

std::uint64_t Stepper::numbers_read_bytes() const {
  std::uint64_t most = 0;
  for (const Read& read : reads_) most = std::max(most, read.rows.bytes());
  return most;
}

// What depends on z, for each active member's attempt; nothing where the equation has none.
void Stepper::put_scales() {
  if (equation_->n_scales() == 0) return;
  const std::uint32_t n = block_.view()->n_scales;
  for (std::uint32_t i = 0; i < block_.view()->n_active; ++i) {
    const std::uint32_t m = block_.active[i];
    equation_->scales(m, block_.z[m], block_.h[m], block_.scales.data() + std::size_t{m} * n);
  }
}

// Adams' weights of the member's attempt, in the order that build_adams knows.
void Stepper::put_weights(std::uint32_t member) {
  const AdamsWeights w = history_[member].weights(block_.h[member]);
  double* out = block_.scales.data() + std::size_t{member} * block_.view()->n_scales + equation_->n_scales();
  out = std::copy(w.predict.begin(), w.predict.end(), out);
  out = std::copy(w.correct.begin(), w.correct.end(), out);
  std::copy(w.error.begin(), w.error.end(), out);
}

// Puts the members whose attempt is one of start_ in front of the others; false where no order has changed.
bool Stepper::split_active() {
  starting_ = 0;
  if (options_.integrator != Integrator::adams) return false;
  const auto begin = block_.active.begin(), end = begin + block_.view()->n_active;
  for (auto m = begin; m != end; ++m) {
    loaded_[*m].starting = history_[*m].starts(block_.h[*m]);
    if (!loaded_[*m].starting) put_weights(*m);
  }
  const auto others = std::stable_partition(begin, end, [&](std::uint32_t m) { return loaded_[m].starting; });
  starting_ = static_cast<std::uint32_t>(others - begin);
  return starting_ > 0 && others != end;
}

void Stepper::load(const std::vector<Launch>& launches) {
  for (std::uint32_t m = 0; m < members(); ++m) {
    block_.z[m] = block_.h[m] = 0;
    block_.parity[m] = 0;
    block_.status[m] = LM_RUNNING;
    block_.active[m] = m;
    y_.upload(device_, m, 0, launches[m].state, "upload launch");
    if (options_.noise) noise_.upload(device_, m, 0, launches[m].noise, "upload launch");
    absorbed_[m] = {};
    prepared_h_[m] = std::nan("");  // a march that failed may have left propagators that were not made
  }
  starting_ = 0;
  block_.set_active(members());
  put_scales();
  block_.upload(device_);
  run_first();
  block_.download(device_);
  for (std::uint32_t m = 0; m < members(); ++m) {
    loaded_[m] = {after2(m), error2(m), false};
    history_[m] = {};
  }
}

void Stepper::run_first() {
  try {
    run(first_);
  } catch (const Unsupported&) {
    if (!options_.fused) throw;
    use_stages();
    run(first_);
  }
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
    if (suspects().empty()) throw;
    throw Error(error.fault(), error.what() + suspects());
  }
}

void Stepper::attempt() {
  bool stale = !equation_->uniform();
  for (std::uint32_t i = 0; i < block_.view()->n_active; ++i) {
    const std::uint32_t m = block_.active[i];
    stale = stale || prepared_h_[m] != block_.h[m];
    prepared_h_[m] = block_.h[m];
  }
  put_scales();
  const std::uint32_t n = block_.view()->n_active;
  const std::vector<std::uint32_t> order(block_.active.begin(), block_.active.begin() + n);
  const bool split = split_active();
  block_.upload(device_);
  try {
    run_attempt(stale, n);
  } catch (const Unsupported&) {  // what an attempt writes is the flipped bank: it can be made again
    if (!options_.fused) throw;
    options_.fused = false;
    build();
    run_attempt(true, n);
  }
  block_.download(device_);
  if (split) std::copy(order.begin(), order.end(), block_.active.begin());
}

void Stepper::run_attempt(bool stale, std::uint32_t n) {
  block_.set_active(n);
  if (stale) run(prepare_);
  if (starting_ > 0) {
    block_.set_active(0, starting_);
    run(start_);
  }
  if (starting_ < n) {
    block_.set_active(starting_, n - starting_);
    run(attempt_);
  }
  block_.set_active(n);
}

void Stepper::read(std::uint32_t member, std::vector<Complex>& state, std::vector<Complex>* time) {
  y_.download(device_, member, block_.parity[member], state, "download plane");
  if (!time) return;
  if (reads_here_) throw std::logic_error("this stepper reads fields in time where they lie");
  alone(member, 0, [&] {
    reading_program_.run();
    if (own_reading_.given())
      own_reading_.download(device_, member, 0, *time, "download plane");
    else
      y_.download(device_, member, block_.parity[member] ^ 1u, *time, "download plane");
  });
}

PlaneRows Stepper::read(std::uint32_t member, std::size_t which) {
  alone(member, 0, [&] { run(reads_.at(which).program); });
  return reads_[which].rows.download(device_, member);
}

void Stepper::refresh(std::uint32_t member, double z, double h, bool absorb) {
  block_.z[member] = z;
  history_[member] = {};  // what lies behind is no guide to what comes
  alone(member, h, [&] {
    if (absorb) run(absorb_);
    run(first_);
    block_.download(device_);
  });
  if (!absorb) return;
  const auto norm = [&](std::uint32_t stage) { return block_.number(member, numbers_a_member + 2 * stage + 1); };
  absorbed_[member].time += norm(0) - norm(1);
  absorbed_[member].space += norm(1) - norm(2);
}

double Stepper::rim2(std::uint32_t member) {
  double largest = 0;
  for (const Program& rim : rims_)
    alone(member, block_.h[member], [&] {
      run(rim);
      block_.download(device_);
      largest = std::max(largest, after2(member));
    });
  return largest;
}

std::string Stepper::first_non_finite(std::uint32_t member) {
  std::vector<Complex> rows;
  for (const Stage& stage : stages_) {
    const std::uint32_t bank = (block_.parity[member] ^ (stage.view.flags & LM_VIEW_FLIP ? 1u : 0u)) & 1u;
    stage.block->download(device_, member, stage.view.bank ? bank : 0, rows, "download failed step");
    if (const std::string place = non_finite_place(rows, equation_->shape()); !place.empty())
      return std::string(stage.name) + place;
  }
  return "the error's norm";
}

std::string Stepper::first_non_finite_loaded(std::uint32_t member) {
  std::vector<Complex> rows;
  for (const auto& [block, name] : {std::pair{&y_, "the launched field"}, {&k1_, "its first right-hand side"}}) {
    const std::uint32_t bank = block->view().bank ? block_.parity[member] & 1u : 0;
    block->download(device_, member, bank, rows, "download failed launch");
    if (const std::string place = non_finite_place(rows, equation_->shape()); !place.empty())
      return name + std::string(" is not finite") + place;
  }
  return "the norm of the launched field or of its first right-hand side is not finite";
}

Transforms transforms_on(Device& device, std::int64_t n) {
  struct Rows {
    Plan to_time, to_frequency;
    RowBlock in, out, work;
    MemberBlock block;
    Program programs[2];
    Rows(Device& on, std::int64_t length)
        : to_time(Plan::fft(on, length, LM_FFT_C2C, LM_FFT_FORWARD, false)),
          to_frequency(Plan::fft(on, length, LM_FFT_C2C, LM_FFT_BACKWARD, true)),
          in(on, RowBlock::Kind::own, 1, length, LM_C128, 1, "launch"),
          out(on, RowBlock::Kind::own, 1, length, LM_C128, 1, "launch"),
          block(on, 1, 0) {
      programs[0].add(on.need("fft.exec"), {out.view(), in.view()}, nullptr, 0, {&to_time});
      programs[1].add(on.need("fft.exec"), {out.view(), in.view()}, nullptr, 0, {&to_frequency});
      const std::uint64_t bytes = std::max({std::uint64_t{1}, programs[0].work_bytes(), programs[1].work_bytes()});
      work = RowBlock(on, RowBlock::Kind::scratch, 1, static_cast<std::int64_t>(bytes), LM_U8, 1, "work area");
      for (Program& program : programs) program.bind(on, block.view(), work);
      block.upload(on);
    }
  };
  const auto shared = std::make_shared<Rows>(device, n);
  const auto with = [shared, &device](int which) {
    return [shared, &device, which](std::vector<Complex>& row) {
      shared->in.upload(device, 0, 0, row, "upload launch");
      shared->programs[which].run();
      shared->out.download(device, 0, 0, row, "download launch");
    };
  };
  return {with(0), with(1)};
}

}  // namespace lumarch
