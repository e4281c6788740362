// SPDX-License-Identifier: Apache-2.0
// The rows and programs that march the members of an equation on a device: an attempted step is one program, built
// once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/device.hpp"
#include "backend/program.hpp"
#include "march/adams.hpp"
#include "march/edge_reader.hpp"
#include "march/equation.hpp"
#include "translate/fibre.hpp"
#include "translate/launch.hpp"

namespace lumarch {

// What a member has from attempt to attempt beside its rows.
struct StepperState {
  std::uint8_t parity = 0;
  double field2 = 0, source2 = 0;
  double absorbed_time = 0, absorbed_space = 0;
  AdamsHistory::Values history;
};

struct StepperOptions {
  Integrator integrator = Integrator::erk43;
  bool noise = false;              // the launches carry noise that enters the nonlinear operator
  bool fused = true;               // false: stage kernels only, also where a fused name is there
  std::vector<ReadWants> reads{};  // what read(member, which) will be asked for
  std::optional<TimeRim> rim{};    // what read_time_rim(member) will be asked for
  bool reads_here = true;          // false: download the field for them, also where the backend can sum itself
};

class Stepper {
public:
  Stepper(Device& device, std::unique_ptr<Equation> equation, const StepperOptions& options);
  // Of fibres: one entry a member; all share n. Tables with the same pointer are held once.
  Stepper(Device& device, std::vector<FibreTables> members, const StepperOptions& options);
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  // Puts each member's launch on the device and evaluates its right-hand side. Also after a march, however that ended:
  // in the same rows, by the same plans, with the same bits as a new stepper gives.
  void load(const std::vector<Launch>& launches);

  // What the next attempt depends on, between two attempts: numbers, and rows that cross, each as long as a state. A
  // new stepper with the same options goes on from them with the same bits; it is used in place of load().
  [[nodiscard]] StepperState save(std::uint32_t member) const;
  [[nodiscard]] std::size_t carried() const noexcept {  // rows a member
    return carried(options_.integrator, options_.noise);
  }
  [[nodiscard]] static std::size_t carried(Integrator integrator, bool noise) noexcept;
  void save_row(std::uint32_t member, std::size_t row, std::vector<Complex>& out);
  using TakeRow = std::function<std::vector<Complex>(std::uint32_t member, std::size_t row)>;
  void restore(const std::vector<StepperState>& states, const TakeRow& row);
  // Over the bits of the right-hand side of a member's present state at z, made anew: two devices where these differ
  // would not go on with the same bits, be it for other plans of transforms. 0 where it is not looked at, for
  // low_storage in a batch. It leaves what is carried as it was.
  [[nodiscard]] std::uint64_t fingerprint(std::uint32_t member, double z);
  // How kernels are used at present: a kernel that turned out not to fit makes it false.
  [[nodiscard]] bool fused() const noexcept { return options_.fused; }
  void use_stages() {
    options_.fused = false;
    build();
  }

  // One attempt of block().h for the active members, into the flipped bank. Fills error2 and after2.
  void attempt();
  void accept(std::uint32_t member) {
    block_.parity[member] ^= 1;
    history_[member].accept(block_.h[member]);
  }
  void reject(std::uint32_t member) { history_[member].reject(); }
  // What the steps before allow; infinite where they say nothing.
  [[nodiscard]] double longest_step(std::uint32_t member) const;
  // Whether the last attempt was of a scheme that only begins: its error says nothing of the steps that follow.
  [[nodiscard]] bool starting(std::uint32_t member) const { return loaded_[member].starting; }

  [[nodiscard]] MemberBlock& block() noexcept { return block_; }
  [[nodiscard]] std::uint32_t members() const noexcept { return block_.count(); }
  [[nodiscard]] double error2(std::uint32_t member) const { return block_.number(member, 0); }  // of the last attempt
  [[nodiscard]] double after2(std::uint32_t member) const { return block_.number(member, 1); }
  [[nodiscard]] double field2(std::uint32_t member) const { return loaded_[member].field2; }  // sum abs(S)^2 at launch
  [[nodiscard]] double source2(std::uint32_t member) const { return loaded_[member].source2; }  // sum abs(N)^2 there
  [[nodiscard]] int evaluations(std::uint32_t member) const noexcept;                           // of the last attempt

  // Evaluates the right-hand side of a member's present state again, for a step of about h from z on: after something
  // that a step's last evaluation does not know of.
  void refresh(std::uint32_t member, double z, double h) { refresh(member, z, h, false); }
  // The same after the equation's absorbers have acted on it.
  void absorb(std::uint32_t member, double z, double h) { refresh(member, z, h, true); }
  // What they took of a member so far, as sum abs(S)^2.
  struct Absorbed {
    double time = 0, space = 0;
  };
  [[nodiscard]] const Absorbed& absorbed(std::uint32_t member) const { return absorbed_[member]; }

  // sum abs(S)^2 of the member's present state where the nodes across the beam do not resolve it (Equation::rims), of
  // the axis that has most; 0 without such axes. Overwrites error2 and after2.
  [[nodiscard]] double rim2(std::uint32_t member);

  // The present state of a member, and its field in time at every node where `time` is not NULL: fields that cross.
  void read(std::uint32_t member, std::vector<Complex>& state, std::vector<Complex>* time);
  // Whether the backend has the kernels to read a state where it lies; then, options.reads[which] of a member.
  [[nodiscard]] bool reads_here() const noexcept { return reads_here_; }
  [[nodiscard]] PlaneRows read(std::uint32_t member, std::size_t which);
  [[nodiscard]] const ReadWants& wants(std::size_t which) const { return options_.reads.at(which); }
  // options.rim of a member, by an edge reader; nothing where there is none, or none that takes such a field.
  [[nodiscard]] std::optional<EdgeRim> read_time_rim(std::uint32_t member);

  // Of a member: its state, and its field in time where that is read.
  [[nodiscard]] RowShape shape() const { return equation_->shape(); }
  [[nodiscard]] RowShape reading_shape() const { return equation_->reading_shape(); }
  [[nodiscard]] std::uint64_t numbers_read_bytes() const;  // of the largest read

  // Which row of the last attempt is the first with a non-finite value, and where: for the message of a run that
  // failed.
  [[nodiscard]] std::string first_non_finite(std::uint32_t member);
  // The same of what was loaded, whose norms say that there is one (field2, source2).
  [[nodiscard]] std::string first_non_finite_loaded(std::uint32_t member);

  // The responses of plugins, as the end of a message; empty where there is none.
  [[nodiscard]] std::string suspects() const { return equation_->suspects(); }

  [[nodiscard]] const std::vector<KernelUse>& kernels() const { return used_.list(); }

private:
  struct Loaded {
    double field2 = 0, source2 = 0;
    bool starting = false;  // its last attempt
  };
  struct Term {
    lm_view view;
    double c;
    int hpow, level;
  };
  struct Stage {
    const char* name;
    lm_view view;
    const RowBlock* block;
  };
  // What erk43 works on, beside the state, its right-hand side and a stage.
  struct Erk43 {
    lm_view k2, k3, k4, E1, E2, noise_middle, noise_end;
  };
  // A part of the step, and the rows of its propagator; noise evolves under its own where the operator is lossy.
  struct Part {
    double from, to;
    RowBlock E, unitary;
  };

  void refresh(std::uint32_t member, double z, double h, bool absorb);
  void run_first();
  void run(const Program& program) const;
  void allocate();
  void build();
  void build_attempt();
  void build_erk43();
  void build_dp54();
  void build_low_storage();
  void build_adams();
  void build_adams_start();
  void add_erk43(Program& program, const Erk43& rows);
  void add_history(Program& program);
  void add_prepare(const Part& part);
  void add_combine(Program& program, const lm_view& out, const std::vector<Term>& terms, const lm_view& last,
                   const lm_view& first);
  void add_combine(Program& program, const lm_view& out, const std::vector<Term>& terms, const lm_view& E) {
    add_combine(program, out, terms, E, E);
  }
  void add_sum(Program& program, lm_kernel_fn fn, const lm_view& out, const std::vector<Term>& terms, bool levels,
               const lm_view* factor);
  // The second version of a kernel of sums: a term's level says which of the member's factors it has.
  void add_scaled(Program& program, const char* kernel, const lm_view& out, const std::vector<Term>& terms);
  void add_apply(Program& program, const lm_view& out, const lm_view& x, const lm_view& E, bool inverse);
  void add_noise(Program& program, const lm_view& out, const lm_view& in, const Part& part);
  void add_norms(Program& program, const lm_view& y, const std::vector<Term>& terms);
  void put_scales();
  template <class Work>
  void alone(std::uint32_t member, double h, const Work& work);
  void put_weights(std::uint32_t member);
  [[nodiscard]] bool split_active();
  void run_attempt(bool stale, std::uint32_t n);
  [[nodiscard]] std::vector<const RowBlock*> carried_rows() const;
  [[nodiscard]] RowBlock rows(const char* name, int banks);
  [[nodiscard]] RowBlock passing_rows(const char* name);
  void build_reads();
  [[nodiscard]] lm_view reading_view() const;
  [[nodiscard]] std::vector<Program*> programs();

  Device& device_;
  std::unique_ptr<Equation> equation_;
  StepperOptions options_;
  MemberBlock block_;
  std::vector<Loaded> loaded_;
  std::vector<Absorbed> absorbed_;
  std::vector<double> prepared_h_;  // what exp(L h) was last made for
  KernelsUsed used_;

  std::vector<Part> parts_;
  RowBlock y_, k1_, u_, noise_, noise_stage_, own_reading_, work_;
  RowBlock E_, E2_;  // propagators that are made within an attempt
  std::vector<RowBlock> k_;
  std::vector<Stage> stages_;
  lm_kernel_fn combine_ = nullptr;
  Program first_, prepare_, start_, attempt_, reading_program_, absorb_;
  struct Read {
    ReadRows rows;
    Program program;
  };
  bool reads_here_;
  std::vector<Read> reads_;
  EdgeReader edge_reader_;
  std::vector<Program> rims_;
  std::vector<AdamsHistory> history_;
  std::uint32_t starting_ = 0;  // how many of the active members make a step of start_
};

// Work on one member, also one that has ended; the block is as it was afterwards.
template <class Work>
void Stepper::alone(std::uint32_t member, double h, const Work& work) {
  const std::uint8_t status = block_.status[member];
  const std::uint32_t n_active = block_.view()->n_active, first = block_.active[0];
  const double before = block_.h[member];
  block_.status[member] = LM_RUNNING;
  block_.active[0] = member;
  block_.h[member] = h;
  block_.set_active(1);
  put_scales();
  block_.upload(device_);
  work();
  block_.status[member] = status;
  block_.h[member] = before;
  block_.active[0] = first;
  block_.set_active(n_active);
}

// Transforms of rows of n samples on a device, for the launch: a row each way, and its programs.
[[nodiscard]] Transforms transforms_on(Device& device, std::int64_t n);

}  // namespace lumarch
