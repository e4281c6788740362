// SPDX-License-Identifier: Apache-2.0
// The UPPE of a problem with media in SI on any route (docs/kernels.md, "Routes with transverse nodes"): from modes or
// k to nodes in space, the responses in time, and back. All members share the tables; each has its own launch.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "march/equation.hpp"
#include "march/own_response.hpp"
#include "translate/uppe.hpp"

namespace lumarch {

class RouteEquation final : public Equation {
public:
  RouteEquation(Device& device, std::shared_ptr<const UppeTables> tables, std::uint32_t members, bool noise);

  [[nodiscard]] std::uint32_t members() const override { return members_; }
  [[nodiscard]] RowShape shape() const override;
  void build(bool fused, KernelsUsed& used) override;
  void add_rhs(Program& program, const lm_view& in, const lm_view& out, const lm_view* noise, double place) override;
  void add_propagator(Program& program, const lm_view& E, double from, double to, bool unitary) override;
  [[nodiscard]] bool uniform() const override { return tables_->op.uniform; }
  [[nodiscard]] bool lossy() const override { return tables_->op.lossy; }
  [[nodiscard]] std::uint32_t n_scales() const override;
  void scales(std::uint32_t member, double z, double h, double* out) const override;
  void add_reading(Program& program, const lm_view& state, const lm_view& out) override;
  void add_reads(Program& program, const lm_view& state, const lm_view& spare, const ReadWants& wants,
                 const ReadViews& out) override;
  [[nodiscard]] RowShape reading_shape() const override;
  [[nodiscard]] std::vector<lm_view> rims(const lm_view& state) const override;
  [[nodiscard]] bool absorbs() const override { return !tables_->absorb_at.empty(); }
  void add_absorbers(Program& program, const lm_view& state, std::uint32_t slot) override;
  [[nodiscard]] std::string suspects() const override;

private:
  struct Part {  // a response as its kernel gets it; its parameters differ from stage to stage in the scale alone
    lm_kernel_fn fn = nullptr;
    const UppeResponse* given = nullptr;
    std::optional<OwnResponse> own;  // of a plugin
    std::vector<lm_view> tables;
    std::vector<lm_plan*> plans;
    std::uint64_t work_bytes = 0;
  };
  // What the responses of one place in the step are given: kept, for programs point at it.
  struct Stage {
    std::vector<UppeParams> params;
    std::vector<lm_response> responses;
    std::uint32_t pre_scale = 0, post_scale = 0;
  };

  void upload_tables();
  void prepare_responses();
  void upload_delayed(const UppeResponse& response);
  void add_columns(Program& program, const lm_view& in, const lm_view& out, double place);
  void add_composed_columns(Program& program, const lm_view& in, const lm_view& out, const Stage& stage);
  void add_to_space(Program& program, const lm_view& in, const lm_view& out);
  void add_to_state(Program& program, const lm_view& in, const lm_view& out);
  void add_transform(Program& program, const lm_view& in, const lm_view& out, int axis, const Plan& plan);
  const Stage& stage_at(double place);
  [[nodiscard]] std::uint32_t slot(const std::function<double(double)>& scale, double place);
  [[nodiscard]] std::uint32_t slot(const UppeResponse& response, double place);
  [[nodiscard]] std::uint64_t columns_work(const Stage& stage) const;
  [[nodiscard]] RowBlock rows(const RowShape& shape, int dtype, const char* name, RowBlock::Kind kind) const;
  void add_whole_signal(Program& program, const lm_view& in, const lm_view& band, const lm_view& out);
  [[nodiscard]] lm_view space_view();
  // A sum over the field in time of some nodes, put into `out`, through a mask where there is one.
  struct TimeRead {
    const char* kernel;
    lm_view out, mask;
    double c;
    std::uint32_t flags = 0;
  };
  void upload_read_tables(const ReadWants& wants);
  [[nodiscard]] lm_view mask(const NodeMask& mask, bool in_space);
  void add_read(Program& program, const char* kernel, std::vector<lm_view> views, std::uint32_t flags, double c);
  // The energy of each frequency of some nodes of the state, through a mask where there is one.
  struct StateRead {
    lm_view out, mask;
  };
  void add_time_reads(Program& program, const lm_view& state, const std::vector<StateRead>& spectra,
                      const std::vector<TimeRead>& reads);
  void add_space_reads(Program& program, const lm_view& state, const ReadWants& wants, const ReadViews& out);
  void add_axis_reads(Program& program, const lm_view& state, const ReadViews& out);
  void add_norm(Program& program, const lm_view& state, std::uint32_t slot);
  void add_time_collar(Program& program, const lm_view& state);
  void add_space_collar(Program& program, const lm_view& state);
  [[nodiscard]] bool has_current() const;
  [[nodiscard]] bool local() const { return tables_->to_space.empty() && !tables_->transverse; }

  Device& device_;
  std::shared_ptr<const UppeTables> tables_;
  std::uint32_t members_;
  bool noise_, fused_ = true;
  KernelsUsed* used_ = nullptr;

  std::vector<RowBlock> D_, unitary_;
  RowBlock to_space_, to_state_, to_reading_, pre_, post_, current_, window_, source_;
  RowBlock noisy_, space_;                                  // in + noise; the field at nodes in space
  RowBlock field_, wave_, current_time_, spectrum_, half_;  // of composed columns, all nodes at once
  RowBlock collar_time_, collar_band_, time_collar_, space_collar_, band_back_;
  RowBlock reading_modes_, reading_band_, product_;
  RowBlock energy_, counts_, shares_, axis_;                                        // tables of reads
  RowBlock read_time_, read_band_, read_space_, axis_row_, axis_time_, axis_band_;  // and their rows
  std::deque<std::pair<std::pair<NodeMask, bool>, RowBlock>> masks_;
  std::deque<RowBlock> response_tables_;
  std::deque<Plan> response_plans_;
  Plan to_time_, to_frequency_, reading_, reading_back_, x_there_, x_back_, y_there_, y_back_;
  std::map<std::pair<double, bool>, Plan> propagators_;
  std::vector<Part> parts_;
  std::deque<std::pair<double, Stage>> stages_;

  lm_kernel_fn columns_ = nullptr;
  std::uint32_t together_ = 1;
  struct Slot {
    std::function<void(double z, double h, double* out)> fill;
    std::uint32_t count = 1;
  };
  std::vector<Slot> slots_;
  std::uint32_t slots_used_ = 0;
};

}  // namespace lumarch
