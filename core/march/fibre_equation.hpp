// SPDX-License-Identifier: Apache-2.0
// The GNLSE of a batch of fibres (docs/kernels.md: rhs.fibre, or what it is composed of).
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "backend/device.hpp"
#include "march/equation.hpp"
#include "march/own_response.hpp"
#include "translate/fibre.hpp"

namespace lumarch {

// The transforms of a march of n points: to time, to frequency, and the two of a real convolution.
struct FibreTransforms {
  Plan to_time, to_frequency, real_forward, real_backward;
  FibreTransforms() = default;
  FibreTransforms(Device& device, std::int64_t n, bool with_real);
};

class FibreEquation final : public Equation {
public:
  // One entry a member; all share n. Tables with the same pointer are held once. `noise`: the right-hand side gets
  // some.
  FibreEquation(Device& device, std::vector<FibreTables> members, bool noise);

  [[nodiscard]] std::uint32_t members() const override { return static_cast<std::uint32_t>(tables_.size()); }
  [[nodiscard]] RowShape shape() const override { return RowShape{n_}; }
  void build(bool fused, KernelsUsed& used) override;
  void add_rhs(Program& program, const lm_view& in, const lm_view& out, const lm_view* noise, double place) override;
  void add_propagator(Program& program, const lm_view& E, double from, double to, bool unitary) override;
  [[nodiscard]] bool uniform() const override { return true; }
  [[nodiscard]] bool lossy() const override { return unitary_.given(); }
  void add_reading(Program& program, const lm_view& state, const lm_view& out) override;
  [[nodiscard]] RowShape reading_shape() const override { return shape(); }
  void add_reads(Program& program, const lm_view& state, const lm_view& spare, const ReadWants& wants,
                 const ReadViews& out) override;
  [[nodiscard]] std::string suspects() const override;

private:
  struct ResponsePart {
    lm_kernel_fn fn;
    std::variant<lm_p_response, lm_p_own_response> params;
    bool raman;
    [[nodiscard]] const void* address() const;
    [[nodiscard]] std::size_t size() const;
  };

  void check_members(bool noise);
  void resolve_kernels();
  void resolve_of_fibre();
  void add_own(std::size_t from, std::size_t to);
  void describe_responses();
  [[nodiscard]] std::uint32_t response_flags() const;
  void add_fused_rhs(Program& program, const lm_view& in, const lm_view& out, const lm_view* noise);
  void add_composed_rhs(Program& program, const lm_view& in, const lm_view& out, const lm_view* noise);
  void add_responses(Program& program);
  [[nodiscard]] const Plan& propagator(double node, bool unitary);
  template <class T>
  RowBlock upload_rows(const char* name, SharedRow<T> FibreTables::*row);

  Device& device_;
  std::vector<FibreTables> tables_;
  std::int64_t n_;
  std::vector<OwnResponse> own_;
  FibreTransforms fft_;
  std::vector<std::pair<std::pair<double, bool>, Plan>> propagators_;  // by node, and whether unitary
  bool lossless_;
  RowBlock D_, unitary_, source_, pre_, raman_, field_, polarisation_;

  bool fused_ = true;
  KernelsUsed* used_ = nullptr;
  lm_kernel_fn rhs_ = nullptr;
  std::vector<ResponsePart> responses_;
  std::vector<lm_view> raman_tables_;
  std::vector<lm_plan*> raman_plans_;
  std::vector<lm_response> fused_responses_;
};

}  // namespace lumarch
