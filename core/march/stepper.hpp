// SPDX-License-Identifier: Apache-2.0
// The rows and programs that march a batch of fibre members on a device: an attempted step is one program, built once.
#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "backend/device.hpp"
#include "backend/program.hpp"
#include "march/own_response.hpp"
#include "translate/fibre.hpp"
#include "translate/launch.hpp"

namespace lumarch {

struct StepperOptions {
  Integrator integrator = Integrator::erk43;
  bool noise = false;  // the launches carry noise that enters the nonlinear operator
  bool fused = true;   // false: stage kernels only, also where a fused name is there
};

struct KernelUse {
  std::string name;
  std::uint32_t version = 1;
  std::string how;     // "fused", "stage", "plugin"
  std::string plugin;  // path of the plugin that brings a response by name
};

// The transforms of a march of n points: to time, to frequency, and the two of a real convolution.
struct FibreTransforms {
  Plan to_time, to_frequency, real_forward, real_backward;
  FibreTransforms() = default;
  FibreTransforms(Device& device, std::int64_t n, bool with_real);
};

class Stepper {
public:
  // One entry a member; all share n. Tables with the same pointer are held once.
  Stepper(Device& device, std::vector<FibreTables> members, const StepperOptions& options);
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  // The backend's transforms on host rows, for the launch.
  [[nodiscard]] Transforms transforms();

  // Puts each member's launch on the device and evaluates its right-hand side.
  void load(const std::vector<Launch>& launches);

  // One attempt of block().h for the active members, into the flipped bank. Fills error2 and after2.
  void attempt();
  void accept(std::uint32_t member) { block_.parity[member] ^= 1; }

  [[nodiscard]] MemberBlock& block() noexcept { return block_; }
  [[nodiscard]] std::uint32_t members() const noexcept { return block_.count(); }
  [[nodiscard]] double error2(std::uint32_t member) const { return block_.number(member, 0); }  // of the last attempt
  [[nodiscard]] double after2(std::uint32_t member) const { return block_.number(member, 1); }
  [[nodiscard]] double field2(std::uint32_t member) const { return loaded_[member].field2; }  // sum abs(S)^2 at launch
  [[nodiscard]] double source2(std::uint32_t member) const { return loaded_[member].source2; }  // sum abs(N)^2 there
  [[nodiscard]] int evaluations_an_attempt() const noexcept { return options_.integrator == Integrator::erk43 ? 4 : 6; }

  // The present state of a member: its spectrum, and its field in time where `time` is not NULL.
  void read(std::uint32_t member, std::vector<Complex>& state, std::vector<Complex>* time);

  // Bytes of the rows of a march of n points and `members` members with `scratch` SCRATCH rows, for people.
  [[nodiscard]] static std::uint64_t estimate_bytes(const FibreTables& tables, const StepperOptions& options,
                                                    std::uint32_t members, std::uint32_t scratch);

  // Which row of the last attempt is the first with a non-finite value: for the message of a run that failed.
  [[nodiscard]] std::string first_non_finite(std::uint32_t member);

  // The responses of plugins, as the end of a message; empty where there is none.
  [[nodiscard]] std::string suspects() const;

  [[nodiscard]] std::vector<KernelUse> kernels() const { return used_; }
  [[nodiscard]] const std::vector<FibreTables>& tables() const noexcept { return tables_; }

private:
  struct Loaded {
    double field2 = 0, source2 = 0;
  };
  struct Term {
    lm_view view;
    double c;
    int hpow, level;
  };
  struct Stage {
    const char* name;
    lm_view view;
  };
  struct ResponsePart {
    lm_kernel_fn fn;
    std::variant<lm_p_response, lm_p_own_response> params;
    bool raman;
    [[nodiscard]] const void* address() const;
    [[nodiscard]] std::size_t size() const;
  };

  void run(const Program& program) const;
  void allocate();
  void make_plans();
  void resolve_kernels();
  void resolve_of_fibre();
  void add_own(std::size_t from, std::size_t to);
  [[nodiscard]] std::uint32_t response_flags() const;
  void build();
  void build_erk43();
  void build_dp54();
  void add_prepare(const Plan& plan, const RowBlock& E);
  void add_combine(Program& program, const lm_view& out, const std::vector<Term>& terms, const lm_view* E);
  void add_rhs(Program& program, const lm_view& in, const lm_view& out, const lm_view* noise);
  void add_fused_rhs(Program& program, const lm_view& in, const lm_view& out, const lm_view* noise);
  void add_composed_rhs(Program& program, const lm_view& in, const lm_view& out, const lm_view* noise);
  void add_responses(Program& program, const lm_view& field, const lm_view& polarisation);
  void add_apply(Program& program, const lm_view& out, const lm_view& x, const lm_view& E, bool inverse);
  void add_noise(const lm_view& out, const lm_view& in, const RowBlock& E);
  void use(const char* name, const char* how);
  [[nodiscard]] std::array<Program*, 6> programs() {
    return {&first_, &prepare_, &attempt_, &to_time_program_, &launch_to_time_, &launch_to_frequency_};
  }
  template <class T>
  RowBlock upload_rows(const char* name, SharedRow<T> FibreTables::*row);

  Device& device_;
  std::vector<FibreTables> tables_;
  StepperOptions options_;
  std::int64_t n_;
  MemberBlock block_;
  std::vector<Loaded> loaded_;
  std::vector<double> prepared_h_;  // what exp(L h) was last made for
  std::vector<KernelUse> used_;
  std::vector<OwnResponse> own_;

  FibreTransforms fft_;
  std::vector<Plan> propagators_, noise_propagators_;
  RowBlock D_, unitary_, source_, pre_, raman_;
  std::vector<RowBlock> E_, noise_E_;  // one a distinct node
  RowBlock y_, k1_, u_, noise_, noise_stage_, field_, polarisation_, work_;
  std::vector<RowBlock> k_;
  std::vector<Stage> stages_;

  lm_kernel_fn combine_ = nullptr, rhs_ = nullptr;
  std::vector<ResponsePart> responses_;
  std::vector<lm_view> raman_tables_;
  std::vector<lm_plan*> raman_plans_;
  std::vector<lm_response> fused_responses_;
  Program first_, prepare_, attempt_, to_time_program_, launch_to_time_, launch_to_frequency_;
};

}  // namespace lumarch
